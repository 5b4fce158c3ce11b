/**
 * Every command of the project, from a bare checkout on: `node scripts/run.mjs <command>`, or `npm run <command>`.
 * It has no dependencies, because it is what installs them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { endTogether, root, run } from './processes.mjs';

const commands = {
  async start() {
    await prepare();
    await import(pathToFileURL(join(root, 'dist/embedded/launcher/main.js')).href);
  },

  /** `build server` and `build web` build one part. */
  async build(parts) {
    await prepare(parts);
  },

  async check() {
    const { check } = await import('./check.mjs');
    finish(await check());
  },

  /** Everything, in the order in which a mistake is cheapest to find. A failure does not keep the rest from running. */
  async test() {
    const { runStaticChecks } = await import('./check.mjs');
    const { runJest } = await import('./jest.mjs');
    const { runBrowserTests } = await import('./browser-tests.mjs');
    const results = [await runStaticChecks(), await runJest('pure')];
    if (await built()) {
      results.push(await runJest('int'), await runBrowserTests());
    } else {
      results.push({ passed: 0, failed: 1, skipped: 0 });
    }
    finish(results);
  },

  async bench(args) {
    await prepare();
    // As the launcher starts the api, whose part of the work runs in this process.
    await runOrFail(process.execPath, [
      '--max-semi-space-size=64',
      '--heap-growing-percent=300',
      'dist/bench/main.js',
      ...args,
    ]);
  },

  /** The auditor's command line: `audit verify`, say. */
  async audit(args) {
    await prepare(['server']);
    await runOrFail(process.execPath, ['dist/audit/main.js', ...args]);
  },

  /** Takes the pictures in docs/images of the running application. */
  async gallery(args) {
    await prepare();
    const { runGallery } = await import('./browser-tests.mjs');
    if (!(await runGallery(args))) process.exitCode = 1;
  },

  /** The same suite against the embedded event store, or against the one named: `conformance esdb://…`. */
  async conformance([connection, ...args]) {
    if (connection !== undefined) process.env.EVENT_STORE_CONNECTION = connection;
    const { runJest } = await import('./jest.mjs');
    // One file after another: what is promised of $all is tried on a server that nobody else writes to.
    finish([await runJest('int', ['conformance', ...args], connection === undefined ? 2 : 1)]);
  },
};

async function prepare(parts) {
  const { ensureBuilt } = await import('./build.mjs');
  await ensureBuilt(parts);
}

async function built() {
  try {
    await prepare();
    return true;
  } catch (error) {
    console.error(error.message);
    return false;
  }
}

async function runOrFail(command, args) {
  const { ok } = await run(command, args);
  if (!ok) process.exitCode = 1;
}

/** The closing line, alone on its line and last, so that a person and a machine can both read it. */
function finish(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  if (sum('failed') > 0 || sum('passed') === 0) process.exitCode = 1;
  process.stdout.write(
    `\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
  );
}

function assertNodeVersion() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const needed = engines.node.match(/\d+/g).map(Number);
  const present = process.versions.node.split('.').map(Number);
  const older = present[0] < needed[0] || (present[0] === needed[0] && present[1] < (needed[1] ?? 0));
  if (older) throw new Error(`this needs Node ${engines.node}; this is ${process.version}`);
}

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined) {
  console.error(`usage: node scripts/run.mjs ${Object.keys(commands).join(' | ')}`);
  process.exit(2);
}
// The application ends its parts by itself, in their order.
if (name !== 'start') endTogether();
try {
  assertNodeVersion();
  await ensureInstalled();
  await command(args);
} catch (error) {
  console.error(`${name}: ${error.message}`);
  process.exitCode = 1;
}
