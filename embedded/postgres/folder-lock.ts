import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
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
      return { annotate: (note) => overwrite(path, contentOf(note)), release: () => rm(path, { force: true }) };
    }
    const holder = await readHolder(path);
    if (holder !== undefined && holder.startedAt === processStartTime(holder.pid)) {
      throw new FolderInUse(folder, holder.pid, holder.note);
    }
    await rm(path, { force: true });
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

async function createExclusively(path: string, content: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(content);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function overwrite(path: string, content: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  await file.writeFile(content);
  await file.close();
}

async function readHolder(path: string): Promise<LockContent | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as LockContent;
  } catch {
    // Gone meanwhile, or cut short by a crash: nobody's.
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
