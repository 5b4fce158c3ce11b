import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root, runTool } from './processes.mjs';

/**
 * @typedef {object} Result
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {{ name: string, seconds: number }[]} [files] how long each test file took
 */

/** @type {Result} the result of a run that ended before it could report */
const NO_REPORT = { passed: 0, failed: 1, skipped: 0 };

/** Five times what the tests of one run use at a time: the browser tests 383 MB, the others 116. */
const ENOUGH_BYTES = 2 ** 31;

/**
 * Runs one of the projects of jest.config.mjs. Files of `int` with failures run once more, alone, and that result counts:
 * their tests measure times of real processes, and may fail on a busy machine.
 *
 * @param {'pure' | 'int'} project
 * @param {string[]} [args] further arguments for jest
 * @param {{ workers?: number, flags?: string[], env?: Record<string, string> }} [options] workers: how many files run at the
 *   same time; flags: of Node, for each worker
 * @returns {Promise<Result>}
 */
export async function runJest(project, args = [], { workers = 2, flags = [], env = {} } = {}) {
  const { failures = [], ...first } = await runJestOnce(project, args, { workers, flags, env });
  // Full campaigns choose their cases at random: a second run would not try the cases that failed.
  const mayTryAgain = project === 'int' && (env.CAMPAIGNS ?? process.env.CAMPAIGNS) !== 'full';
  if (!mayTryAgain || failures.length === 0) return first;

  const failedFiles = failures.map(({ file }) => file);
  console.log(`\nTrying again, alone: ${failedFiles.join(', ')}`);
  const again = await runJestOnce(project, ['--runTestsByPath', ...failedFiles], { workers: 1, flags, env });
  const isFine = ({ file }) => again.failures?.every((failure) => failure.file !== file);
  for (const { file, tests } of failures.filter(isFine)) {
    for (const name of tests.length > 0 ? tests : [file]) console.log(`passed only when tried again: ${name}`);
  }
  const passedBefore = failures.reduce((sum, { passed }) => sum + passed, 0);
  const skippedBefore = failures.reduce((sum, { skipped }) => sum + skipped, 0);
  return {
    passed: first.passed - passedBefore + again.passed,
    failed: again.failed,
    skipped: first.skipped - skippedBefore + again.skipped,
    files: first.files,
  };
}

/** Like `runJest`, without a second try. The result also has the files with failures. */
function runJestOnce(project, args, { workers, flags, env }) {
  return withReport(async (report, folder) => {
    const options = [`--selectProjects=${project}`, `--maxWorkers=${workers}`, '--passWithNoTests'];
    const { ok } = await runTool('jest/bin/jest.js', [...options, '--json', `--outputFile=${report}`, ...args], {
      flags,
      env: { TMPDIR: folder, ...env },
    });
    return (result) => {
      // A file that cannot be loaded counts as one failure.
      const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
      const files = result.testResults.map(fileResult);
      return {
        passed: result.numPassedTests,
        failed: ok ? failed : Math.max(1, failed),
        skipped: result.numPendingTests + result.numTodoTests,
        files: files.map(({ file, seconds }) => ({ name: file, seconds })),
        failures: files.filter(({ hasFailed }) => hasFailed),
      };
    };
  });
}

/** One file of jest's report. `tests` are its failed tests by name; none when the file could not be loaded. */
function fileResult({ name, startTime, endTime, status, assertionResults }) {
  const file = relative(root, name);
  const count = (...statuses) => assertionResults.filter((test) => statuses.includes(test.status)).length;
  return {
    file,
    seconds: (endTime - startTime) / 1000,
    hasFailed: status === 'failed',
    tests: assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => `${file}: ${fullName}`),
    passed: count('passed'),
    skipped: count('pending', 'todo'),
  };
}

/**
 * Runs the browser tests against the built application.
 *
 * @param {string[]} [args] further arguments for Playwright
 * @returns {Promise<Result>}
 */
export function runBrowserTests(args = []) {
  return withReport(async (report, folder) => {
    const { ok } = await runTool('@playwright/test/cli.js', ['test', '--config=e2e/playwright.config.ts', ...args], {
      env: { TMPDIR: folder, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    });
    return ({ stats, suites }) => {
      for (const name of suites.flatMap(flakyTestsOf)) console.log(`passed only when tried again: ${name}`);
      return {
        passed: stats.expected + stats.flaky,
        failed: ok ? stats.unexpected : Math.max(1, stats.unexpected),
        skipped: stats.skipped,
        files: suites.map((suite) => ({ name: `e2e/${suite.file}`, seconds: secondsOf(suite) })),
      };
    };
  });
}

/** Prints the test files that took longest. */
export function printSlowest(results, count = 10) {
  const files = results.flatMap(({ files = [] }) => files).sort((a, b) => b.seconds - a.seconds);
  console.log(`\nThe ${count} slowest of ${files.length} test files:`);
  for (const { name, seconds } of files.slice(0, count)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}

/** Calls `start` with the path of a report to write and a folder for temporary files, and returns the report's content. */
async function withReport(start) {
  const folder = mkdtempSync(join(temporaryFolder(), 'omni-tests-'));
  chmodSync(folder, 0o711); // Postgres runs under another account, when root starts it.
  try {
    const summarize = await start(join(folder, 'report.json'), folder);
    return summarize(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')));
  } catch (error) {
    if (error.code !== 'ENOENT' && !(error instanceof SyntaxError)) throw error;
    return NO_REPORT;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A folder in memory, where there is one with room from which programs may run. On a disk with ext4 a tenth of all processor
 * time goes into files that are created seconds after others were removed, as Postgres does for each test's database.
 */
function temporaryFolder() {
  // Campaigns keep whole deployments and logs, which need a disk.
  if (process.platform !== 'linux' || process.env.CAMPAIGNS !== undefined) return tmpdir();
  // The last mount hides those before it.
  const mount = [...readFileSync('/proc/mounts', 'utf8').matchAll(/ \/dev\/shm tmpfs (\S+)/g)].at(-1);
  if (mount === undefined || mount[1].split(',').includes('noexec')) return tmpdir();
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize > ENOUGH_BYTES ? '/dev/shm' : tmpdir();
}

function secondsOf({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }) => duration / 1000)),
  );
  return [...own, ...suites.map(secondsOf)].reduce((sum, seconds) => sum + seconds, 0);
}

/** Names of the browser tests that failed once and then passed. */
function flakyTestsOf({ file, specs = [], suites = [] }) {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky'));
  return [...own.map(({ title }) => `e2e/${file}: ${title}`), ...suites.flatMap(flakyTestsOf)];
}
