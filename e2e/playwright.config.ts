import { defineConfig } from '@playwright/test';
import { browserForTests } from './browser.js';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: 'artefacts/failures',
  // Each test file starts its own application, of several processes.
  workers: 2,
  forbidOnly: true,
  timeout: 60_000,
  // Generous, because two tests share a small machine.
  expect: { timeout: 10_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    launchOptions: await browserForTests(),
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
});
