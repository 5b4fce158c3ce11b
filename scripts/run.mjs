/**
 * Runs every command of the project, also in a fresh clone: `node scripts/run.mjs <command>`, or `npm run <command>`.
 * It has no dependencies, because it installs them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ONLY_IN_CAMPAIGNS } from '../jest.config.mjs';
import { ensureInstalled } from './install.mjs';
import { PACKAGES } from './packages.mjs';
import { endTogether, onParentEnd, root, run } from './processes.mjs';

const commands = {
  /** The services start while the client is still being built. The API's document is the last to be ready, because no page needs it. */
  async start() {
    const serverIsBuilt = prepare(['server']);
    const clientIsBuilt = prepare(['web']);
    // The launcher tells of a failure, once it waits for the client.
    clientIsBuilt.catch(() => undefined);
    await serverIsBuilt;
    const { start } = await import(pathToFileURL(join(root, 'dist/embedded/launcher/start.js')).href);
    await start(clientIsBuilt);
    if (!process.exitCode) await prepare(['schemas']);
  },

  /** `build server` and `build web` build one part. */
  async build(parts) {
    await prepare(parts.includes('server') ? [...parts, 'schemas'] : parts);
  },

  async check() {
    const { check } = await import('./check.mjs');
    finish(await check());
  },

  /**
   * All checks, and the tests but those of campaigns. The ones that need no build run while the application is built, and the
   * long ones of them beside the first tests that need it. A failure does not stop the rest.
   */
  async test() {
    const { check, checkLongSpecs } = await import('./check.mjs');
    const { printSlowest, runBrowserTests, runJest } = await import('./tests.mjs');
    const long = checkLongSpecs();
    // It is awaited below, which tells of a failure.
    long.catch(() => undefined);
    const [isBuilt, checked] = await Promise.all([built(), check()]);
    const results = [...checked];
    if (isBuilt) {
      // Three files for two cores, because several wait for real countdowns most of their time.
      results.push(await runJest('int', [], { workers: 3 }), await long, await runBrowserTests());
    } else {
      results.push(await long, { passed: 0, failed: 1, skipped: 0 });
    }
    printSlowest(results);
    finish(results);
  },

  /**
   * The generated tests and the browser tests with their full counts, one file after another; arguments select files.
   * `--seed N` runs that seed alone.
   */
  async campaigns(args) {
    if (args[0] === 'mutation') {
      const { runMutations } = await import('./mutation.mjs');
      return finish([await runMutations(args.slice(1))]);
    }
    const at = args.indexOf('--seed');
    if (at >= 0) process.env.SEED = args[at + 1];
    const patterns = args.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
    const { printSlowest, runBrowserTests, runJest } = await import('./tests.mjs');
    await prepare();
    process.env.CAMPAIGNS ??= 'full';
    const files = campaignFiles().filter((file) => patterns.every((pattern) => file.includes(pattern)));
    if (files.length === 0) throw new Error(`no campaign's file has ${patterns.join(' and ')} in its name`);
    const results = [];
    for (const project of ['pure', 'int']) {
      const own = files.filter((file) => file.endsWith('.int.spec.ts') === (project === 'int'));
      if (own.length > 0) results.push(await runJest(project, ['--runTestsByPath', ...own], { workers: 1 }));
    }
    if (patterns.length === 0) results.push(await runBrowserTests());
    printSlowest(results);
    finish(results);
  },

  /** Tries the deployment as containers; says so where none can run. */
  async containers() {
    const { tryContainers } = await import('./containers.mjs');
    if (!(await tryContainers())) process.exitCode = 1;
  },

  async bench(args) {
    await prepare();
    // The same flags as those of the api, whose work runs in this process here.
    await runOrFail(process.execPath, [
      '--max-semi-space-size=64',
      '--heap-growing-percent=300',
      'dist/bench/main.js',
      ...args,
    ]);
  },

  /** The auditor's command line, such as `audit verify`. */
  async audit(args) {
    await prepare(['server']);
    await runOrFail(process.execPath, ['dist/audit/main.js', ...args]);
  },

  /** Removes what erased gamers left in the files of the application that runs here, or in the log at EVENT_STORE_URL. */
  async scavenge() {
    await prepare(['server']);
    await runOrFail(process.execPath, ['dist/embedded/launcher/scavenge.js']);
  },

  /** A witness of a site's ledger: it serves logs, and follows the site by itself. */
  async witness(args) {
    await prepare(['server']);
    await runOrFail(process.execPath, ['dist/embedded/witness/command.js', ...args]);
  },

  /** Runs the browser tests, which take the pictures of docs/gallery.md on their way. */
  async gallery(args) {
    await prepare();
    process.env.GALLERY = 'yes';
    const { runBrowserTests } = await import('./tests.mjs');
    finish([await runBrowserTests(args)]);
  },

  /** Runs the conformance suite against the embedded event store, or against a named one: `conformance esdb://…`. */
  async conformance([connection, ...args]) {
    if (connection !== undefined) process.env.EVENT_STORE_CONNECTION = connection;
    const { runJest } = await import('./tests.mjs');
    // A named server runs one file after another: the tests of $all need a server to which no other file writes.
    finish([await runJest('int', ['conformance', ...args], { workers: connection === undefined ? 2 : 1 })]);
  },
};

/** The commands that need no packages for tests. */
const WITHOUT_TESTS = ['start', 'build', 'audit', 'witness', 'scavenge'];

const NOTHING = /^(?!)/;
const NAMES = /^[^-]/;

/** Each command's arguments and purpose, for `--help`, and the pattern of accepted arguments. `audit` has a help of its own. */
const HELP = {
  start: ['', 'starts the application on this machine; docs/operations.md has its settings', NOTHING],
  build: ['[server] [web]', 'builds what changed', NAMES],
  check: ['', 'checks types, lint, words, weight and package boundaries', NOTHING],
  test: ['', 'runs all checks, and the tests but those of campaigns', NOTHING],
  campaigns: [
    '[PART OF A FILE’S NAME …] [--seed N] | mutation [domain|audit|event-log|ledger|FILE …] [--sample=N]',
    'runs the generated tests with their full counts, or one seed, or the mutation tests',
    /^([^-]|--seed$|--sample=\d+$)/,
  ],
  containers: [
    '',
    'builds the image, starts the compose file with data of its own, plays a round and takes all down',
    NOTHING,
  ],
  bench: [
    '[--quick] [--events=N] [--minutes=N] [commands|http|sockets|crowd|two-nodes|replay|soak …]',
    'measures; without a name everything but the soak',
    /^(--quick|--(events|minutes)=\d+|commands|http|sockets|crowd|two-nodes|replay|soak)$/,
  ],
  witness: [
    '--log ADDRESS --key KEY [--state FILE] [--host ADDRESS] [--port N]',
    'cosigns the heads of a site’s ledger, and ends with an alarm when two of them contradict each other',
    /^(--(log|key|state|host|port)(=.*)?|[^-].*)$/,
  ],
  scavenge: ['', 'removes what erased gamers left in the files', NOTHING],
  gallery: ['[PART OF A FILE’S NAME …]', 'takes the pictures of docs/gallery.md', NAMES],
  conformance: [
    '[esdb://… [PART OF A FILE’S NAME …]]',
    'runs the conformance suite, on the embedded event store by default',
    NAMES,
  ],
};

/** Prints the help, or refuses arguments that the command does not know; false when it is to run. */
function isAnswered(name, args) {
  if (!Object.hasOwn(HELP, name)) return false;
  const [takes, does, known] = HELP[name];
  const unknown = args.filter((arg) => !known.test(arg));
  if (args.includes('--help') || args.includes('-h')) console.log(`npm run ${name}${takes && ` -- ${takes}`}: ${does}`);
  else if (unknown.length === 0) return false;
  else {
    console.error(`${name} does not know ${unknown.join(' ')}; see npm run ${name} -- --help`);
    process.exitCode = 2;
  }
  return true;
}

/** The specs that only campaigns run, and those that choose their number of cases or their length by CAMPAIGNS. */
function campaignFiles() {
  const filesOf = (name) => readdirSync(join(root, name), { recursive: true }).map((file) => join(name, file));
  const isCampaign = (file) => /caseCount\(|env\.CAMPAIGNS/.test(readFileSync(join(root, file), 'utf8'));
  const specs = PACKAGES.flatMap(filesOf).filter((file) => file.endsWith('.spec.ts'));
  return [...new Set([...ONLY_IN_CAMPAIGNS, ...specs.filter(isCampaign)])].sort();
}

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

/** Prints the closing line, which stays last and alone on its line so that a script can read it. */
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
// The launcher stops its processes itself, in their order.
if (name !== 'start') endTogether();
else if (process.env.npm_lifecycle_event !== undefined) onParentEnd(() => process.kill(process.pid, 'SIGTERM'));
try {
  if (!isAnswered(name, args)) {
    assertNodeVersion();
    await ensureInstalled(!WITHOUT_TESTS.includes(name));
    await command(args);
  }
} catch (error) {
  console.error(`${name}: ${error.message}`);
  process.exitCode = 1;
}
