import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import type { PendingDeposit } from '../contracts/http/deposits.js';
import { refusalText } from '../contracts/refusals.js';
import { REAL_MINIMUMS } from '../embedded/payments/records.js';
import { checkPage, keepPicture } from './check-page.js';
import { buy, buyDialog, openBuyDialog, stageOf, toastOf } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { hurryPayments } from './payments.js';
import { CAMPAIGN, DESKTOP, sharedApp, test } from './test-app.js';

/* A gamer's money: buying, paying with a coin, depositing, transferring, withdrawing, winning. */

const DOGE_ADDRESS = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L';

const PHONE = { width: 360, height: 740 };
const LONGEST_BITCOIN_ADDRESS = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr';

// Each test goes on with the balances of the one before.
test.describe.configure({ mode: 'serial' });

let ada: HttpGamer;

const app = sharedApp(async () => {
  await hurryPayments(app, REAL_MINIMUMS);
  ada = await app.gamer('mona_w', { tokens: 12, winningsCents: 12_345, isDepositor: true });
});

test('refuses a purchase outside the live phase, with the reason', async ({ browser }) => {
  const page = await app.page(browser, ada);
  const stage = stageOf(page);
  await stage.getByRole('button', { name: 'JOIN NOW' }).click();
  await expect(stage.getByRole('alert')).toContainText('Cannot Purchase Now');
  await openBuyDialog(page);
  const dialog = buyDialog(page);
  await expect(dialog.getByRole('alert')).toHaveText(`Cannot Purchase Now${refusalText({ code: 'game-idle' })}`);
  // The button is aria-disabled but can be pressed: it then shows the reason.
  await dialog.getByRole('button', { name: 'Buy 1 token' }).click({ force: true });
  await expect(toastOf(page)).toContainText(`Game Inactive${refusalText({ code: 'game-idle' })}`);
});

test('buys from the balance, and the same again with one press, on the stage and in the dock', async ({ browser }) => {
  await app.asAdmin('game/start-live');
  const page = await app.blankPage(browser, ada);
  const stage = stageOf(page);
  const join = stage.getByRole('button', { name: 'JOIN LIVE GAME NOW' });
  const dialog = buyDialog(page);
  await page.goto('/');
  await join.click();
  const quantity = dialog.getByLabel('How many tokens');
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowDown']) await quantity.press(key);
  await expect(quantity).toHaveValue('2');
  await checkPage(page, 'gamer-buy');

  await quantity.fill('10000');
  await expect(dialog.getByRole('button', { name: 'Buy 10,000 tokens' })).toBeVisible();
  await page.setViewportSize({ width: 320, height: 568 });
  const clipped = await dialog.evaluate((box) => box.scrollWidth - box.clientWidth);
  expect(clipped).toBe(0);
  await page.setViewportSize(DESKTOP);
  await quantity.fill('20');
  await expect(dialog.getByText('Insufficient balance. You need $2.40 more.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  const again = stage.getByRole('button', { name: 'Buy 2 again' });
  await expect(again).toBeHidden();
  await buy(page, 2);
  await expect(stage.locator('.lastbuyer')).toContainText('You');
  await expect(stage.getByText('$3.00, enough for 10 tokens')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Recent Purchases' }).getByRole('listitem')).toContainText([
    'mona_wYou',
  ]);
  await again.click();
  const balance = stage.locator('.balance');
  await expect(balance).toContainText('$2.40');

  await page.getByRole('region', { name: 'Register and Login' }).scrollIntoViewIfNeeded();
  const dock = page.getByRole('complementary', { name: 'Live game' });
  await expect(dock).toContainText('mona_w');
  await dock.getByRole('button', { name: 'Buy 2 again' }).click();
  await expect(balance).toContainText('$1.80');
  await page.setViewportSize({ width: 360, height: 780 });
  await dock.getByRole('button', { name: 'Buy tokens' }).click();
  await expect(dialog).toBeVisible();
});

test('buys tokens with a coin when the payment settles', async ({ browser }) => {
  const page = await pageWithClock(browser);
  await openBuyDialog(page);
  await buyDialog(page).getByLabel('How many tokens').fill('40');
  await buyDialog(page).getByRole('button', { name: 'Buy with crypto' }).click();
  const form = page.getByRole('dialog', { name: 'Buy Omni Tokens' });
  await expect(form.getByLabel('How many tokens')).toHaveValue('40');
  await form.getByRole('radio', { name: 'Litecoin, LTC' }).check({ force: true });
  await checkPage(page, 'gamer-invoice');
  const checkout = await continueToPayment(page, form);

  const waiting = page.getByRole('dialog', { name: /^Send [\d.]+ LTC$/ });
  await expect(waiting.getByRole('img', { name: 'QR code with the Litecoin address and amount' })).toBeVisible();
  await expect(waiting.getByText('Waiting for your payment')).toBeVisible();
  await checkPage(page, 'gamer-payment-waiting');
  await page.goBack();
  await expect(waiting).toBeHidden();
  await page.reload();
  const line = stageOf(page).getByRole('list', { name: 'Open payments' });
  await expect(line).toContainText('$12.00 in LTC: waiting for payment');
  await keepPicture(page, 'gamer-open-payment', 1280);
  await line.getByRole('button', { name: 'Show $12.00 in LTC' }).click();
  await expect(waiting).toBeVisible();

  await checkout.getByRole('button', { name: /^Pay [\d.]+ LTC$/ }).click();
  const settled = page.getByRole('dialog', { name: 'Payment received' });
  await untilShown(settled);
  await expect(line).toBeHidden();
  await expect(settled.getByText('Your tokens are bought')).toBeVisible();
  await settled.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('region', { name: 'Recent Purchases' })).toContainText('40 tokens');
  await checkout.close();
});

test('credits, reviews and expires deposits', async ({ browser }) => {
  const page = await pageWithClock(browser);
  await page.getByRole('button', { name: 'Deposit Crypto' }).click();
  const form = page.getByRole('dialog', { name: 'Deposit Crypto' });
  const amount = form.getByLabel('Deposit amount, whole dollars');
  await amount.fill('6');
  await form.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(toastOf(page)).toContainText('Minimum Amount Required');
  await form.getByRole('radio', { name: 'Litecoin, LTC' }).check({ force: true });
  await amount.fill('25');
  await expect(form.getByText('$1.25')).toBeVisible();
  await expect(form.getByText('$26.25')).toBeVisible();
  await checkPage(page, 'gamer-deposit');

  for (const [action, heading, text] of [
    ['Underpay', 'Payment under review', 'Someone is reviewing this payment.'],
    ['Expire', 'Payment expired', 'This payment has expired.'],
    ['Pay ', 'Payment received', 'Credited to your purchase balance'],
  ] as const) {
    const checkout = await continueToPayment(page, form);
    await checkout
      .getByRole('button', { name: new RegExp(`^${action}`) })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: heading });
    await untilShown(dialog);
    await expect(dialog.getByText(text)).toBeVisible();
    // The row is below the dialog, after a live message; later payments add none.
    await expect(page.locator('[aria-label="Payments under review"] > li')).toHaveCount(1);
    await expect(page.getByText(/: on its way/)).toHaveCount(0);
    await checkout.close();
    if (action !== 'Pay ') await dialog.getByRole('button', { name: 'New payment' }).click();
  }
  await page.keyboard.press('Escape');
  await expect(stageOf(page).getByText('$21.80')).toBeVisible();
  const line = page.getByRole('list', { name: 'Open payments' });
  await expect(line).toContainText('in LTC: expired, do not send any more · show');
  const inReview = page.getByRole('list', { name: 'Payments under review' });
  await expect(inReview).toContainText('in LTCIt is not in your purchase balance yet. Less arrived than was due.');
});

test('leads a gamer whose payment was rejected to support', CAMPAIGN, async ({ browser }) => {
  const page = await pageWithClock(browser);
  await page.getByRole('button', { name: 'Deposit Crypto' }).click();
  const checkout = await continueToPayment(page, page.getByRole('dialog', { name: 'Deposit Crypto' }));
  await checkout
    .getByRole('button', { name: /^Underpay/ })
    .first()
    .click();
  await untilShown(page.getByRole('dialog', { name: 'Payment under review' }));
  const pending = await app.admin.get<PendingDeposit[]>(`${app.url}/api/admin/deposits/pending`);
  const deposit = pending.find(({ gamerTag }) => gamerTag === 'mona_w');
  await app.asAdmin('reject-deposit', { depositId: deposit?.id });
  const rejected = page.getByRole('dialog', { name: 'Payment rejected' });
  await untilShown(rejected);
  await expect(rejected.getByText('This payment was not credited. Please contact support.')).toBeVisible();
  await rejected.getByRole('link', { name: 'Contact Support' }).click();
  const support = page.getByRole('dialog', { name: 'Support Center' });
  await expect(support).toBeVisible();
  await checkout.close();
  await page.reload();
  const line = page.getByRole('listitem').filter({ hasText: 'Payment rejected: $' });
  await expect(line).toContainText(`Payment number for support: ${deposit?.paymentId}.`);
});

/** Opens ada's main page with a clock that the test can move forward. */
async function pageWithClock(browser: Browser): Promise<Page> {
  const page = await app.blankPage(browser, ada);
  await page.clock.install();
  await page.goto('/');
  return page;
}

/** Waits for a dialog that the page shows when it next asks for the payment's status, which it does every five seconds. */
async function untilShown(dialog: Locator): Promise<void> {
  await expect(async () => {
    await dialog.page().clock.fastForward(5_000);
    await expect(dialog).toBeVisible({ timeout: 500 });
  }).toPass();
}

/** Continues to the payment page, which opens in a new tab. */
async function continueToPayment(page: Page, form: Locator): Promise<Page> {
  const [checkout] = await Promise.all([
    page.waitForEvent('popup'),
    form.getByRole('button', { name: 'Continue to payment' }).click(),
  ]);
  await checkout.waitForURL(/\/payment\//);
  return checkout;
}

test('transfers winnings to the purchase balance', async ({ browser }) => {
  const page = await app.page(browser, ada);
  await page.getByRole('button', { name: 'Transfer to Purchase Balance' }).click();
  const dialog = page.getByRole('dialog', { name: 'Transfer to Purchase Balance' });
  const transfer = async (amount: string) => {
    await dialog.getByLabel('Amount').fill(amount);
    await dialog.getByRole('button', { name: /^Transfer/ }).click();
  };
  await transfer('9999');
  await expect(dialog.getByText(refusalText({ code: 'transfer-exceeds-winnings' }))).toBeVisible();
  await checkPage(page, 'gamer-transfer');
  await transfer('23.45');
  await expect(toastOf(page)).toContainText('$23.45 is in your purchase balance.');
  await expect(dialog).toBeHidden();
  await expect(page.locator('.stat')).toContainText('$100.00');
});

test('withdraws winnings and saves the wallet', async ({ browser }) => {
  const page = await app.page(browser, ada);
  const open = page.getByRole('button', { name: 'Withdraw Winnings' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw Winnings' });
  const withdraw = dialog.getByRole('button', { name: /^Withdraw/ });
  const amount = dialog.getByLabel('Amount');
  await page.setViewportSize(PHONE);
  await expect(withdraw).toBeInViewport({ ratio: 1 });
  await page.setViewportSize(DESKTOP);
  await dialog.getByRole('radio', { name: 'Bitcoin, BTC' }).check({ force: true });
  const address = dialog.getByLabel('Wallet address');
  await address.fill(LONGEST_BITCOIN_ADDRESS);
  await page.setViewportSize({ ...DESKTOP, width: 360 });
  const hiddenPx = (field: HTMLElement): number => field.scrollHeight - field.clientHeight;
  expect(await address.evaluate(hiddenPx), 'the address is in view as a whole').toBe(0);
  await checkPage(page, 'gamer-withdraw-address');
  await page.setViewportSize(DESKTOP);
  await dialog.getByRole('radio', { name: 'Dogecoin, DOGE' }).check({ force: true });
  await address.fill(DOGE_ADDRESS);
  await expect(dialog.getByRole('switch', { name: 'Save this wallet for next time' })).toBeChecked();
  await amount.fill('40,0');
  await withdraw.click();
  await expect(dialog.getByRole('button', { name: 'Back' })).toBeFocused();
  await expect(dialog).toContainText(`Withdraw $40.00 in DOGE to this address?${DOGE_ADDRESS}`);
  await expect(dialog).toContainText('Withdrawals are processed manually in 24-48 hours and cannot be reversed.');
  await checkPage(page, 'gamer-withdraw-asked');
  await dialog.getByRole('button', { name: 'Withdraw $40.00' }).click();
  await expect(toastOf(page)).toContainText('Withdrawal Requested');
  await expect(page.getByText('Pending', { exact: true })).toBeVisible();
  await expect(page.locator('.stat')).toContainText('$60.00');

  await open.click();
  await expect(dialog.getByLabel('Wallet address')).toHaveValue(DOGE_ADDRESS);
  await expect(dialog.getByText('Your saved DOGE wallet.')).toBeVisible();
});

test('wins the jackpot and shares the win; the loser reads who won', CAMPAIGN, async ({ browser }) => {
  const page = await app.page(browser, ada);
  const loser = await app.gamer('lena_l', { tokens: 5 });
  const losersPage = await app.page(browser, loser);
  // The winner's screen has confetti, unless motion is reduced.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await app.resetGame();
  // The last purchase adds enough seconds for a slow machine to show its outcome.
  await app.startShortRound(4, 6);
  expect(await loser.buy(app.url, 1)).toMatchObject({ quantity: 1 });
  await openBuyDialog(losersPage);
  await expect(buyDialog(losersPage).locator('.sheet-clock--last')).toBeVisible();
  expect(await ada.buy(app.url, 1)).toMatchObject({ quantity: 1 });
  await expect(buyDialog(losersPage).getByRole('status')).toHaveText('mona_w bought after you.');
  await openBuyDialog(page);
  await checkPage(losersPage, 'gamer-buy-last-seconds');
  const over = (of: Page) => of.getByRole('dialog', { name: 'The round is over' });
  // Checked in parallel: the banner is shown for eight seconds only.
  await Promise.all([
    expect(losersPage.locator('.winner')).toContainText('won the jackpot as the last buyer.'),
    expect(page.locator('.winner')).toContainText('Congratulations on your jackpot win!'),
  ]);
  await expect(over(losersPage)).toContainText(/^The round is overmona_w won \$\d+\.\d\d in round \d+\./);
  await expect(over(losersPage)).toContainText('Your last purchase, 1 token, was overtaken by mona_w.');
  await expect(losersPage.locator('.lastbuyer')).toContainText('Your last purchase, 1 token, was overtaken by');
  await checkPage(losersPage, 'gamer-round-over');
  await over(page).getByRole('link', { name: 'See My Winnings' }).click();
  await expect(page.getByRole('region', { name: 'My Winnings' })).toBeFocused();
  await page.getByRole('button', { name: 'Recent Winners' }).click();
  await expect(page.getByRole('region', { name: 'Recent winners' })).toContainText('mona_wYou');
  await checkPage(page, 'gamer-won');
  await page.keyboard.press('Escape');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Share my win' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^I won \$\d+\.\d\d in round \d+ of Omni Jackpot\. http.*\?ref=/,
  );
});
