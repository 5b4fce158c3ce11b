import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { transformFile } from '@swc/core';

/** The event store's folder, and the folder of helpers that it shares with the other stand-ins. */
const FOLDERS = ['event-store', 'shared'];

/** Compiles the event store as production does, to run it as a process. Returns its folder, which the caller removes. */
export async function buildForNode(): Promise<string> {
  const root = resolve(__dirname, '..', '..', '..');
  const target = await mkdtemp(join(tmpdir(), 'event-store-build-'));
  await writeFile(join(target, 'package.json'), '{ "type": "module" }');
  await symlink(join(root, 'node_modules'), join(target, 'node_modules'));
  for (const folder of FOLDERS) {
    const source = join(root, 'embedded', folder);
    for (const file of await readdir(source, { recursive: true })) {
      if (!file.endsWith('.ts') || file.endsWith('.spec.ts') || file.startsWith('testing')) continue;
      const { code } = await transformFile(join(source, file), {
        module: { type: 'es6' },
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      });
      const built = join(target, 'embedded', folder, file.replace(/ts$/, 'js'));
      await mkdir(dirname(built), { recursive: true });
      await writeFile(built, code);
    }
  }
  return target;
}
