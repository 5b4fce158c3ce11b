import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runJest } from './jest.mjs';
import { root, runTool } from './processes.mjs';

const CACHE = 'node_modules/.cache';
const ROOMS = ['contracts', 'domain', 'event-log', 'api', 'projections', 'web', 'audit', 'embedded', 'bench', 'e2e'];

const tsc = (project, name) =>
  runTool(
    'typescript/bin/tsc',
    ['--noEmit', '--incremental', '--tsBuildInfoFile', `${CACHE}/${name}.tsbuildinfo`, '-p', project],
    { quiet: true },
  );

const staticChecks = {
  'types of the servers': () => tsc('tsconfig.json', 'servers'),
  'types of the client': () => tsc('web/tsconfig.json', 'client'),
  'types of the browser tests': () => tsc('e2e/tsconfig.json', 'browser-tests'),
  'lint and format': () =>
    runTool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '--no-errors-on-unmatched'], { quiet: true }),
  'room boundaries': () =>
    runTool(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      ['--config', '.dependency-cruiser.cjs', ...ROOMS.filter((room) => existsSync(join(root, room)))],
      { quiet: true },
    ),
};

/**
 * Types, lint and room boundaries, at once; each counts as one.
 *
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
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

/** What `npm run check` does: everything that needs neither a database nor a browser. */
export async function check() {
  return Promise.all([runStaticChecks(), runJest('pure')]);
}
