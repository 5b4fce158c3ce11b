import { expect, type Page } from '@playwright/test';
import type { Withdrawal } from '../contracts/http/withdrawals.js';
import { adminOf, expectToast, panelOf, questionOf, rowsOf, tab } from './admin-panel.js';
import { checkPage } from './check-page.js';
import { HttpGamer } from './http-gamer.js';
import { hurryPayments, orderDeposit, payAs, unknownPayment } from './payments.js';
import { CAMPAIGN, PASSWORD, sharedApp, test } from './test-app.js';

/* The queues of payouts and deposits, decided by keys; olga, an operator, decides at the same time. */

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const COUNT = 20;

let page: Page;
let olga: HttpGamer;
let winner: HttpGamer;

const app = sharedApp(async (browser) => {
  await app.emptyQueues();
  await hurryPayments(app);
  const { id } = await app.gamer('olga');
  await app.asAdmin(`mini/gamers/${id}/role`, { role: 'operator', powers: ['money'] });
  olga = await HttpGamer.logIn(app.url, 'olga', PASSWORD);
  winner = await app.gamer('queue_winner', { winningsCents: 100_000 });
  page = await app.blankPage(browser, await adminOf(app));
  await page.goto('/admin/withdrawals');
});

const payouts = () => panelOf(page, 'Withdrawals');

/** Withdrawals of $10.00, $11.00 and so on, so that each has a name of its own. */
async function withdraw(count: number): Promise<void> {
  for (let dollars = 10; dollars < 10 + count; dollars += 1) {
    const form = { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents: dollars * 100 };
    expect((await winner.post(`${app.url}/api/gamer/${winner.id}/withdraw`, form)).status).toBe(200);
  }
}

test('pays twenty payouts in twenty-five keystrokes, each with its transaction', CAMPAIGN, async () => {
  let keystrokes = 0;
  const press = async (key: string) => {
    keystrokes += 1;
    await page.keyboard.press(key);
  };
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await withdraw(COUNT);
  await expect(rowsOf(payouts())).toHaveCount(COUNT);
  await expect(rowsOf(payouts()).first()).toContainText('$10.00');
  for (let paid = 0; paid < COUNT; paid += 1) {
    await page.evaluate((txid) => navigator.clipboard.writeText(txid), `${paid + 10}`.padEnd(64, 'ab'));
    await press('ControlOrMeta+v');
    await expect(payouts().locator('.chosen')).toContainText(`${paid + 1} row`);
  }
  await checkPage(page, 'admin-queue');
  await press('p');
  const question = questionOf(page, 'Mark 20 withdrawals of $390.00 in all as paid?');
  await expect(question.getByRole('button', { name: 'Leave it' })).toBeFocused();
  await press('Tab');
  await press('Enter');
  await expect(page.locator('.toast')).toContainText('20 withdrawals of $390.00 in all: completed.');
  await expect(payouts().getByText('Nobody is waiting for a payout.')).toBeVisible();
  expect(keystrokes).toBeLessThanOrEqual(25);
  const completed = await app.admin.get<Withdrawal[]>(`${app.url}/api/admin/withdrawals?listed=completed`);
  const listed = completed.filter(({ gamerTag }) => gamerTag === 'queue_winner');
  expect(listed.map(({ txid }) => txid?.slice(0, 2))).toEqual(listed.map(({ amountCents }) => `${amountCents / 100}`));
  expect(listed.every(({ settledBy }) => settledBy === 'admin')).toBe(true);
});

test('a batch goes on without the row that another admin decided, and that row says so', CAMPAIGN, async () => {
  await withdraw(3);
  await expect(rowsOf(payouts())).toHaveCount(3);
  await page.keyboard.press('Shift+X');
  await page.keyboard.press('p');
  await expect(questionOf(page, 'Mark 3 withdrawals of $33.00 in all as paid?')).toBeVisible();
  const [{ id }] = await app.admin.get<[{ id: string }]>(`${app.url}/api/admin/withdrawals?listed=pending`);
  expect((await olga.put(`${app.url}/api/admin/withdrawals/${id}`, { status: 'completed' })).status).toBe(200);
  const question = questionOf(page, 'Mark 2 withdrawals of $21.00 in all as paid?');
  await question.getByRole('button', { name: 'Mark 2 withdrawals of $21.00 in all as paid' }).click();
  await expectToast(page, 'Withdrawal Updated', '2 withdrawals of $21.00 in all: completed.');
  await expect(rowsOf(payouts())).toHaveCount(1);
  await expect(rowsOf(payouts()).getByRole('alert')).toHaveText('Already completed by olga');
});

test('the gateway sends two payouts once it has the right code', CAMPAIGN, async () => {
  await withdraw(2);
  await expect(payouts().getByRole('checkbox', { disabled: false })).toHaveCount(2);
  await page.keyboard.press('Shift+X');
  await page.keyboard.press('g');
  const question = questionOf(page, 'Let the gateway pay 2 withdrawals of $21.00 in all?');
  await question.getByLabel('Code of the gateway').fill('111111');
  await checkPage(page, 'admin-gateway');
  await question.getByRole('button', { name: /^Let the gateway pay/ }).click();
  await expectToast(page, 'Not Paid', 'The gateway refused the code. The payouts wait for it.');
  const again = questionOf(page, 'Enter the code for 2 withdrawals of $21.00 in all?');
  await again.getByRole('button', { name: 'Leave it' }).click();
  const ordered = rowsOf(payouts()).filter({ hasText: 'With the gateway, batch' });
  await expect(ordered).toHaveCount(2);
  await ordered
    .first()
    .getByRole('button', { name: /^Enter the code/ })
    .click();
  await again.getByLabel('Code of the gateway').fill('123456');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Payouts Ordered', '2 payouts are with the gateway.');
  await expect(payouts().getByText('Nothing is reserved')).toBeVisible();
  await expect(ordered).toHaveCount(0);
});

test('deposits are approved one after the other, without leaving the dialog', CAMPAIGN, async () => {
  for (const gamerTag of ['first_gamer', 'second_gamer'])
    await payAs(app, await orderDeposit(app, await app.gamer(gamerTag), 20), 'overpay');
  await unknownPayment(app, 21);
  await page.goto('/admin/deposits');
  const deposits = panelOf(page, 'Deposits');
  await expect(rowsOf(deposits)).toHaveCount(3);
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  const next = page.getByRole('alertdialog').getByRole('button', { name: 'Credit $26.00 and next' });
  await expect(questionOf(page, 'Approve $26.00 for first_gamer?')).toBeVisible();
  await next.press('Enter');
  await expect(questionOf(page, 'Approve $26.00 for second_gamer?')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Credit $26.00', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await tab(deposits, 'Approved').click();
  await expect(rowsOf(deposits).first()).toContainText('admin');
});
