import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

const ATTEMPTS = 5;

/** Thrown when a running process already holds the folder. */
export class FolderInUse extends Error {
  constructor(
    readonly folder: string,
    readonly holderPid: number,
  ) {
    super(`${folder} is in use by process ${holderPid}`);
  }
}

/** The lock file's content. The start time identifies the process, because the system reuses process ids. */
type LockContent = { pid: number; startedAt: string };

/** Locks a folder by a file; takes over a dead process's lock. Throws FolderInUse, also for this process. */
export async function lockFolder(folder: string, name = 'lock') {
  const path = join(folder, name);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (createLock(path)) return { release: () => rm(path, { force: true }) };
    const text = readIfPresent(path);
    const holder = parseLock(text);
    if (holder !== undefined && holder.startedAt === processStartTime(holder.pid))
      throw new FolderInUse(folder, holder.pid);
    // Compared again right before the removal: another process may have taken the stale lock over meanwhile.
    if (text !== undefined && readIfPresent(path) === text) rmSync(path, { force: true });
  }
  throw new Error(`could not take the lock ${path}`);
}

/** Creates the lock together with its content: an empty lock would pass for one that a crash cut short. */
function createLock(path: string): boolean {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const content: LockContent = { pid: process.pid, startedAt: processStartTime(process.pid) ?? '' };
  writeFileSync(temporary, JSON.stringify(content), { mode: 0o600 });
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary);
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Undefined for a file that a crash cut short. */
function parseLock(text = ''): LockContent | undefined {
  try {
    return JSON.parse(text) as LockContent;
  } catch {
    return undefined;
  }
}

/** An opaque start time of a process, to be compared for equality; undefined when there is no such process. */
export function processStartTime(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // State Z is a zombie: a dead process whose parent has not read its exit code. Field 22 counts ticks since boot.
    if (state === 'Z') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[18]}`;
  } catch {
    return undefined;
  }
}
