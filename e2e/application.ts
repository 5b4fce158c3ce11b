import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { type Application, launch } from '../embedded/launcher/launch.js';

/**
 * A test that has the whole application to itself and the other tests of its worker: the built parts, on free ports,
 * on an empty data folder. `page.goto('/')` opens it.
 */
export const test = base.extend<object, { application: Application }>({
  application: [
    async ({ browserName: _ }, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'omni-e2e-'));
      const application = await launch({
        dataDir,
        port: { number: 0, exact: true },
        env: { RATE_LIMITS: 'off' },
        say: (line) => console.error(line),
      });
      await use(application);
      await application.stop();
      for (const folder of application.dataFolders) await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ application }, use) => use(application.url),
});

export { expect } from '@playwright/test';
