import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The last record of each id, by kind. */
export type Kept = Map<string, Map<string, unknown>>;

interface Entry {
  kind: string;
  id: string;
  record: unknown;
}

/**
 * A file of JSON lines, each the newest state of one record. Opening it writes the last states anew, so that it grows
 * only while the process runs. A last line that a crash cut off was never confirmed to anybody, and is left out.
 */
export class Journal {
  private waiting: string[] = [];
  private writing: Promise<void> | undefined;

  private constructor(private readonly file: FileHandle) {}

  static async open(path: string): Promise<{ journal: Journal; kept: Kept }> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const kept = await readKept(path);
    const aside = `${path}.new`;
    await rm(aside, { force: true });
    const file = await open(aside, 'a', 0o600);
    try {
      for (const [kind, records] of kept) {
        await file.appendFile([...records].map(([id, record]) => line({ kind, id, record })).join(''));
      }
      await file.datasync();
      await rename(aside, path);
    } catch (error) {
      await file.close();
      throw error;
    }
    return { journal: new Journal(file), kept };
  }

  append(kind: string, id: string, record: unknown): void {
    this.waiting.push(line({ kind, id, record }));
  }

  /** Resolves when everything appended so far is on the disk. What comes in meanwhile is written together. */
  async saved(): Promise<void> {
    while (this.writing !== undefined || this.waiting.length > 0) {
      this.writing ??= this.write();
      await this.writing;
    }
  }

  async close(): Promise<void> {
    await this.saved();
    await this.file.close();
  }

  private async write(): Promise<void> {
    const lines = this.waiting;
    this.waiting = [];
    try {
      await this.file.appendFile(lines.join(''));
      await this.file.datasync();
      this.writing = undefined;
    } catch (error) {
      // Left rejected for good: nothing more may be confirmed after a line that is missing.
      throw new Error('the gateway cannot write its file', { cause: error });
    }
  }
}

const line = (entry: Entry): string => `${JSON.stringify(entry)}\n`;

async function readKept(path: string): Promise<Kept> {
  const kept: Kept = new Map();
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n');
  lines.pop();
  for (const written of lines) {
    const { kind, id, record } = JSON.parse(written) as Entry;
    const records = kept.get(kind) ?? new Map<string, unknown>();
    // Set anew, so that the order is that of the last change, as it is in memory.
    records.delete(id);
    kept.set(kind, records.set(id, record));
  }
  return kept;
}
