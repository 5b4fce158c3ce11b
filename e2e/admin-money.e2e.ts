import { randomUUID } from 'node:crypto';
import { expect, type Page, type Request, test } from '@playwright/test';
import { SYSTEM } from '../contracts/events/metadata.js';
import { builtFile } from '../embedded/launcher/built-files.js';
import {
  adminOf,
  dialogOf,
  expectToast,
  exported,
  openPanel,
  panelOf,
  questionOf,
  rowsOf,
  tab,
} from './admin-panel.js';
import { checkPage } from './check-page.js';
import type { HttpGamer } from './http-gamer.js';
import { hurryPayments, orderDeposit, payAs, payerAt, unknownPayment, unpaidPayment } from './payments.js';
import { DESKTOP, ownApp } from './test-app.js';

/* The admin panels of money: deposits, withdrawals, profit; and all panels while they are empty, loading or failed. */

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';

// Each test goes on with the lists of the one before.
test.describe.configure({ mode: 'serial' });

let page: Page;

const app = ownApp('money', async (browser) => {
  await hurryPayments(app);
  page = await app.blankPage(browser, await adminOf(app));
  await page.clock.install();
  await page.goto('/admin');
});

const PANELS = [
  ['Game Control', 'timer settings', 'Ready — Click Start to Begin'],
  ['Admin Profits', 'profits', 'No profit has been withdrawn yet.'],
  ['Support Tickets', 'open tickets', 'Nobody is waiting for an answer.'],
  ['Deposits', 'pending deposits', 'No payment is waiting for a decision.'],
  ['Withdrawals', 'pending withdrawals', 'Nobody is waiting for a payout.'],
  ['Gamers Mini-Manager', 'gamers', 'Nobody has registered yet.'],
  ['Community posts', 'community posts', 'Nobody has posted yet.'],
] as const;

test('polls for the shown panel and for the counts only', async () => {
  await openPanel(page, 'Community posts');
  const polled = new Set<string>();
  const note = (request: Request) => polled.add(new URL(request.url()).pathname);
  page.on('request', note);
  await page.clock.runFor(31_000);
  // Tickets come by live messages, and once more after the silence that the leap of the clock makes.
  const polledLists = () => [...polled].filter((path) => /^.api.(admin.(?!support)|community)/.test(path)).sort();
  // The last request's event may come after the clock's response.
  await expect
    .poll(() => polledLists().map((path) => path.replace(/^.api./, '')))
    .toEqual(['admin/deposits/pending', 'admin/losses/payouts', 'admin/withdrawals', 'community/posts']);
  page.off('request', note);
});

test('a failed request is reported and can be tried again; an empty panel names what it will list', async () => {
  let respond = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    respond = resolve;
  });
  await page.route(/\/api\/(admin|community)\//, async (route) => {
    await held;
    await route.abort();
  });
  await page.reload();
  for (const [panel, what] of PANELS) {
    const loading = (await openPanel(page, panel)).getByRole('status', { name: `Loading ${what}` });
    await expect(loading).toBeVisible();
  }
  respond();
  for (const [panel, what] of PANELS) {
    const failure = (await openPanel(page, panel)).getByText(`The ${what} could not be loaded`);
    await expect(failure).toBeVisible();
  }
  await checkPage(page, 'admin-failed');
  await page.unrouteAll({ behavior: 'wait' });
  const posts = panelOf(page, 'Community posts');
  await posts.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(posts.getByText('Nobody has posted yet.')).toBeVisible();
  const deposits = await openPanel(page, 'Deposits');
  await tab(deposits, 'Changed').click();
  await expect(deposits.getByText(/^Payments that changed after they were settled/)).toBeVisible();
  await openPanel(page, 'Community posts');
  for (const [panel, , empty] of PANELS) await expect((await openPanel(page, panel)).getByText(empty)).toBeVisible();
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
    await lookup.getByRole('button', { name: 'Lookup' }).click();
    await expectToast(page, 'Invalid Form', 'Please enter a Payment ID to lookup');
    await lookup.getByLabel('Payment ID').fill('5550123');
    await lookup.getByLabel('Payment ID').press('Enter');
    await expectToast(page, 'Payment Not Found', 'Could not find payment with that ID');
    await lookup.getByLabel('Payment ID').fill(await unpaidPayment(app, 20));
    await lookup.getByLabel('Payment ID').press('Enter');
    await expectToast(page, 'Not paid yet', 'Nothing has arrived for this payment yet (waiting)');
    await expect(lookup.getByText(/^Not paid yet\./)).toBeVisible();
    await lookup.getByLabel('Payment ID').fill('');
    await waits(orphanId)
      .getByRole('button', { name: `Assign payment ${orphanId}` })
      .press('Enter');
    await expect(lookup.getByLabel('Payment ID')).toBeFocused();
    await expect(lookup.getByLabel('Payment ID')).toHaveValue(orphanId);
    await page.keyboard.press('Enter');
    const assign = panel.getByRole('form', { name: 'Assign payment' });
    await expect(assign.getByLabel(/^Found: \$20 after any fee, in TRX, (pending|finished)$/)).toBeFocused();
    await assign.getByRole('button', { name: 'Assign' }).click();
    await expectToast(page, 'Invalid Form', 'Please enter a gamer tag to assign this payment to');
    await assign.getByPlaceholder('GamerTag to credit').fill('nobody_here');
    await page.keyboard.press('Enter');
    await expectToast(page, 'Lookup Failed', 'Gamer not found');
    await assign.getByPlaceholder('GamerTag to credit').fill('paid_up');
    await page.keyboard.press('Enter');
    await expectToast(page, 'Payment Assigned', '$20.00 was credited to paid_up');
    await expect(panel.getByText('No payment is waiting for a decision.')).toBeVisible();
  });

  await test.step('lists approved deposits', async () => {
    await tab(panel, 'Approved').click();
    await expect(async () => {
      await page.clock.fastForward(30_000);
      await expect(rowsOf(panel)).toHaveCount(3, { timeout: 1_000 });
    }).toPass();
    const { records } = await exported(page, 'Deposits approved');
    expect(records.slice(1).map((fields) => [fields[2], fields[3]])).toEqual([
      ['paid_up', '20.00'],
      ['underpaid', '70.00'],
      ['paid_up', '50.00'],
    ]);
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
  await expect(rowsOf(panel)).toHaveCount(2);
  await expect(rowsOf(panel).last()).toContainText('Transaction ababab');
  const { records } = await exported(page, 'Withdrawals completed');
  expect(records.slice(1).map((fields) => fields.slice(3, 7))).toEqual([
    ['25.00', 'BTC', BITCOIN, 'Returned'],
    ['10.00', 'BTC', BITCOIN, 'Completed'],
  ]);
  await withdraw(3_000);
  await page.reload();
  await press('Pay', '$30.00');
  await expect(questionOf(page, 'Mark $30.00 as paid?')).toBeVisible();
  const [last] = await (await page.request.get('/api/admin/withdrawals?listed=pending')).json();
  await winner.post(`${app.url}/api/gamer/${winner.id}/withdrawals/${last.id}/cancel`, {});
  await expect(questionOf(page, 'Mark $30.00 as paid?')).toBeHidden();
  await expect(rowsOf(panel).getByRole('alert')).toHaveText('Already cancelled by winner_w');
});

test('shows two cents of profit a token, withdraws and returns it', async () => {
  const panel = panelOf(page, 'Admin Profits');
  const buyer = await app.gamer('big_buyer', { tokens: 800 });
  await app.asAdmin('game/start-live');
  expect(typeof (await buyer.buy(app.url, 800))).toBe('object');
  await page.goto('/admin/profits');
  const figures = panel.locator('.figs');
  await expect(figures).toContainText('Available$16.00');
  await expect(figures).toContainText('Tokens sold800');

  await panel.getByRole('button', { name: 'Withdraw profit' }).press('Enter');
  const dialog = dialogOf(page, 'Request profit withdrawal');
  const ask = dialog.getByRole('button', { name: /^Request withdrawal/ });
  await dialog.getByText('BTC', { exact: true }).click();
  await dialog.getByLabel('Wallet address').fill(BITCOIN);
  await dialog.getByLabel('Amount').fill('16.01');
  await ask.click();
  await expectToast(page, 'Insufficient Funds', 'You only have $16.00 available for withdrawal');
  await checkPage(page, 'admin-withdraw-profit');
  await dialog.getByRole('button', { name: 'All of it' }).click();
  await ask.click();
  await expectToast(page, 'Withdrawal Request Created', '$16.00 in BTC is reserved.');
  await expect(figures).toContainText('Available$0.00');

  await panel.getByRole('button', { name: 'Return the profit withdrawal of $16.00' }).press('Enter');
  const settle = questionOf(page, 'Return $16.00?');
  await expect(settle).toContainText('Final: $16.00 goes back to the profit available.');
  await settle.getByRole('button', { name: 'Return $16.00' }).click();
  await expectToast(page, 'Withdrawal Updated', '$16.00: returned.');
  await expect(figures).toContainText('Available$16.00');
  await expect(panel.getByRole('button', { name: /^Return the profit withdrawal/ })).toBeHidden();
  await checkPage(page, 'admin-money');
});

/** The log ends here, and an operator says that it was longer. */
async function loseHistory(): Promise<void> {
  const { EventLog } = await import(builtFile('event-log/event-log.js'));
  const { Ledger } = await import(builtFile('api/src/ledger/ledger.js'));
  const { LedgerReplica } = await import(builtFile('api/src/ledger/ledger-replica.js'));
  const log = new EventLog(app.application.eventStoreUrl);
  const ledger = new Ledger(new LedgerReplica(), log, { now: Date.now, newEventId: randomUUID, newId: randomUUID });
  await ledger.start();
  const signed = { signedOrigin: 'play.example/ledger', signedSize: 361, signedRoot: 'ab'.repeat(32) };
  const command = { type: 'AcceptLoss', signed, acceptedBy: 'Ada Lovelace', reason: 'The disk failed' };
  await ledger.execute(command, { actor: SYSTEM, commandId: randomUUID() });
  await ledger.stop();
  await log.close();
}

test('after a loss completes or settles what the gateway paid, and then withdrawals go on', async () => {
  const gamer = await app.gamer('paid_before', { winningsCents: 5_000 });
  const request = { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents: 2_000 };
  expect((await gamer.post(`${app.url}/api/gamer/${gamer.id}/withdraw`, request)).status).toBe(200);
  const payer = payerAt(app);
  await payer.payOut({ address: BITCOIN, hash: 'cd'.repeat(32) });
  await payer.payOut({ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount: '0.5' });
  const HELD = '**/api/admin/losses/payouts';
  await page.route(HELD, async (route) => {
    const response = await route.fetch();
    const problem = { problem: 'Access denied', mayRelease: true, differences: [] };
    await route.fulfill({ response, json: { ...(await response.json()), ...problem } });
  });
  await loseHistory();
  await page.goto('/admin/losses');
  const panel = panelOf(page, 'Payouts wait');
  const reloadUntil = (check: () => Promise<void>) =>
    expect(async () => {
      await page.reload();
      await check();
    }).toPass();

  await reloadUntil(() => expect(panel).toContainText('Access denied', { timeout: 3_000 }));
  await expect(await openPanel(page, 'Withdrawals')).toContainText('make sure that it was not paid by hand');
  await openPanel(page, 'Payouts wait');
  await panel.getByRole('button', { name: 'Release payouts' }).click();
  const release = questionOf(page, 'Release payouts without the gateway’s answer?');
  await expect(release.getByRole('button', { name: 'Release payouts' })).toBeDisabled();
  await checkPage(page, 'admin-release-payouts');
  await release.getByRole('button', { name: 'Back' }).click();

  await page.unroute(HELD);
  await reloadUntil(() => expect(rowsOf(panel)).toHaveCount(2, { timeout: 3_000 }));
  await checkPage(page, 'admin-held-payouts');
  await panel.getByRole('button', { name: 'Mark paid_before’s $20.00 in BTC as paid' }).click();
  const settle = questionOf(page, 'Mark $20.00 as paid?');
  await expect(settle.getByLabel('Transaction id')).toHaveValue('cd'.repeat(32));
  await settle.getByRole('button', { name: 'Mark $20.00 as paid' }).click();
  await expectToast(page, 'Withdrawal Updated', '$20.00: completed.');
  await expect(rowsOf(panel)).toHaveCount(1);

  await panel.getByRole('button', { name: /^Settle payout/ }).click();
  const question = questionOf(page, 'Settle the payout of 0.5 BTC?');
  await question.getByLabel('What you found out').fill('The accountant’s fee');
  await page.route('**/settle', (route) => route.abort(), { times: 1 });
  await question.getByRole('button', { name: 'Settle' }).click();
  await expectToast(page, 'Update Failed', 'Failed to settle the payout');
  await question.getByRole('button', { name: 'Settle' }).click();
  await expectToast(page, 'Updated', /^Payout \d+ is settled$/);
  await reloadUntil(() => expect(panel).toContainText('No payout waits', { timeout: 3_000 }));
});
