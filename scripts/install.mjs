import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { root, run } from './processes.mjs';

const stampFile = join(root, 'node_modules', '.installed-for');
const runtime = `${process.version} ${process.platform}-${process.arch}`;

/** Installs the packages when the lockfile, the Node version or the platform differs from the last installation. */
export async function ensureInstalled() {
  if (isUpToDate()) return;
  // Two installations at the same time would delete each other's folders.
  await withLock('installing', async () => {
    if (isUpToDate()) return;
    console.log('Installing packages (only at the first start and when they change) …');
    const { ok } = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
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

/** Whether `npm ci` was run by hand: npm lists the installed packages in a lockfile inside node_modules. */
function isInstalledByHand() {
  const npmList = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(npmList)) return false;
  const installed = JSON.parse(readFileSync(npmList, 'utf8')).packages;
  return Object.entries(JSON.parse(lockfile()).packages).every(
    ([path, { version, optional }]) =>
      path === '' || installed[path]?.version === version || (optional && installed[path] === undefined),
  );
}
