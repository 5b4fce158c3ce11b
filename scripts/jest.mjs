import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './processes.mjs';

/**
 * Runs one of the projects of jest.config.mjs.
 *
 * @param {'pure' | 'int'} project
 * @param {string[]} [args] further arguments for jest
 * @param {number} [workers] how many files run at the same time
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function runJest(project, args = [], workers = 2) {
  const folder = mkdtempSync(join(tmpdir(), 'omni-jest-'));
  const report = join(folder, 'report.json');
  try {
    const { ok } = await runTool('jest/bin/jest.js', [
      `--selectProjects=${project}`,
      `--maxWorkers=${workers}`,
      '--passWithNoTests',
      '--json',
      `--outputFile=${report}`,
      ...args,
    ]);
    return counted(report, ok);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function counted(report, ok) {
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }; // It ended before it could report.
  }
  // A file that does not even load has no tests to fail.
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  return {
    passed: result.numPassedTests,
    failed: ok ? failed : Math.max(1, failed),
    skipped: result.numPendingTests + result.numTodoTests,
  };
}
