import { defineConfig } from '@playwright/test';
import { browserForTests } from './browser.js';

/** Files whose application is their own. They begin first, then the others by name: a long one at the end would run alone. */
const WITH_OWN_APPLICATION = /(first-round|outages|staff)\.e2e\.ts$/;

export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'own', testMatch: WITH_OWN_APPLICATION },
    { name: 'shared', testMatch: '**/*.e2e.ts', testIgnore: WITH_OWN_APPLICATION },
  ],
  grepInvert: process.env.CAMPAIGNS === 'full' || process.env.GALLERY === 'yes' ? [] : /@campaign/,
  outputDir: 'artefacts/failures',
  // Each worker starts an application of several processes.
  workers: 2,
  forbidOnly: true,
  // A test that passes only when tried again is named at the end of the run.
  retries: 2,
  // Generous, because two tests share two cores, which may be a third as fast as usual. No test waits for a limit to pass.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    launchOptions: await browserForTests(),
    screenshot: 'only-on-failure',
    // A trace costs a third of the time, so only the second try of a failed test keeps one.
    trace: 'on-first-retry',
  },
});
