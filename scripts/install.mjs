import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { root, run } from './processes.mjs';

const stampFile = join(root, 'node_modules', '.installed-for');
const runtime = `${process.version} ${process.platform}-${process.arch}`;

/**
 * Installs the packages when the lockfile, the Node version or the platform differs from the last installation.
 *
 * @param {boolean} isForTests false leaves out what only tests and checks need (npm's development dependencies)
 */
export async function ensureInstalled(isForTests) {
  if (isUpToDate(isForTests)) return;
  // Two installations at the same time would delete each other's folders.
  await withLock('installing', async () => {
    if (isUpToDate(isForTests)) return;
    console.log('Installing packages (only at the first start and when they change) …');
    // A running application keeps its packages when those for tests are added.
    const command = isUpToDate(false) ? ['install', '--no-save'] : ['ci'];
    const set = isForTests ? '--include=dev' : '--omit=dev';
    // npm collects garbage for a tenth of the time with V8's usual space for young objects.
    const env = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64` };
    const { ok } = await run('npm', [...command, set, '--no-audit', '--no-fund', '--loglevel=error'], { env });
    if (!ok) throw new Error('the packages could not be installed; see above');
    writeFileSync(stampFile, stampOf(isForTests));
  });
}

const lockfile = () => readFileSync(join(root, 'package-lock.json'), 'utf8');
const stampOf = (isForTests) =>
  `${createHash('sha256').update(lockfile()).digest('hex')}${isForTests ? '' : ' without tests'} ${runtime}`;

function isUpToDate(isForTests) {
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : undefined;
  if (stamp === stampOf(true) || (stamp === stampOf(false) && !isForTests)) return true;
  const otherRuntime = stamp !== undefined && !stamp.endsWith(` ${runtime}`);
  if (otherRuntime || !isInstalledByHand(isForTests)) return false;
  writeFileSync(stampFile, stampOf(isForTests));
  return true;
}

/** Whether `npm ci` was run by hand: npm lists the installed packages in a lockfile inside node_modules. */
function isInstalledByHand(isForTests) {
  const npmList = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(npmList)) return false;
  const installed = JSON.parse(readFileSync(npmList, 'utf8')).packages;
  return Object.entries(JSON.parse(lockfile()).packages).every(
    ([path, { version, optional, devOptional, dev, link }]) =>
      !path.startsWith('node_modules/') ||
      link ||
      installed[path]?.version === version ||
      (dev && !isForTests) ||
      ((optional || devOptional) && installed[path] === undefined),
  );
}
