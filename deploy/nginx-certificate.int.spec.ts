/* docs/operations.md, "Rotating secrets": nginx takes a new certificate by a reload, and no connection is lost. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { textOf } from './testing/deployment-files.js';
import { describeWith } from './testing/describe-with.js';
import { nginxArguments, nginxFolder } from './testing/nginx.js';

const run = promisify(execFile);
const HEAD = 'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

describeWith('nginx', 'nginx-light')('a new certificate of nginx', () => {
  const certificates = mkdtempSync(join(tmpdir(), 'omni-certificates-'));
  const sockets: TLSSocket[] = [];
  let configuration: string;
  let port: number;
  let nginx: ChildProcess;
  /** A node: it echoes on upgraded connections, as sockets are. */
  let api: Server;

  const makeCertificate = (name: string) => {
    const files = ['-keyout', join(certificates, 'privkey.pem'), '-out', join(certificates, 'fullchain.pem')];
    return run('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      ...files,
    ]);
  };

  beforeAll(async () => {
    chmodSync(certificates, 0o755);
    api = createServer().on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      socket.pipe(socket);
    });
    await once(api.listen(0, '127.0.0.1'), 'listening');
    const node = `127.0.0.1:${(api.address() as AddressInfo).port}`;
    port = await anyFreePort();
    const listen = textOf('deploy/tls/listen.conf')
      .replaceAll('/etc/nginx/certificates', certificates)
      .replaceAll(/^listen (80|\[::\]).*\n/gm, '')
      .replace('listen 443', `listen 127.0.0.1:${port}`);
    configuration = nginxFolder({ nodes: [node, node], listen });
    await makeCertificate('before');
    nginx = spawn('nginx', nginxArguments(configuration), { stdio: 'ignore' });
    while (!(await certificateName().catch(() => null))) await sleep(50);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    const ended = once(nginx, 'exit');
    nginx.kill('SIGTERM');
    await ended;
    api.close();
    for (const folder of [certificates, dirname(configuration)]) rmSync(folder, { recursive: true, force: true });
  });

  async function open(): Promise<TLSSocket> {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    sockets.push(socket);
    await once(socket, 'secureConnect');
    return socket;
  }

  const certificateName = async () => (await open()).getPeerCertificate().subject.CN;

  /** Sends a text over an upgraded connection, and returns what comes back. */
  async function echo(socket: TLSSocket, text: string): Promise<string> {
    socket.write(text);
    const [answer] = await once(socket, 'data');
    return String(answer);
  }

  it('counts for new connections after the page’s reload; an open socket stays', async () => {
    const gamer = await open();
    expect(await echo(gamer, `GET /ws/ HTTP/1.1\r\n${HEAD}`)).toContain('101 Switching Protocols');
    expect(await echo(gamer, 'before the reload')).toBe('before the reload');

    await makeCertificate('after');
    expect(await certificateName()).toBe('before');
    const [command = ''] = /nginx -s reload/.exec(textOf('docs/operations.md')) ?? [];
    const [program = '', ...args] = command.split(' ');
    await run(program, [...args, ...nginxArguments(configuration)]);

    while ((await certificateName()) !== 'after') await sleep(50);
    expect(await echo(gamer, 'after the reload')).toBe('after the reload');
    expect(readFileSync(`${configuration}.pid`, 'utf8').trim()).toBe(String(nginx.pid));
  });
});
