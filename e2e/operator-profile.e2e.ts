import { expect, test } from '@playwright/test';
import { checkPage } from './check-page.js';
import { buyDialog, openBuyDialog } from './game-page.js';
import { ownApp } from './test-app.js';

/* The strict profile: gamers choose a limit of their own first, and the operator's limits hold for all. */

const app = ownApp('strict', () => app.asAdmin('game/start-live'), { PROTECTION_PROFILE: 'strict' });

test('asks for a limit before a purchase, and shows the operator’s limits', async ({ browser }) => {
  const page = await app.page(browser, await app.gamer('stric_ta', { tokens: 400 }));
  await openBuyDialog(page);
  const dialog = buyDialog(page);
  await expect(dialog.getByText('Choose a limit first')).toBeVisible();
  await checkPage(page, 'limits-required');
  await dialog.getByRole('button', { name: 'Buy 1 token' }).click();
  await expect(page.locator('.toast').last()).toContainText('Please set a limit of your own first');
  await dialog.getByRole('link', { name: 'My Limits' }).click();

  await expect(page.getByText('The operator asks every gamer to have a limit of their own')).toBeVisible();
  const form = page.getByRole('form', { name: 'My limits' });
  await form.getByRole('group', { name: 'Deposits' }).getByLabel('A day').fill('50');
  await form.getByRole('button', { name: 'Set my limits' }).click();
  await page.getByRole('button', { name: 'Set these limits' }).click();
  const inForce = page.getByRole('list', { name: 'Limits in force' });
  await expect(inForce).toContainText('Your deposit limit is $50.00 a day.');
  await expect(inForce).toContainText('The operator’s loss limit is $100.00 a day. $100.00 of it is left');
  await expect(page.getByText('The operator asks every gamer')).toHaveCount(0);
  await checkPage(page, 'limits-of-operator');

  await page.getByRole('link', { name: 'Return to Game' }).click();
  await openBuyDialog(page);
  await dialog.getByLabel('How many tokens').fill('334');
  await expect(dialog.getByText('Beyond the operator’s limit')).toBeVisible();
  await dialog.getByLabel('How many tokens').fill('1');
  await dialog.getByRole('button', { name: 'Buy 1 token' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Purchase Balance').first()).toBeVisible();
});
