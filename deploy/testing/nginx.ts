import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './deployment-files.js';

/**
 * Copies deploy/nginx to a new folder and returns the path of its nginx.conf. `nodes` replace the api nodes, `listen` replaces
 * listen.conf. Settings that Debian's nginx lacks are left out.
 */
export function nginxFolder({ nodes, listen }: { nodes: readonly string[]; listen: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'omni-nginx-'));
  // The workers of nginx run as another user when the tests run as root.
  chmodSync(folder, 0o755);
  cpSync(join(projectRoot, 'deploy/nginx'), folder, { recursive: true });
  mkdirSync(join(folder, 'cache'));
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
  edit('nginx.conf', (text) => text.replaceAll('/var/cache/nginx', join(folder, 'cache')));
  edit('upstreams.conf', (text) =>
    text
      .replace(/^resolver .*$/m, '')
      .replaceAll(' resolve ', ' ')
      .replace(/api-(\d):3000/g, (_name, number) => nodes[number - 1]!),
  );
  writeFileSync(join(folder, 'listen.conf'), listen);
  return join(folder, 'nginx.conf');
}

/** The arguments with which nginx runs in the foreground with this file. */
export const nginxArguments = (configuration: string): string[] => [
  '-c',
  configuration,
  '-g',
  `daemon off; pid ${configuration}.pid;`,
];
