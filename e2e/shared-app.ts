import { test as base } from '@playwright/test';
import { TestApp } from './test-app.js';

/**
 * Tests with an application that the files of one worker share, because its start takes seconds. Each file has its own
 * gamers, asserts on their rows only, and begins with the game idle.
 */
export const test = base.extend<object, { sharedApp: TestApp }>({
  sharedApp: [
    async ({ browserName: _unused }, use) => {
      const app = await TestApp.open('shared');
      await use(app);
      await app.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});
