import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '../contracts/testing/folder.js';
import { projectRoot } from './testing/deployment-files.js';

/** Prints the digest of an image that this machine has as `docker image inspect` does. */
const DOCKER =
  '#!/bin/sh\n[ "$5" = missing:1 ] && { echo "No such image" >&2; exit 1; }\necho "$(echo "$5" | cut -d: -f1)@sha256:of-$5"\n';

const folder = folderForTests('all');
beforeAll(() => writeFileSync(join(folder(), 'docker'), DOCKER, { mode: 0o755 }));

function pin(settings: string, ...args: string[]) {
  const ENV_FILE = join(folder(), '.env');
  writeFileSync(ENV_FILE, settings, { mode: 0o600 });
  const env = { PATH: `${folder()}:${process.env.PATH}`, ENV_FILE };
  const script = ['deploy/pin-images.sh', ...args];
  const { stdout, status: code } = spawnSync('sh', script, { cwd: projectRoot, env, encoding: 'utf8' });
  return { stdout, code, settings: readFileSync(ENV_FILE, 'utf8') };
}

it('writes each image with its digest, keeps all other settings, and passes --check afterwards', () => {
  const pinned = pin('SESSION_SECRET=kept\nNGINX_IMAGE=\n');
  expect(pinned.code).toBe(0);
  expect(pinned.settings).toMatch(/^SESSION_SECRET=kept$/m);
  expect(pinned.settings).toMatch(/^NGINX_IMAGE=nginx@sha256:of-nginx:1.28-alpine$/m);
  expect(pinned.settings.match(/_IMAGE=/g)).toHaveLength(5);
  expect(pin(pinned.settings, '--check')).toMatchObject({ code: 0, stdout: '' });
  expect(pin(pinned.settings).settings).toBe(pinned.settings);
});

it('changes nothing when it only names what is not pinned, and for an image that this machine does not have', () => {
  const known = 'POSTGRES_IMAGE=postgres@sha256:known\n';
  const checked = pin(known, '--check');
  expect(checked).toMatchObject({ code: 1, settings: known });
  expect(checked.stdout).toContain('NGINX_IMAGE is not pinned: nginx:1.28-alpine');
  expect(checked.stdout).not.toContain('POSTGRES_IMAGE');
  expect(pin('NODE_IMAGE=missing:1\n')).toMatchObject({ code: 1, settings: 'NODE_IMAGE=missing:1\n' });
});
