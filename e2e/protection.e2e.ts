import { expect, type Page } from '@playwright/test';
import { adminOf, openPanel } from './admin-panel.js';
import { checkPage } from './check-page.js';
import { buyDialog, openBuyDialog, stageOf } from './game-page.js';
import { CAMPAIGN, sharedApp, test } from './test-app.js';

/* How a gamer stays in control: limits, time-outs and self-exclusion. */

const app = sharedApp(() => app.asAdmin('game/start-live'));

const openLimits = async (page: Page): Promise<void> => {
  await page.goto(`${app.url}/protection`);
  await expect(page.getByRole('heading', { name: 'My Limits' })).toBeVisible();
};

test('sets limits, which the dialogs show before a press, and which hold at once', async ({ browser }) => {
  const gamer = await app.gamer('lim_itta', { tokens: 40 });
  const page = await app.blankPage(browser, gamer);
  await openLimits(page);
  const form = page.getByRole('form', { name: 'My limits' });
  const spending = form.getByRole('group', { name: 'Spending' });
  await spending.getByLabel('A day').fill('0.90');
  await form.getByRole('group', { name: 'Deposits' }).getByLabel('A month').fill('10');
  await form.getByRole('button', { name: 'Set my limits' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Set lower limits from now on?' });
  await expect(asked).toContainText('You can raise them only after 24 hours.');
  await asked.getByRole('button', { name: 'Set these limits' }).click();
  const inForce = page.getByRole('list', { name: 'Limits in force' });
  await expect(inForce).toContainText('Your spending limit is $0.90 a day. $0.90 of it is left until');

  await page.getByRole('link', { name: 'Return to Game' }).click();
  await openBuyDialog(page);
  const dialog = buyDialog(page);
  await expect(dialog.getByText('Your spending limit is $0.90 a day. $0.90 of it is left')).toBeVisible();
  await dialog.getByLabel('How many tokens').fill('4');
  await expect(dialog.getByText('Beyond your limit')).toBeVisible();
  await expect(dialog.getByText('You become the last buyer.')).toBeHidden();
  await expect(dialog.getByRole('button', { name: 'Buy 4 tokens' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'All 3' }).click();
  await expect(dialog.getByRole('button', { name: 'Buy 3 tokens' })).toBeEnabled();

  await openLimits(page);
  await spending.getByLabel('A day').fill('');
  await form.getByRole('button', { name: 'Set my limits' }).click();
  await expect(spending.getByText('$0.90 until you confirm this.')).toBeVisible();
  await expect(page.getByText('You asked for higher limits')).toBeVisible();
  await expect(inForce).toContainText('Your spending limit is $0.90 a day');
  await expect(page.getByRole('button', { name: 'Confirm the higher limits' })).toHaveCount(0);
});

test('takes a time-out: the game stays in view, and nothing can be bought; or excludes oneself for six months', async ({
  browser,
}) => {
  const gamer = await app.gamer('tim_out', { tokens: 41, winningsCents: 500, isDepositor: true });
  await gamer.buy(app.url, 1);
  await (await app.gamer('lead_er', { tokens: 1 })).buy(app.url, 1);
  const page = await app.blankPage(browser, gamer);
  await openLimits(page);
  await checkPage(page, 'protection');
  await page.getByLabel('For', { exact: true }).first().selectOption('a week');
  await page.getByRole('button', { name: 'Take a time-out' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Take a time-out for a week' });
  await expect(dialog.getByText('Your email is not confirmed. We mail you a link')).toBeVisible();
  await checkPage(page, 'protection-confirm');
  await dialog.getByRole('button', { name: 'Take a time-out' }).click();
  await expect(page.locator('.toast')).toContainText('You are in a time-out until');
  await page.getByRole('button', { name: 'Move it to my winnings' }).click();
  await expect(page.locator('.toast').last()).toContainText('$12.00 is in your winnings now. A withdrawal is at least');

  await page.getByRole('link', { name: 'Return to Game' }).click();
  await expect(stageOf(page).getByText(/You are in a time-out until .* in New York\./)).toBeVisible();
  await expect(stageOf(page).getByText('Purchase Balance')).toBeVisible();
  await expect(stageOf(page).getByRole('button', { name: 'Buy Tokens from Balance' })).toBeDisabled();
  for (const invitation of ['You lost the lead', 'Make a deposit', 'Transfer to Purchase Balance'])
    await expect(page.getByText(invitation)).toHaveCount(0);
  await expect(page.getByText('My Referral Link')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Withdraw Winnings' })).toBeEnabled();
  await expect(page.getByText('Released from purchase balance$12.00')).toBeVisible();

  const other = await app.blankPage(browser, await app.gamer('sally_out', { tokens: 20 }));
  await openLimits(other);
  await other.getByRole('button', { name: 'Exclude myself' }).click();
  const exclusion = other.getByRole('alertdialog', { name: 'Exclude myself for six months' });
  await exclusion.getByRole('button', { name: 'Exclude myself' }).click();
  await expect(other.getByText(/You are self-excluded until/).first()).toBeVisible();
  for (const name of ['Lift my self-exclusion', 'Take a time-out'])
    await expect(other.getByRole('button', { name })).toHaveCount(0);
});

test('shows the admin limits and exclusions, and visitors the honest odds', CAMPAIGN, async ({ browser }) => {
  const page = await app.page(browser, await adminOf(app));
  const panel = await openPanel(page, 'Player protection');
  await expect(panel.getByText('The operator’s profile is none.')).toBeVisible();
  for (const name of [
    /tim_out Time-out/,
    /sally_out Self-exclusion/,
    /lim_itta spending \$0\.90 a day; deposit \$10\.00 a month/,
  ])
    await expect(panel.getByRole('row', { name })).toBeVisible();
  await checkPage(page, 'admin-protection');

  const visitor = await app.blankPage(browser);
  await openLimits(visitor);
  await expect(visitor.getByText('Log in as a gamer to take a break')).toBeVisible();
  await visitor.goto(`${app.url}/gamers-guide`);
  const odds = visitor.getByRole('region', { name: 'The honest odds' });
  for (const text of [
    'Most tokens win nothing.',
    '43 percent comes back as jackpots.',
    /a purchase usually takes up to \d+ ms/,
  ])
    await expect(odds).toContainText(text);
});
