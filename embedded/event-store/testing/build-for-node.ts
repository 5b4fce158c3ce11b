import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { transformFile } from '@swc/core';

/** Compiles this room as production does, to run it as a process of its own. @returns the folder it lies in, for the caller to remove */
export async function buildForNode(): Promise<string> {
  const root = resolve(__dirname, '..', '..', '..');
  const room = join(root, 'embedded', 'event-store');
  const target = await mkdtemp(join(tmpdir(), 'event-store-build-'));
  await writeFile(join(target, 'package.json'), '{ "type": "module" }');
  await symlink(join(root, 'node_modules'), join(target, 'node_modules'));
  for (const file of await readdir(room, { recursive: true })) {
    if (!file.endsWith('.ts') || file.endsWith('.spec.ts') || file.startsWith('testing')) continue;
    const { code } = await transformFile(join(room, file), {
      module: { type: 'es6' },
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    });
    const built = join(target, 'embedded', 'event-store', file.replace(/ts$/, 'js'));
    await mkdir(dirname(built), { recursive: true });
    await writeFile(built, code);
  }
  return target;
}
