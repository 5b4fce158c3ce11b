import { defineConfig } from '@playwright/test';
import { browserForTests } from '../browser.js';

/** `npm run gallery`: the pictures in docs/images, taken of the running application. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: '../artefacts/gallery',
  workers: 1,
  timeout: 180_000,
  reporter: [['list']],
  use: { launchOptions: await browserForTests(), colorScheme: 'dark' },
});
