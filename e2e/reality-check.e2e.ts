import { expect, type Page } from '@playwright/test';
import { Client } from 'pg';
import { formatCents, formatSignedCents } from '../contracts/money.js';
import { checkPage } from './check-page.js';
import { buyDialog, openBuyDialog, stageOf } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { sharedApp, test } from './test-app.js';

/* The session of a login: its time and net position, and the reality check. */

const app = sharedApp();

test.beforeEach(() => app.resetGame());

/** Moves the gamer's login and last answer this much back: by default half an hour and a minute. */
async function letHalfAnHourPass({ id }: HttpGamer, time = '31 minutes'): Promise<void> {
  const database = new Client({ connectionString: app.application.databaseUrl });
  await database.connect();
  const earlier = `interval '${time}'`;
  await database.query(
    `UPDATE auth.reality_checks SET answered_at = answered_at - ${earlier}
     WHERE sid IN (SELECT sid FROM auth.sessions WHERE sess->>'gamerId' = $1)`,
    [id],
  );
  await database.query(`UPDATE auth.sessions SET begun_at = begun_at - ${earlier} WHERE sess->>'gamerId' = $1`, [id]);
  await database.end();
}

const sessionLine = (page: Page) => page.getByRole('complementary', { name: 'This session' });
const check = (page: Page) => page.getByRole('alertdialog', { name: /^You have been logged in for/ });

test('asks after half an hour, until it is answered, and again after another; the header shows time and net position', async ({
  browser,
}) => {
  const gamer = await app.gamer('rita_real', { tokens: 20 });
  await app.asAdmin('game/start-live');
  await gamer.buy(app.url, 4);
  await letHalfAnHourPass(gamer);
  const page = await app.page(browser, gamer);
  await expect(check(page)).toContainText('You have been logged in for 31 minutes');
  for (const figure of ['Spent on tokens$1.20', 'Jackpots won$0.00', 'Net−$1.20'])
    await expect(check(page)).toContainText(figure);
  await expect(check(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(check(page)).toBeVisible();
  await checkPage(page, 'reality-check');
  await page.route('**/api/play-session/answer', (route) => route.abort());
  await check(page).getByRole('button', { name: 'Go on' }).click();
  await expect(check(page).getByRole('alert')).toContainText('Your answer did not arrive');
  await page.unroute('**/api/play-session/answer');
  await check(page).getByRole('button', { name: 'Go on' }).click();
  await expect(check(page)).toBeHidden();
  await page.reload();
  await expect(sessionLine(page)).toHaveText('Session 31 minutesNet −$1.20');
  await expect(check(page)).toBeHidden();
  await gamer.buy(app.url, 2);
  await expect(sessionLine(page)).toContainText('Net −$1.80');

  await letHalfAnHourPass(gamer);
  await page.reload();
  await expect(check(page)).toContainText('1 hour 2 minutes');
  await check(page).getByRole('button', { name: 'Take a break' }).click();
  await expect(page).toHaveURL(/\/protection#take-a-break$/);
  await expect(page.getByRole('heading', { name: 'Take a break' })).toBeInViewport();
  await expect(sessionLine(page)).toContainText('Net −$1.80');
  await expect(check(page)).toBeHidden();

  await page.getByLabel('Show it every').selectOption('5 minutes');
  await expect(page.locator('.toast')).toContainText('Your reality check now comes every 5 minutes');
  await letHalfAnHourPass(gamer);
  await page.reload();
  await expect(check(page)).toBeVisible();
});

test('comes over an open dialog, which goes on after the answer', async ({ browser }) => {
  const gamer = await app.gamer('olga_open', { tokens: 20 });
  await app.asAdmin('game/start-live');
  await letHalfAnHourPass(gamer, '29 minutes');
  const page = await app.blankPage(browser, gamer);
  await page.clock.install();
  await page.goto('/');
  await openBuyDialog(page);
  const dialog = buyDialog(page);
  await dialog.getByLabel('How many tokens').fill('7');
  await page.clock.fastForward('01:00');
  await expect(check(page)).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(check(page)).toContainText('Spent on tokens$0.00');
  await check(page).getByRole('button', { name: 'Go on' }).click();
  await expect(check(page)).toBeHidden();
  await expect(dialog.getByLabel('How many tokens')).toHaveValue('7');
  await expect(dialog.getByLabel('How many tokens')).toBeFocused();
});

test('waits while its gamer leads the last ten seconds, and then counts the jackpot', async ({ browser }) => {
  const gamer = await app.gamer('lea_leads', { tokens: 20 });
  await letHalfAnHourPass(gamer);
  const page = await app.page(browser, gamer);
  await expect(check(page)).toBeVisible();
  await app.startShortRound(9);
  await gamer.buy(app.url, 1);
  await expect(stageOf(page).getByText('LAST SECONDS')).toBeVisible();
  await expect(check(page)).toBeHidden();
  await expect(stageOf(page).getByText(/You win in [1-9] seconds? if nobody else buys\./)).toBeVisible();
  await expect(check(page)).toBeHidden();
  await expect(check(page)).toBeVisible();
  const { gameState, lastResult } = await app.game();
  expect(gameState).toBe('downtime');
  const wonCents = lastResult?.jackpotCents ?? 0;
  for (const figure of [
    'Spent on tokens$0.30',
    `Jackpots won${formatCents(wonCents)}`,
    `Net${formatSignedCents(wonCents - 30)}`,
  ])
    await expect(check(page)).toContainText(figure);
});
