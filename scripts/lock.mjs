import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './processes.mjs';

const folder = join(root, '.cache');

/**
 * Runs the work while no other command of this checkout does work of this name: that command waits. A lock whose process has
 * ended does not count.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true });
  while (!takeLock(file)) await sleep(200);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function takeLock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isHeld(file)) rmSync(file, { force: true });
    return false;
  }
}

function isHeld(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return pid === 0 || process.kill(pid, 0); // The file is empty while it is being written.
  } catch (error) {
    return error.code === 'EPERM';
  }
}
