import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { formatCents, formatSignedCents } from '../contracts/money.js';
import { rowsOf } from './admin-panel.js';
import { checkPage, keepPicture, setTextSize } from './check-page.js';
import { login } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { CAMPAIGN, DESKTOP, PASSWORD, sharedApp, test } from './test-app.js';

/* A gamer's statement, and a past round: Stella buys 2 and 1 tokens, Tom 1, and Stella wins. */

let stella: HttpGamer;
let roundId: number;
/** The jackpot, with the sum that the rounds before carried over. */
let wonCents: number;

const app = sharedApp(async () => {
  stella = await app.gamer('stella', { tokens: 10, winningsCents: 2_000 });
  const tom = await app.gamer('tom', { tokens: 10 });
  await stella.post(`${app.url}/api/gamer/${stella.id}/transfer-to-purchase`, { amountCents: 500 });
  await app.startShortRound(3);
  await stella.buy(app.url, 2);
  await tom.buy(app.url, 1);
  await stella.buy(app.url, 1);
  await app.until(({ gameState }) => gameState === 'downtime');
  const { lastResult } = await app.game();
  roundId = lastResult?.roundId ?? 0;
  wonCents = lastResult?.jackpotCents ?? 0;
});

const act = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

test('adds up a gamer’s play and payments, lists every movement, and saves them as a file', async ({ browser }) => {
  const page = await app.page(browser, stella);
  await page.goto('/statement');
  const totals = act(page, 'What it adds up to');
  for (const figure of [
    `Jackpots won${formatCents(wonCents)}`,
    'Spent on tokens$0.90',
    `Net position${formatSignedCents(wonCents - 90)}`,
    'Net deposits$0.00',
    'Transferred to your purchase balance$5.00',
    'Adjusted by the operator+$23.00',
    `Winnings at the end${formatCents(1_500 + wonCents)}`,
    'Purchase balance at the end$7.10',
  ])
    await expect(totals).toContainText(figure);
  const rows = rowsOf(act(page, 'Every movement'));
  await expect(rows.locator('.cell-name')).toHaveText([
    `Jackpot of round ${roundId}`,
    new RegExp(`^Tokens bought, round ${roundId}\\d\\.\\d{3} s left, and nobody bought after it$`),
    new RegExp(`^Tokens bought, round ${roundId}\\d\\.\\d{3} s left, overtaken \\d+ ms later by tom$`),
    'Transfer to purchase balance',
    'Transfer from winnings',
    'Adjusted: a welcome gift',
    'Adjusted: a welcome gift',
  ]);
  await expect(rows.locator('.cell-balance').first()).toHaveText(formatCents(1_500 + wonCents));
  await checkPage(page, 'statement');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^statement-the-last-twelve-months-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(8);
  expect(lines.at(-1)).toMatch(new RegExp(`,Jackpot of round ${roundId},Winnings,\\d+\\.\\d\\d,\\d+\\.\\d\\d$`));
});

test('shows a past round again, with the gamer’s own purchases marked', CAMPAIGN, async ({ browser }) => {
  const page = await app.page(browser, stella);
  await page.goto('/statement');
  await page.getByRole('link', { name: `Jackpot of round ${roundId}` }).click();
  await expect(page.getByRole('heading', { name: `Round ${roundId}` })).toBeVisible();
  const outcome = act(page, 'How it ended');
  await expect(outcome).toContainText('stella bought last before zero and took the whole jackpot.');
  await expect(outcome).toContainText(`Jackpot paid${formatCents(wonCents)}`);
  const rows = rowsOf(act(page, 'Purchases'));
  await expect(rows.locator('.cell-name')).toHaveText(['stellaYouWon', 'tom', 'stellaYou']);
  await expect(rows.locator('.cell-note')).toContainText(['1 token, ', '1 token, ', '2 tokens, ']);
  await keepPicture(page, 'round', DESKTOP.width);
  await setTextSize(page, 32);
  await checkPage(page, 'round-large-text');
});

test('shows on any page who leads, a lost lead and a win, and later the win once', CAMPAIGN, async ({ browser }) => {
  const [nora, milo] = [
    await app.gamer('nora_far', { tokens: 10 }),
    await app.gamer('milo'.padEnd(20, 'o'), { tokens: 9 }),
  ];
  await app.resetGame();
  await app.startShortRound(8);
  const page = await app.blankPage(browser, nora, { viewport: { width: 360, height: 780 } });
  await nora.buy(app.url, 1);
  await page.goto('/statement');
  const line = page.getByRole('link', { name: 'Live game' });
  const totals = act(page, 'What it adds up to');
  await expect(line).toContainText(', you lead');
  await milo.buy(app.url, 1);
  await expect(line).toContainText(/, milo{8}… leads$/);
  await nora.buy(app.url, 1);
  const winner = page.locator('.winner');
  await expect(winner).toHaveText(/^WINNER!nora_far\$\d\.\d\dCongratulations on your jackpot win!$/);
  // The tables follow a moment later.
  await app.until(({ gameState }) => gameState === 'downtime');
  const won = (await app.game()).lastResult?.jackpotCents ?? 0;
  const announced = page.getByRole('complementary', { name: 'Your win' });
  await expect(announced).toContainText(`ended: you won ${formatCents(won)}. It went to My Winnings.`);
  await expect(totals).toContainText(`Net position${formatSignedCents(won - 60)}`);

  const laptop = await app.page(browser, nora);
  await laptop.goto('/gamers-guide');
  const announcedLater = laptop.getByRole('complementary', { name: 'Your win' });
  await expect(announcedLater).toContainText(`you won ${formatCents(won)}`);
  await announcedLater.getByRole('button', { name: 'Dismiss' }).click();
  await laptop.reload();
  await expect(laptop.getByRole('button', { name: 'Menu' })).toBeVisible();
  await expect(laptop.getByLabel('This session')).toBeVisible();
  await expect(announcedLater).toHaveCount(0);

  await announced.getByRole('link', { name: 'My Winnings' }).click();
  await expect(act(page, 'My Winnings')).toBeFocused();
  await expect(announced).toHaveCount(0);
});

test('shows rounds to visitors, and asks them to log in for a statement', async ({ browser }) => {
  const page = await app.page(browser);
  await page.goto(`/rounds/${roundId}`);
  await expect(rowsOf(act(page, 'Purchases')).locator('.cell-name')).toHaveText(['stellaWon', 'tom', 'stella']);
  await page.goto('/rounds/none');
  await expect(page.getByText('There is no round with this number.')).toBeVisible();
  await page.goto('/statement?kept=yes');
  await expect(page.getByText('Log in as a gamer to read your statement')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await login(page, { gamerTag: 'stella', password: PASSWORD });
  await expect(page.getByRole('heading', { name: 'My Statement' })).toBeVisible();
  await expect(page).toHaveURL(/\/statement\?kept=yes$/);
});
