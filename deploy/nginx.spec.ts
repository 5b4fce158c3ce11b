import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { textOf } from './testing/deployment-files.js';
import { describeWith } from './testing/describe-with.js';
import { nginxArguments, nginxFolder } from './testing/nginx.js';

const nodes: [string, string] = ['127.0.0.1:3001', '127.0.0.1:3002'];

const folders: string[] = [];

describeWith('nginx', 'nginx-light')('the configuration of nginx is valid', () => {
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it('without TLS', () => {
    expect(errorsOf(nginxFolder({ nodes, listen: textOf('deploy/nginx/listen.conf') }))).toBe('');
  });

  it('with TLS', () => {
    const configuration = nginxFolder({ nodes, listen: '' });
    const folder = dirname(configuration);
    folders.push(folder);
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
    const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
    execFileSync('openssl', [...request, ...files], { stdio: 'ignore' });
    const listen = textOf('deploy/tls/listen.conf').replaceAll('/etc/nginx/certificates', folder);
    expect(errorsOf(nginxFolder({ nodes, listen }))).toBe('');
  });
});

/** The output of `nginx -t`; empty when the configuration is valid. */
function errorsOf(configuration: string): string {
  folders.push(dirname(configuration));
  const { status, stderr } = spawnSync('nginx', ['-t', '-q', ...nginxArguments(configuration)], { encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}
