import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Thrown when a living process already holds the folder. */
export class FolderInUse extends Error {
  constructor(
    readonly folder: string,
    readonly holderPid: number,
    readonly note: string,
  ) {
    super(`${folder} is in use by process ${holderPid}${note === '' ? '' : ` (${note})`}`);
  }
}

export interface FolderLock {
  /** Replaces the note that the next one to ask for the folder is shown. */
  annotate(note: string): Promise<void>;
  release(): Promise<void>;
}

interface LockContent {
  pid: number;
  startedAt: string;
  note: string;
}

/**
 * Takes a folder for this process by a lock file in it. A lock whose process is gone is taken over.
 * A process is known by its id and its start time, because ids are used again, surely so after a reboot.
 *
 * @throws FolderInUse when a living process holds it (this one included).
 */
export async function lockFolder(folder: string, name = 'lock'): Promise<FolderLock> {
  const path = join(folder, name);
  for (let attempt = 0; attempt < 5; attempt++) {
    if (await createExclusively(path, contentOf(''))) {
      return { annotate: (note) => replace(path, contentOf(note)), release: () => rm(path, { force: true }) };
    }
    const found = await readText(path);
    const holder = found === undefined ? undefined : holderIn(found);
    if (holder !== undefined && holder.startedAt === processStartTime(holder.pid)) {
      throw new FolderInUse(folder, holder.pid, holder.note);
    }
    if (found !== undefined) await removeStale(path, found);
  }
  throw new Error(`could not take the lock ${path}`);
}

function contentOf(note: string): string {
  return JSON.stringify({
    pid: process.pid,
    startedAt: processStartTime(process.pid) ?? '',
    note,
  } satisfies LockContent);
}

/** The lock appears with its content or not at all: an empty one would pass for one that a crash cut short. */
async function createExclusively(path: string, content: string): Promise<boolean> {
  return aside(path, content, async (written) => {
    try {
      await link(written, path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  });
}

async function replace(path: string, content: string): Promise<void> {
  await aside(path, content, (written) => rename(written, path));
}

async function aside<T>(path: string, content: string, use: (written: string) => Promise<T>): Promise<T> {
  const written = besides(path);
  await writeFile(written, content, { mode: 0o600 });
  try {
    return await use(written);
  } finally {
    await rm(written, { force: true });
  }
}

const besides = (path: string): string => `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;

/** Of several who find the same stale lock one moves it away; who moved a newer one by mistake puts it back. */
async function removeStale(path: string, stale: string): Promise<void> {
  const moved = besides(path);
  try {
    await rename(path, moved);
    if ((await readText(moved)) !== stale) await link(moved, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  } finally {
    await rm(moved, { force: true });
  }
}

/** Undefined when it has gone meanwhile. */
async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Undefined for what no process of ours has written. */
function holderIn(text: string): LockContent | undefined {
  try {
    return JSON.parse(text) as LockContent;
  } catch {
    return undefined;
  }
}

/** When a process started, in a form that only equality is asked of; undefined when there is no such process. */
export function processStartTime(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // State Z is a zombie: dead, and waiting for its parent to look. Field 22 counts ticks since boot.
      return fields[0] === 'Z'
        ? undefined
        : `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
