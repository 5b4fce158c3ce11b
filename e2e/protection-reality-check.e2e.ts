import { expect, type Page } from '@playwright/test';
import { Client } from 'pg';
import { checkPage } from './check-page.js';
import { buyDialog, openBuyDialog } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { CAMPAIGN, sharedApp, test } from './test-app.js';

/* The session of a login: its time and net position, and the reality check. */

const app = sharedApp();

/** Moves the gamer's login and last answer this many minutes back. */
async function letPass(minutes: number, { id }: HttpGamer): Promise<void> {
  const database = new Client({ connectionString: app.application.databaseUrl });
  await database.connect();
  const earlier = `interval '${minutes} minutes'`;
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

test('comes after half an hour over an open dialog, until it is answered, and again', CAMPAIGN, async ({ browser }) => {
  const gamer = await app.gamer('rita_real', { tokens: 20 });
  await app.startShortRound(3_600);
  await gamer.buy(app.url, 3);
  await letPass(29, gamer);
  const page = await app.blankPage(browser, gamer);
  await page.goto('/');
  await openBuyDialog(page);
  const quantity = buyDialog(page).getByLabel('How many tokens');
  await quantity.fill('7');
  // The page asks for its session again after a purchase.
  await letPass(2, gamer);
  await gamer.buy(app.url, 1);
  await expect(check(page)).toContainText(/You have been logged in for 3\d minutes/);
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
  await expect(quantity).toHaveValue('7');
  await expect(quantity).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(sessionLine(page)).toHaveText(/^Session 3\d minutesNet −\$1\.20$/);

  await letPass(31, gamer);
  await page.reload();
  await expect(check(page)).toContainText('1 hour');
  await check(page).getByRole('button', { name: 'Take a break' }).click();
  await expect(page).toHaveURL(/\/protection#take-a-break$/);
  await expect(page.getByRole('heading', { name: 'Take a break' })).toBeInViewport();
  await expect(sessionLine(page)).toContainText('Net −$1.20');
  await expect(check(page)).toBeHidden();
  await page.getByLabel('Show it every').selectOption('5 minutes');
  await expect(page.locator('.toast')).toContainText('Your reality check now comes every 5 minutes');
});
