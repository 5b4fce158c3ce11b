import { defineConfig } from '@playwright/test';
import { browserForTests } from './browser.js';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  // Beside the pictures of look-at.ts, which a run leaves where they are.
  outputDir: 'artefacts/failures',
  // A file of walks has an application of its own, of a handful of processes.
  workers: 2,
  forbidOnly: true,
  timeout: 60_000,
  // Two walks at a time on a small machine.
  expect: { timeout: 10_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    launchOptions: await browserForTests(),
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
});
