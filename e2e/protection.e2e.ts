import { expect, type Page } from '@playwright/test';
import { checkPage } from './check-page.js';
import { stageOf } from './game-page.js';
import { type TestApp, test } from './test-app.js';

/* How a gamer stays in control: time-outs and self-exclusion. */

let app: TestApp;

test.beforeAll(async ({ sharedApp }) => {
  app = sharedApp;
  await app.resetGame();
  await app.asAdmin('game/start-live');
});

test.afterAll(() => app.asAdmin('game/reset', { reason: 'the walk is over' }));
test.afterEach(() => app.closePages());

const openLimits = async (page: Page): Promise<void> => {
  await page.goto(`${app.url}/protection`);
  await expect(page.getByRole('heading', { name: 'My Limits' })).toBeVisible();
};

test('takes a time-out: the game stays in view, and nothing can be bought', async ({ browser }) => {
  const gamer = await app.gamer('tim_out', { tokens: 40, winningsCents: 500, isDepositor: true });
  const page = await app.page(browser, gamer);
  await openLimits(page);
  await checkPage(page, 'protection');
  await page.getByLabel('For').first().selectOption('a week');
  await page.getByRole('button', { name: 'Take a time-out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take a time-out for a week' });
  await checkPage(page, 'protection-confirm');
  await dialog.getByRole('button', { name: 'Take a time-out' }).click();
  await expect(page.locator('.toast')).toContainText('You are in a time-out until');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Move it to my winnings' }).click();
  await expect(page.locator('.toast').last()).toContainText('$12.00 can be withdrawn with your winnings now');
  await checkPage(page, 'protection-in-force');

  await page.getByRole('link', { name: 'Return to Game' }).click();
  await expect(stageOf(page).getByText(/You are in a time-out until .* in New York\./)).toBeVisible();
  await expect(stageOf(page).getByRole('button', { name: 'Buy Tokens from Balance' })).toHaveCount(0);
  await expect(page.getByText('Make a deposit')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Withdraw Winnings' })).toBeEnabled();
  await checkPage(page, 'main-in-time-out');
});

test('excludes a gamer for six months, who cannot lift that before its end', async ({ browser }) => {
  const page = await app.page(browser, await app.gamer('sally_out', {}));
  await openLimits(page);
  await page.getByRole('button', { name: 'Exclude myself' }).click();
  const dialog = page.getByRole('dialog', { name: 'Exclude myself for six months' });
  await dialog.getByRole('button', { name: 'Exclude myself' }).click();
  await expect(page.getByText(/You are self-excluded until/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Lift my self-exclusion' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Take a time-out' })).toHaveCount(0);
});

test('tells visitors what there is, and asks them to log in', async ({ browser }) => {
  const page = await app.page(browser);
  await openLimits(page);
  await expect(page.getByText('Log in as a gamer to take a break')).toBeVisible();
});
