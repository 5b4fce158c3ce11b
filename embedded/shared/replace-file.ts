import { open, rename } from 'node:fs/promises';

/** Writes a file atomically: after a crash it has either its former content or all of the new content. */
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
}
