import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findBannedWords } from './check-words.mjs';
import { findUnlistedFeatures } from './features.mjs';
import { PACKAGES } from './packages.mjs';
import { root, runTool } from './processes.mjs';
import { runJest } from './tests.mjs';
import { findExcess } from './weight.mjs';

const CACHE = 'node_modules/.cache';

/**
 * TypeScript 7 checks types in a fifth of version 6's processor time. Version 6 stays for the tools that call its
 * JavaScript API, which version 7 does not have: scripts/response-schemas.mjs, `nest build` and dependency-cruiser.
 * One checker, because each of its usual four works out the shared types again, and the other checks keep the cores busy.
 * Without its garbage collector it takes a quarter less, and 600 MB at most.
 */
function typesOf(project, name) {
  const incremental = ['--incremental', '--tsBuildInfoFile', `${CACHE}/${name}.tsbuildinfo`];
  const options = { quiet: true, env: { GOGC: 'off' } };
  return runTool('typescript-7/bin/tsc', ['--noEmit', '--checkers', '1', ...incremental, '-p', project], options);
}

/** For processes of seconds beside others: threads of their own for garbage would cost more than they save. */
const SHORT_LIVED = ['--single-threaded-gc'];

const PLANTED = 'api/test/simulator/planted';

/** The planted faults that no longer fit the code: git's message for each. */
const findStalePatches = () =>
  readdirSync(join(root, PLANTED))
    .filter((file) => file.endsWith('.patch'))
    .map((file) => spawnSync('git', ['apply', '--check', join(PLANTED, file)], { cwd: root, encoding: 'utf8' }))
    .flatMap(({ status, stderr }) => (status === 0 ? [] : [stderr.trim()]));

const listed = (findings) => ({ ok: findings.length === 0, output: findings.join('\n') });

const staticChecks = {
  'types of the servers': () => typesOf('tsconfig.json', 'servers'),
  'types of the client': () => typesOf('web/tsconfig.json', 'client'),
  'types of the browser tests': () => typesOf('e2e/tsconfig.json', 'browser-tests'),
  'lint and format': () =>
    runTool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '--no-errors-on-unmatched'], { quiet: true }),
  words: async () => {
    const findings = findBannedWords();
    const lines = findings.map(({ file, line, found, say }) => `${file}:${line}: "${found}" → ${say}`);
    return { ok: findings.length === 0, output: lines.join('\n') };
  },
  features: async () => listed(findUnlistedFeatures()),
  weight: async () => listed(findExcess()),
  'planted faults': async () => listed(findStalePatches()),
  'package boundaries': () =>
    runTool(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      [
        '--config=.dependency-cruiser.cjs',
        `--cache=${CACHE}/dependency-cruiser`,
        '--cache-strategy=content',
        ...PACKAGES,
      ],
      { quiet: true, flags: SHORT_LIVED },
    ),
};

/**
 * Runs types, lint, words and package boundaries at the same time; each counts as one test.
 *
 * @returns {Promise<import('./tests.mjs').Result>}
 */
export async function runStaticChecks() {
  mkdirSync(join(root, CACHE), { recursive: true });
  const outcomes = await Promise.all(
    Object.entries(staticChecks).map(async ([name, check]) => {
      const startedAt = performance.now();
      const { ok, output } = await check();
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`${ok ? '✓' : '✗'} ${name} (${seconds} s)${ok ? '' : `\n${output.trimEnd()}`}`);
      return ok;
    }),
  );
  const passed = outcomes.filter(Boolean).length;
  return { passed, failed: outcomes.length - passed, skipped: 0 };
}

/** Specs without a database that take half a second or more, such as generated histories and a log of 70,000 entries. */
const LONG_NAMES = [
  'simulation',
  'generated-commands',
  'forged-logs',
  'fsck',
  'witness',
  'kubernetes',
  'compose',
  'event-log/event-log',
  'append-calls',
  'fast-client',
  'transparency/tree',
  'proof/receipt',
  'check-proof',
  'receipts/watch',
  'live/outlets',
  'folder-lock',
];
const LONG = `(${LONG_NAMES.join('|')})\\.spec`;

/** Runs the checks that take seconds: those without a database, a browser or a long spec. */
export function check() {
  // Optimising code takes longer than these specs run.
  const flags = [...SHORT_LIVED, '--no-opt', '--max-semi-space-size=32'];
  return Promise.all([runStaticChecks(), runJest('pure', [`--testPathPatterns=^(?!.*${LONG})`], { flags })]);
}

export const checkLongSpecs = () => runJest('pure', [`--testPathPatterns=${LONG}`]);
