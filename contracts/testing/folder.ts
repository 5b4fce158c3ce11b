import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for all tests of the file, or for each of them; removed after the last one. */
export function folderForTests(scope: 'all' | 'each'): () => string {
  const folders: string[] = [];
  (scope === 'all' ? beforeAll : beforeEach)(() => {
    folders.push(mkdtempSync(join(tmpdir(), 'omni-tests-')));
  });
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return () => folders.at(-1) as string;
}
