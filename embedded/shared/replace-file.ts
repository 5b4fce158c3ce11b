import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file atomically: after a crash it has either its former content or all of the new content, and from then on the new one. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  const folder = await open(dirname(path));
  await folder.sync().finally(() => folder.close());
}
