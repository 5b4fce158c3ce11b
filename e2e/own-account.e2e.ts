import { type Browser, expect, type Page } from '@playwright/test';
import type { Withdrawal } from '../contracts/http/withdrawals.js';
import { openPanel, questionOf, rowsOf } from './admin-panel.js';
import { checkPage } from './check-page.js';
import { goByMenu, login, toastOf } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { CAMPAIGN, DESKTOP, PASSWORD, sharedApp, test } from './test-app.js';

/* One's own account: password, email, devices, and a payout to a new address, which can be cancelled. */

const TRX_ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const NEW_PASSWORD = 'another long pass phrase';

let ada: HttpGamer;

test.describe.configure({ mode: 'serial' });

const app = sharedApp(async () => {
  ada = await app.gamer('ada_mails', { winningsCents: 5_000 });
});

async function openAccount(browser: Browser): Promise<Page> {
  const page = await app.page(browser, ada);
  await goByMenu(page, 'My Account');
  await expect(page.getByRole('heading', { name: 'My Account' })).toBeVisible();
  return page;
}

/** Path and query of the mailed link. */
const linkIn = (mail: string): string => /\/confirm-email\?token=[\w-]+/.exec(mail)?.[0] ?? '';

test('confirms the current email, also on another page, and changes it once the new mailbox confirms it', async ({
  browser,
}) => {
  const page = await openAccount(browser);
  const form = page.getByRole('form', { name: 'Change email' });
  await form.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Send a link to this email' }).click();
  const mail = () => app.mailTo('ada_mails@example.com', 'Confirm your email for Omni Jackpot');
  await expect.poll(mail).toContain('ada_mails has this email at Omni Jackpot.');
  const elsewhere = await app.blankPage(browser);
  for (const outcome of ['Your email is confirmed.', 'This link is invalid or has expired.']) {
    await elsewhere.goto(linkIn(await mail()));
    await elsewhere.getByRole('button', { name: 'Confirm this email' }).click();
    await expect(elsewhere.locator('.note')).toContainText(outcome);
  }
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(page.getByText('Your email is ada_mails@example.com, confirmed.')).toBeVisible();

  await page.reload();
  await form.getByLabel('New email').fill('ada.new@example.com');
  await form.getByLabel('Current password').fill(PASSWORD);
  await form.getByRole('button', { name: 'Send a link to the new email' }).click();
  await expect(page.getByRole('main').getByText('If this address can be used, a link was sent to it.')).toBeVisible();
  await checkPage(page, 'account');

  const newLink = linkIn(await app.mailTo('ada.new@example.com', 'Confirm your email for Omni Jackpot'));
  await page.goto(newLink);
  await checkPage(page, 'confirm-email');
  await page.getByRole('button', { name: 'Confirm this email' }).click();
  await expect(page.getByText('Your email is changed.')).toBeVisible();
  await page.goto('/account');
  await expect(page.getByText('Your email is ada.new@example.com, confirmed.')).toBeVisible();
});

test('cancels a withdrawal to a new address; the admin sees that the address of another one is new', async ({
  browser,
}) => {
  const request = { amountCents: 2_000, cryptoType: 'TRX', walletAddress: TRX_ADDRESS };
  for (const amountCents of [2_000, 1_000]) {
    const response = await ada.post(`${app.url}/api/gamer/${ada.id}/withdraw`, { ...request, amountCents });
    expect(response.status, JSON.stringify(response.body)).toBe(200);
  }
  const list = () => ada.get<Withdrawal[]>(`${app.url}/api/gamer/${ada.id}/withdrawals`);
  await expect.poll(async () => (await list()).length).toBe(2);
  const page = await app.page(browser, ada);
  await page.getByRole('button', { name: 'Cancel the withdrawal of $20.00' }).click();
  const question = questionOf(page, 'Cancel the withdrawal of $20.00?');
  await question.getByRole('button', { name: 'Cancel it' }).click();
  await expect(toastOf(page)).toContainText('The withdrawal is cancelled, and the money is back in your winnings');
  await expect(page.getByRole('button', { name: 'Cancel the withdrawal of $20.00' })).toHaveCount(0);
  await expect(page.locator('.withdrawal').filter({ hasText: '$20.00' })).toContainText('Cancelled');
  await expect(page.getByRole('button', { name: 'Cancel the withdrawal of $10.00' })).toBeVisible();

  const adminPage = await app.page(browser, app.admin);
  await adminPage.setViewportSize(DESKTOP);
  const panel = await openPanel(adminPage, 'Withdrawals');
  const row = rowsOf(panel).filter({ hasText: 'ada_mails' });
  await expect(row.getByText('New address, requested just now')).toBeVisible();
  const { id = '' } = (await list()).find(({ status }) => status === 'pending') ?? {};
  const paid = { status: 'completed', adminNotes: 'Thank you for waiting.' };
  expect((await app.admin.put(`${app.url}/api/admin/withdrawals/${id}`, paid)).status).toBe(200);
  await expect.poll(async () => (await list()).some(({ status }) => status === 'completed')).toBe(true);
  await page.reload();
  await expect(page.getByText('Completed', { exact: true })).toBeVisible();
  await expect(page.getByText('Note from the admin: Thank you for waiting.')).toBeVisible();
});

test('ends another device’s session, and keeps its own at a new password', CAMPAIGN, async ({ browser }) => {
  const page = await openAccount(browser);
  const stolen = await app.page(browser);
  await login(stolen, { gamerTag: 'ada_mails', password: PASSWORD });
  await page.reload();
  const devices = page.getByRole('region', { name: 'Devices' });
  await expect(devices.getByText('This device')).toHaveCount(1);
  await devices.getByRole('button', { name: /^End the session of Chrome on Linux/ }).click();
  await expect(toastOf(page)).toContainText('Chrome on Linux is logged out.');
  await expect(devices.getByRole('button', { name: /^End the session of Chrome on Linux/ })).toHaveCount(0);
  await stolen.reload();
  await expect(stolen.getByText('Signed in as')).toBeHidden();

  const form = page.getByRole('form', { name: 'Change password' });
  await form.getByLabel('Current password').fill(PASSWORD);
  await form.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await form.getByLabel('Confirm new password').fill(NEW_PASSWORD);
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(toastOf(page)).toContainText('Your password is changed, and all other sessions have ended');
  await expect(form.getByLabel('Current password')).toHaveValue('');
  await page.reload();
  await expect(page.getByText('Signed in as')).toBeVisible();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
});
