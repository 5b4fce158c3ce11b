import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './processes.mjs';

const stampFile = join(root, 'node_modules', '.installed-for');

/** Installs the packages when the lockfile, or the Node that runs them, is not the one they were installed for. */
export async function ensureInstalled() {
  const lockfile = readFileSync(join(root, 'package-lock.json'));
  const stamp = `${createHash('sha256').update(lockfile).digest('hex')} ${process.version} ${process.platform}-${process.arch}`;
  const installedFor = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : undefined;
  if (installedFor === stamp) return;
  if (installedFor === undefined && isInstalled(JSON.parse(lockfile.toString()))) {
    writeFileSync(stampFile, stamp);
    return;
  }
  console.log('Installing packages (only at the first start and when they change) …');
  // Warnings are npm's word to us about packages of packages; errors are shown.
  const { ok } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (!ok) throw new Error('the packages could not be installed; see above');
  writeFileSync(stampFile, stamp);
}

/** Whether somebody ran npm by hand: npm notes what it installed in a lockfile of its own. */
function isInstalled(lock) {
  const noted = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(noted)) return false;
  const installed = JSON.parse(readFileSync(noted, 'utf8')).packages;
  return Object.entries(lock.packages).every(
    ([path, { version, optional }]) =>
      path === '' || installed[path]?.version === version || (optional && installed[path] === undefined),
  );
}
