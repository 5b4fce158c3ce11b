import { test } from '@playwright/test';
import { adminOf } from './admin-panel.js';
import { TestApp } from './test-app.js';

const OUT = process.env.SHOTS ?? '/tmp/shots';

test('shots', async ({ browser }) => {
  test.setTimeout(500_000);
  const app = await TestApp.open('shots');
  const alice = await app.gamer('alice', { isDepositor: true });
  const bob = await app.gamer('bob', { tokens: 10, referralCode: alice.refCode });
  const shoot = async (path: string, name: string, who?: never, ready?: string) => {
    const page = await app.blankPage(browser, who);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path);
      await page.waitForTimeout(2_500);
      await page.screenshot({ path: `${OUT}/${name}-${width}.png`, fullPage: true });
    }
    const heading = await page.locator('h1,h2,h3').allTextContents();
    console.log(name, ready, heading.join(' | '));
    await page.context().close();
  };
  const admin = (await adminOf(app)) as never;
  const gamer = bob as never;
  await shoot('/', 'visitor-idle');
  await shoot('/', 'gamer-idle', gamer);
  await app.setTimers({ pregame: 1, live: 600, downtime: 3_600, extension: 30 });
  await app.asAdmin('game/start');
  await app.until(({ gameState, isActive }) => gameState === 'live' && isActive);
  await bob.buy(app.url, 3);
  await shoot('/', 'visitor-running');
  await shoot('/', 'gamer-running', gamer);
  await shoot('/', 'admin', admin);
  await shoot('/audit', 'audit', admin);
  for (const path of ['/protection', '/account', '/statement', '/staff', '/rounds/1', '/verify', '/record', '/gamers-guide', '/nowhere', '/payment-success'])
    await shoot(path, `gamer${path.replaceAll('/', '-')}`, gamer);
  for (const path of ['/protection', '/account', '/statement', '/staff', '/audit', '/confirm-email?token=x', '/reset-password?token=x'])
    await shoot(path, `visitor${path.replace(/[/?=]/g, '-')}`);
  await app.close();
});
