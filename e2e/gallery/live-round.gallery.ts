import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { anyFreePort } from '../../embedded/postgres/free-port.js';
import { login, stageOf } from '../people.js';
import { type StartedApplication, startApplication } from '../started-application.js';
import { type Company, gather } from './cast.js';

const password = 'a long pass phrase';
const WIDTHS = [360, 768, 1280];

let dataDir: string;
let application: StartedApplication;
let company: Company;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  dataDir = await mkdtemp(join(tmpdir(), 'omni-gallery-'));
  application = await startApplication(dataDir, await anyFreePort());
  company = await gather(application, password);
});

test.afterAll(async () => {
  await application?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('a live round, and after it', async ({ browser }) => {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await page.goto(application.url);
  await login(page, { gamerTag: 'ada_west', password });
  await company.asAdmin('timers', {
    pregameDurationSeconds: 1,
    liveDurationSeconds: 14,
    downtimeDurationSeconds: 14_400,
    tokenExtensionSeconds: 30,
  });
  await company.asAdmin('game/start', {});
  await expect(stageOf(page).getByText('LIVE GAME NOW ACTIVE')).toBeVisible();
  for (const [gamerTag, tokens] of [
    ['Kestrel', 2],
    ['ada_west', 1],
    ['nova_kid', 2],
  ] as const) {
    await company.buy(gamerTag, tokens);
  }
  await expect(stageOf(page).locator('.lastbuyer')).toContainText('nova_kid');
  await page.locator('.extend').waitFor({ state: 'hidden' });
  await shoot(page, 'live-round');
});

/** The whole page at each width; the README shows the first screen of the widest. */
async function shoot(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 768 ? 780 : 900 });
    await page.screenshot({ path: `docs/images/${name}-${width}.png`, fullPage: true });
  }
  await page.screenshot({ path: `docs/images/${name}.png` });
}
