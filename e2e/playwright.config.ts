import { defineConfig } from '@playwright/test';
import { browserForTests } from './browser.js';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  // Beside the pictures of look-at.ts, which a run leaves where they are.
  outputDir: 'artefacts/failures',
  // The application under test is a handful of processes of its own.
  workers: 1,
  forbidOnly: true,
  timeout: 60_000,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    launchOptions: await browserForTests(),
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
});
