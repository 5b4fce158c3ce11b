import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root, run } from './processes.mjs';

const stampFile = join(root, 'node_modules', '.installed-for');
const lockFile = join(root, '.cache', 'installing');
const runtime = `${process.version} ${process.platform}-${process.arch}`;

/** Installs the packages when the lockfile, or the Node that runs them, is not the one they were installed for. */
export async function ensureInstalled() {
  if (isUpToDate()) return;
  await alone(async () => {
    if (isUpToDate()) return;
    console.log('Installing packages (only at the first start and when they change) …');
    // Warnings are npm's word to us about packages of packages; errors are shown.
    const { ok } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
    if (!ok) throw new Error('the packages could not be installed; see above');
    writeFileSync(stampFile, currentStamp());
  });
}

const lockfile = () => readFileSync(join(root, 'package-lock.json'), 'utf8');
const currentStamp = () => `${createHash('sha256').update(lockfile()).digest('hex')} ${runtime}`;

function isUpToDate() {
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : undefined;
  if (stamp === currentStamp()) return true;
  const otherRuntime = stamp !== undefined && !stamp.endsWith(` ${runtime}`);
  if (otherRuntime || !isInstalledByHand()) return false;
  writeFileSync(stampFile, currentStamp());
  return true;
}

/** Whether somebody ran npm: it notes what it installed in a lockfile of its own. */
function isInstalledByHand() {
  const noted = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(noted)) return false;
  const installed = JSON.parse(readFileSync(noted, 'utf8')).packages;
  return Object.entries(JSON.parse(lockfile()).packages).every(
    ([path, { version, optional }]) =>
      path === '' || installed[path]?.version === version || (optional && installed[path] === undefined),
  );
}

/** Two installs at once tear each other's folders away: the second command waits for the first. */
async function alone(work) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  while (!takeLock()) await delay(200);
  try {
    await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function takeLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isHeld()) rmSync(lockFile, { force: true });
    return false;
  }
}

function isHeld() {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'));
    return pid === 0 || process.kill(pid, 0); // Empty: just being written.
  } catch (error) {
    return error.code === 'EPERM';
  }
}
