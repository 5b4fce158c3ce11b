import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from './replace-file.js';

/** A stand-in's records in memory and, given a path, in a file that outlives a restart. */
export class JsonFile<Records extends object> {
  /** The users of the records set it after each change. */
  isChanged = false;
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly path: string | undefined,
    readonly records: Records,
  ) {}

  static async open<Records extends object>(path: string | undefined, empty: Records): Promise<JsonFile<Records>> {
    if (path !== undefined) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const isKept = path !== undefined && existsSync(path);
    const kept: Partial<Records> = isKept ? JSON.parse(await readFile(path, 'utf8')) : {};
    return new JsonFile(path, { ...empty, ...kept });
  }

  /** Resolves when every change so far is on the disk. After a failed write all later ones fail too. */
  flush(): Promise<void> {
    this.writing = this.writing.then(async () => {
      if (this.path === undefined || !this.isChanged) return;
      this.isChanged = false;
      await replaceFile(this.path, JSON.stringify(this.records));
    });
    return this.writing;
  }
}
