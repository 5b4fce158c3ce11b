import { defineConfig } from '@playwright/test';
import { browserForTests } from './browser.js';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  // The gallery's pictures are taken with its own settings (`npm run gallery`).
  testIgnore: 'gallery/**',
  outputDir: 'artefacts/failures',
  // Three workers on two cores: a test waits half of its time for countdowns. Each worker starts several processes.
  workers: 3,
  forbidOnly: true,
  // A test that passes only when tried again is named at the end of the run.
  retries: 2,
  timeout: 90_000,
  // Generous, because three tests share a small machine.
  expect: { timeout: 15_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    launchOptions: await browserForTests(),
    screenshot: 'only-on-failure',
    // A trace costs a third of the time, so only the second try of a failed test keeps one.
    trace: 'on-first-retry',
  },
});
