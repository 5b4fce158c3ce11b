import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressAssets } from './compress.mjs';
import { root, runTool } from './processes.mjs';

const SERVER_ROOMS = ['contracts', 'domain', 'event-log', 'api', 'projections', 'audit', 'embedded', 'bench'];
const FIRST_LOAD_BYTES = 170_000;
const dist = join(root, 'dist');

/**
 * Builds what changed since the last build: the server rooms with SWC, the client with Vite.
 *
 * @param {string[]} [only] names of parts; all of them when absent or empty
 */
export async function ensureBuilt(only = []) {
  const parts = [
    { name: 'server', sources: [...SERVER_ROOMS, '.swcrc'], outputs: SERVER_ROOMS, build: buildServer },
    { name: 'web', sources: ['web', 'contracts'], outputs: ['web'], build: buildWeb },
  ];
  mkdirSync(dist, { recursive: true });
  const unknown = only.find((name) => !parts.some((part) => part.name === name));
  if (unknown !== undefined) throw new Error(`there is no part named ${unknown} to build`);
  const chosen = parts.filter(({ name }) => only.length === 0 || only.includes(name));
  const outcomes = await Promise.allSettled(chosen.map(ensurePart));
  const failure = outcomes.find(({ status }) => status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

async function ensurePart({ name, sources, outputs, build }) {
  const stampFile = join(dist, `.${name}-built-from`);
  const stamp = hashOf([...sources, 'package-lock.json', 'scripts/build.mjs', 'scripts/compress.mjs']);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  console.log(`Building the ${name} …`);
  // Built aside and moved into place, so that a broken build leaves the last good one.
  const aside = join(dist, `.${name}-${process.pid}`);
  const { ok, output } = await build(aside);
  if (!ok) {
    rmSync(aside, { recursive: true, force: true });
    throw new Error(`the ${name} does not build:\n${output}`);
  }
  rmSync(stampFile, { force: true });
  for (const room of outputs) {
    rmSync(join(dist, room), { recursive: true, force: true });
    if (existsSync(join(aside, room))) renameSync(join(aside, room), join(dist, room));
  }
  rmSync(aside, { recursive: true, force: true });
  writeFileSync(stampFile, stamp);
}

function buildServer(aside) {
  const rooms = SERVER_ROOMS.filter((room) => existsSync(join(root, room)));
  return runTool(
    '@swc/cli/bin/swc.js',
    [
      ...rooms,
      '--out-dir',
      aside,
      '--copy-files',
      '--quiet',
      '--ignore',
      '**/*.spec.ts,**/testing/**,**/*.md,**/jest-*.mjs',
    ],
    { quiet: true },
  );
}

async function buildWeb(aside) {
  const built = await runTool(
    'vite/bin/vite.js',
    ['build', 'web', '--outDir', join(aside, 'web'), '--logLevel', 'warn'],
    {
      quiet: true,
    },
  );
  if (!built.ok) return built;
  for (const folder of ['web', 'web/assets']) await compressAssets(join(aside, folder));
  assertFirstLoad(join(aside, 'web'));
  return built;
}

/** What the main page asks for as it opens must stay small on a phone: sizes as gzip sends them. */
function assertFirstLoad(folder) {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const scripts = page.match(/\/assets\/[^"]+\.js(?=")/g) ?? [];
  const bytes = scripts.reduce((sum, script) => sum + statSync(join(folder, asSent(folder, script))).size, 0);
  if (scripts.length === 0 || bytes > FIRST_LOAD_BYTES)
    throw new Error(`the main page's ${scripts.length} scripts are ${bytes} bytes; at most ${FIRST_LOAD_BYTES} may be`);
}

/** Too small to be worth compressing, it is sent as it is. */
const asSent = (folder, script) => (existsSync(join(folder, `${script}.gz`)) ? `${script}.gz` : script);

/** A digest of the names and contents of all files below the given paths. */
function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) visit(path);
  return hash.digest('hex');

  function visit(path) {
    const full = join(root, path);
    if (!existsSync(full)) return;
    const entries = readdirOrUndefined(full);
    if (entries === undefined) {
      hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
    } else {
      for (const entry of entries.sort()) if (entry !== 'node_modules') visit(`${path}/${entry}`);
    }
  }
}

function readdirOrUndefined(path) {
  try {
    return readdirSync(path);
  } catch (error) {
    if (error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}
