import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './processes.mjs';

/**
 * Runs the browser tests against the built application.
 *
 * @param {string[]} [args] further arguments for Playwright
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function runBrowserTests(args = []) {
  const folder = mkdtempSync(join(tmpdir(), 'omni-playwright-'));
  const report = join(folder, 'report.json');
  try {
    const { ok } = await runTool('@playwright/test/cli.js', ['test', '--config=e2e/playwright.config.ts', ...args], {
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    });
    return counted(report, ok);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<boolean>} whether every picture was taken */
export async function runGallery(args = []) {
  const { ok } = await runTool('@playwright/test/cli.js', [
    'test',
    '--config=e2e/gallery/playwright.config.ts',
    ...args,
  ]);
  return ok;
}

function counted(report, ok) {
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }; // It ended before it could report.
  }
  const { expected, unexpected, flaky, skipped } = result.stats;
  const failed = unexpected + flaky;
  return { passed: expected, failed: ok ? failed : Math.max(1, failed), skipped };
}
