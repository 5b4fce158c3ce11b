import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';
import { compressAssets } from './compress.mjs';
import { withLock } from './lock.mjs';
import { SERVER_PACKAGES } from './packages.mjs';
import { root, run, runTool } from './processes.mjs';

/** Limit of the gzipped scripts of the first load: the main page must open fast on a phone. */
const FIRST_LOAD_BYTES = 150_000;
const dist = join(root, 'dist');

/**
 * Builds the parts that changed since the last build: the server packages with SWC, the schemas of their responses with the
 * type checker, the client with Vite.
 *
 * @param {string[]} [only] names of parts (server, schemas, web); all parts when absent or empty
 */
export async function ensureBuilt(only = []) {
  const parts = [
    { name: 'server', sources: [...SERVER_PACKAGES, '.swcrc'], outputs: SERVER_PACKAGES, build: buildServer },
    { name: 'schemas', sources: SERVER_PACKAGES, outputs: ['response-schemas.json'], build: buildSchemas },
    { name: 'web', sources: ['web', 'contracts'], outputs: ['web'], build: buildWeb },
  ];
  mkdirSync(dist, { recursive: true });
  const unknown = only.find((name) => !parts.some((part) => part.name === name));
  if (unknown !== undefined) throw new Error(`there is no part named ${unknown} to build`);
  const chosen = parts.filter(({ name }) => only.length === 0 || only.includes(name));
  // Two builds of a part at the same time would move their files into each other's folders.
  const outcomes = await Promise.allSettled(
    chosen.map((part) => withLock(`building-${part.name}`, () => ensurePart(part))),
  );
  const failure = outcomes.find(({ status }) => status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

async function ensurePart({ name, sources, outputs, build }) {
  const stampFile = join(dist, `.${name}-built-from`);
  const stamp = hashOf([
    ...sources,
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/compress.mjs',
    'scripts/response-schemas.mjs',
  ]);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  if (name !== 'schemas') console.log(`Building the ${name} …`);
  // Built in a folder of its own and then moved into place, so that a failed build keeps the last good one.
  const fresh = join(dist, `.${name}-${process.pid}`);
  const { ok, output: printed } = await build(fresh);
  if (!ok) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Error(`the ${name} does not build:\n${printed}`);
  }
  rmSync(stampFile, { force: true });
  for (const output of outputs) {
    rmSync(join(dist, output), { recursive: true, force: true });
    if (existsSync(join(fresh, output))) renameSync(join(fresh, output), join(dist, output));
  }
  rmSync(fresh, { recursive: true, force: true });
  writeFileSync(stampFile, stamp);
}

/** Tests and documents, which the processes do not need. */
const NOT_BUILT = /\.(spec|d)\.ts$|\/testing\/|^api\/test\/|\.md$|\/jest-[^/]*\.mjs$/;

async function buildServer(folder) {
  const files = SERVER_PACKAGES.flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
  const compiled = await Promise.allSettled(
    files.filter((file) => !NOT_BUILT.test(file)).map((file) => compile(file, folder)),
  );
  const failures = compiled.flatMap(({ reason }) => (reason === undefined ? [] : [reason.message]));
  return { ok: failures.length === 0, output: failures.join('\n') };
}

/** The type checker takes a process of its own. */
const buildSchemas = (folder) =>
  run(process.execPath, ['--import', './scripts/end-with-parent.mjs', 'scripts/response-schemas.mjs', folder], {
    quiet: true,
  });

/** Writes the JavaScript of a TypeScript file, with its map, into the folder; copies any other file. */
async function compile(file, folder) {
  const target = join(folder, file);
  await mkdir(dirname(target), { recursive: true });
  if (!file.endsWith('.ts')) return cp(join(root, file), target);
  // Relative to where the folder is moved to.
  const sourceFileName = relative(dirname(join(dist, file)), join(root, file));
  const { code, map } = await transformFile(join(root, file), { cwd: root, sourceFileName });
  const script = target.replace(/\.ts$/, '.js');
  const mapFile = `${script}.map`;
  await writeFile(mapFile, map);
  await writeFile(script, `${code}\n//# sourceMappingURL=${mapFile.slice(dirname(script).length + 1)}`);
}

async function buildWeb(folder) {
  const built = await runTool(
    'vite/bin/vite.js',
    ['build', 'web', '--outDir', join(folder, 'web'), '--logLevel', 'warn'],
    {
      quiet: true,
    },
  );
  if (!built.ok) return built;
  for (const part of ['web', 'web/assets']) await compressAssets(join(folder, part));
  assertFirstLoad(join(folder, 'web'));
  return built;
}

function assertFirstLoad(folder) {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const scripts = page.match(/\/assets\/[^"]+\.js(?=")/g) ?? [];
  const bytes = scripts.reduce((sum, script) => sum + statSync(join(folder, sentFile(folder, script))).size, 0);
  if (scripts.length === 0 || bytes > FIRST_LOAD_BYTES)
    throw new Error(`the main page's ${scripts.length} scripts have ${bytes} bytes; the limit is ${FIRST_LOAD_BYTES}`);
}

/** The file the api sends for a script: a small script has no compressed copy. */
const sentFile = (folder, script) => (existsSync(join(folder, `${script}.gz`)) ? `${script}.gz` : script);

/** Digest of the names and contents of all files below the given paths. */
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
