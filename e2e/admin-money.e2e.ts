import { expect, type Page } from '@playwright/test';
import { adminOf, dialogOf, expectToast, openPanel, panelOf, questionOf, rowsOf, tab } from './admin-panel.js';
import { checkPage } from './check-page.js';
import type { HttpGamer } from './http-gamer.js';
import { hurryPayments, orderDeposit, payAs, payerAt, unknownPayment, unpaidPayment } from './payments.js';
import { DESKTOP, sharedApp, test } from './test-app.js';

/* The admin panels of money: deposits, withdrawals, profit; and all panels whose requests failed. */

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';

// Each test goes on with the lists of the one before.
test.describe.configure({ mode: 'serial' });

let page: Page;

const app = sharedApp(async (browser) => {
  await app.emptyQueues();
  await hurryPayments(app);
  page = await app.blankPage(browser, await adminOf(app));
  await page.clock.install();
  await page.goto('/admin');
});

test('a failed request is reported and can be tried again', async () => {
  await page.route(/\/api\/(admin|community)\//, (route) => route.abort());
  await page.reload();
  const posts = await openPanel(page, 'Community posts');
  await expect(posts.getByText('The community posts could not be loaded')).toBeVisible();
  await checkPage(page, 'admin-failed');
  await page.unrouteAll({ behavior: 'wait' });
  await posts.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(posts.getByText('The community posts could not be loaded')).toHaveCount(0);
});

test('approves, rejects, looks up and assigns deposits', async () => {
  const panel = await openPanel(page, 'Deposits');
  const [paid, under, over] = await Promise.all(
    ['paid_up', 'underpaid', 'overpaid'].map((gamerTag) => app.gamer(gamerTag)),
  );
  const waits = (gamerTag: string) => rowsOf(panel).filter({ hasText: gamerTag });

  await payAs(app, await orderDeposit(app, paid as HttpGamer, 50), 'pay');
  const underPaid = await payAs(app, await orderDeposit(app, under as HttpGamer, 100), 'underpay');
  const overPaid = await payAs(app, await orderDeposit(app, over as HttpGamer, 20), 'overpay');
  const orphanId = await unknownPayment(app, 21);

  await test.step('pending deposits are listed within ten seconds', async () => {
    await expect(async () => {
      await page.clock.fastForward(10_000);
      await expect(rowsOf(panel)).toHaveCount(3, { timeout: 1_000 });
    }).toPass();
    await expect(waits('underpaid')).toContainText(/\$70\.00of \$100\.00 arrived.*Less arrived than was due/);
    await expect(waits('overpaid')).toContainText('More arrived than was due');
    await expect(waits(orphanId)).toContainText('It belongs to none of our invoices');
    await expect(page.getByRole('navigation', { name: 'Back office' })).toContainText('Deposits3 wait');
    await checkPage(page, 'admin-deposit-queue');
  });

  await test.step('a table that is wider than a tablet keeps its buttons in view', async () => {
    await page.setViewportSize({ width: 768, height: DESKTOP.height });
    const reject = waits('underpaid').getByRole('button', { name: /^Reject payment/ });
    // Scrolls downwards only: a scroll into view would also scroll the table sideways.
    await page.evaluate((top) => window.scrollBy(0, top - 200), (await reject.boundingBox())?.y ?? 0);
    await expect(reject).toBeInViewport({ ratio: 1 });
    await page.setViewportSize(DESKTOP);
  });

  await test.step('approves', async () => {
    await waits('underpaid')
      .getByRole('button', { name: /^Approve payment/ })
      .press('Enter');
    const question = questionOf(page, 'Approve $70.00 for underpaid?');
    await expect(question).toContainText(
      '$70.00 goes to the purchase balance of underpaid. Who made a deposit is a depositor for 30 days from now.',
    );
    for (const text of ['Less arrived than was due', 'Due, without the fee$100.00', 'Arrived, without the fee$70.00'])
      await expect(question.locator('.sum')).toContainText(text);
    await expect(question.getByRole('button', { name: 'Leave it pending' })).toBeFocused();
    await checkPage(page, 'admin-approve');
    await payerAt(app).setStatus(underPaid, 'finished');
    await question.getByRole('button', { name: 'Credit $70.00', exact: true }).click();
    await expect(page.locator('.toast')).toContainText('This payment changed after you saw it.');
    await expect(async () => {
      await page.clock.fastForward(10_000);
      // The row's own words, not the refusal that quotes them.
      await expect(question.getByText(/^The gateway now says/)).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await question.getByRole('button', { name: 'Credit $70.00', exact: true }).click();
    await expectToast(page, 'Deposit Approved', '$70.00: credited to underpaid.');
    await expect(rowsOf(panel)).toHaveCount(2);
  });

  await test.step('rejects', async () => {
    await waits('overpaid')
      .getByRole('button', { name: `Reject payment ${overPaid}` })
      .click();
    const question = questionOf(page, 'Reject this deposit?');
    await expect(question).toContainText(`payment ${overPaid} leaves this list for good.`);
    await question.getByLabel('Notes, shown to overpaid').fill('Sent back by hand');
    await checkPage(page, 'admin-reject');
    await question.getByRole('button', { name: 'Reject $26.00', exact: true }).click();
    await expectToast(page, 'Deposit Rejected', '$26.00: not credited.');
    await tab(panel, 'Rejected').click();
    await expect(waits('overpaid')).toContainText(overPaid);
    await tab(panel, 'Pending').click();
  });

  await test.step('looks up a payment, and assigns one without a gamer', async () => {
    const lookup = panel.getByRole('form', { name: 'Payment lookup' });
    await lookup.getByLabel('Payment ID').fill(await unpaidPayment(app, 20));
    await lookup.getByLabel('Payment ID').press('Enter');
    await expectToast(page, 'Not paid yet', 'Nothing has arrived for this payment yet (waiting)');
    await lookup.getByLabel('Payment ID').fill('');
    await waits(orphanId)
      .getByRole('button', { name: `Assign payment ${orphanId}` })
      .press('Enter');
    await expect(lookup.getByLabel('Payment ID')).toBeFocused();
    await expect(lookup.getByLabel('Payment ID')).toHaveValue(orphanId);
    await page.keyboard.press('Enter');
    const assign = panel.getByRole('form', { name: 'Assign payment' });
    await expect(assign.getByLabel(/^Found: \$20 after any fee, in TRX, (pending|finished)$/)).toBeFocused();
    await assign.getByPlaceholder('GamerTag to credit').fill('paid_up');
    await page.keyboard.press('Enter');
    await expectToast(page, 'Payment Assigned', '$20.00 was credited to paid_up');
    await expect(panel.getByText('No payment is waiting for a decision.')).toBeVisible();
  });

  await test.step('lists approved deposits', async () => {
    await tab(panel, 'Approved').click();
    await expect(async () => {
      await page.clock.fastForward(30_000);
      await expect(rowsOf(panel).filter({ hasText: 'paid_up' })).toHaveCount(2, { timeout: 1_000 });
    }).toPass();
  });
});

test('sets withdrawals to processing, completed and returned with a note', async () => {
  const panel = await openPanel(page, 'Withdrawals');
  const winner = await app.gamer('winner_w', { winningsCents: 10_000 });
  const withdraw = async (amountCents: number) => {
    const request = { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents };
    expect((await winner.post(`${app.url}/api/gamer/${winner.id}/withdraw`, request)).status).toBe(200);
  };
  for (const amountCents of [1_000, 2_500]) await withdraw(amountCents);
  await page.reload();
  await expect(panel.getByText('$35.00 reserved in 2 requests')).toBeVisible();
  const press = (action: string, amount: string) =>
    panel.getByRole('button', { name: `${action} winner_w’s withdrawal of ${amount}` }).press('Enter');

  await press('Process', '$10.00');
  await questionOf(page, 'Mark $10.00 as processing?')
    .getByRole('button', { name: 'Mark $10.00 as processing', exact: true })
    .click();
  await expectToast(page, 'Withdrawal Updated', '$10.00: processing.');
  await expect(rowsOf(panel)).toHaveCount(2);
  await expect(rowsOf(panel).first()).toContainText('Processing');

  await panel.getByLabel('Transaction id of winner_w’s withdrawal of $10.00').fill('ab'.repeat(32));
  await press('Pay', '$10.00');
  const payment = questionOf(page, 'Mark $10.00 as paid?');
  await expect(payment).toContainText('Final: $10.00 counts as paid to winner_w.');
  await expect(payment.getByLabel('Transaction id')).toHaveValue('ab'.repeat(32));
  await expect(payment.getByRole('img', { name: 'QR code with the BTC address' })).toBeVisible();
  await checkPage(page, 'admin-settle');
  await payment.getByRole('button', { name: 'Mark $10.00 as paid', exact: true }).click();
  await expectToast(page, 'Withdrawal Updated', '$10.00: completed.');

  await press('Return', '$25.00');
  const giveBack = questionOf(page, 'Return $25.00?');
  const [{ id }] = await (await page.request.get('/api/admin/withdrawals?listed=pending')).json();
  await page.request.put(`/api/admin/withdrawals/${id}`, { data: { status: 'processing' } });
  await giveBack.getByRole('button', { name: 'Return $25.00', exact: true }).click();
  await expectToast(page, 'Update Failed', 'Somebody changed this after you had opened it. Nothing was saved.');
  await page.keyboard.press('Escape');
  await expect(rowsOf(panel)).toContainText('Processing');

  await press('Return', '$25.00');
  await giveBack.getByLabel('Notes, shown to winner_w').fill('The address refused it.');
  await giveBack.getByRole('button', { name: 'Return $25.00', exact: true }).click();
  await expectToast(page, 'Withdrawal Updated', '$25.00: returned.');
  await expect(panel.getByText('Nobody is waiting for a payout.')).toBeVisible();
  await tab(panel, 'Pending').press('ArrowRight');
  await expect(rowsOf(panel).filter({ hasText: 'winner_w' }).last()).toContainText('Transaction ababab');
});

test('shows the profit, withdraws and returns it', async () => {
  const panel = panelOf(page, 'Admin Profits');
  const buyer = await app.gamer('big_buyer', { tokens: 800 });
  await app.asAdmin('game/start-live');
  expect(typeof (await buyer.buy(app.url, 800))).toBe('object');
  await page.goto('/admin/profits');
  const figures = panel.locator('.figs');
  await expect(figures).toContainText(/Available\$\d+\.\d\d/);
  const [, profit = ''] = /Available(\$[\d.,]+\d)/.exec((await figures.textContent()) ?? '') ?? [];

  await panel.getByRole('button', { name: 'Withdraw profit' }).press('Enter');
  const dialog = dialogOf(page, 'Request profit withdrawal');
  const ask = dialog.getByRole('button', { name: /^Request withdrawal/ });
  await dialog.getByText('BTC', { exact: true }).click();
  await dialog.getByLabel('Wallet address').fill(BITCOIN);
  await dialog.getByLabel('Amount').fill('9999');
  await ask.click();
  await expectToast(page, 'Insufficient Funds', `You only have ${profit} available for withdrawal`);
  await checkPage(page, 'admin-withdraw-profit');
  await dialog.getByRole('button', { name: 'All of it' }).click();
  await ask.click();
  await expectToast(page, 'Withdrawal Request Created', `${profit} in BTC is reserved.`);
  await expect(figures).toContainText('Available$0.00');

  await panel.getByRole('button', { name: `Return the profit withdrawal of ${profit}` }).press('Enter');
  const settle = questionOf(page, `Return ${profit}?`);
  await expect(settle).toContainText(`Final: ${profit} goes back to the profit available.`);
  await settle.getByRole('button', { name: `Return ${profit}` }).click();
  await expectToast(page, 'Withdrawal Updated', `${profit}: returned.`);
  await expect(figures).toContainText(`Available${profit}`);
  await checkPage(page, 'admin-money');
});
