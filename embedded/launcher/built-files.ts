import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, above both `embedded/launcher` and `dist/embedded/launcher`. */
export function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    if (dirname(folder) === folder) throw new Error('package.json was not found above the launcher');
    folder = dirname(folder);
  }
  return folder;
}

export const builtFile = (path: string): string => join(projectRoot(), 'dist', path);
