import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Locator, type Page, test } from '@playwright/test';
import type { AuditLedgerResponse } from '../../contracts/http/audit.js';
import { adminOf, dialogOf, openGamer, openPanel, panelOf, questionOf } from '../admin-panel.js';
import { fillRegistration, openLogin, stageOf } from '../game-page.js';
import type { HttpGamer } from '../http-gamer.js';
import { hurryPayments, orderDeposit, payAs, unknownPayment } from '../payments.js';
import { ownApp, DESKTOP as README_SIZE } from '../test-app.js';

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const DOGECOIN = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L';

/** The gamers in the pictures, and their sponsors. */
const GAMERS: [gamerTag: string, sponsor: string | null][] = [
  ['ada_west', null],
  ['Kestrel', 'ada_west'],
  ['nova_kid', 'ada_west'],
  ['lowtide', 'ada_west'],
  ['Mirela-88', 'Kestrel'],
  ['jo_harbor', 'Kestrel'],
  ['Tamsin', 'nova_kid'],
  ['big_owl', 'nova_kid'],
  ['sunday_driver', 'lowtide'],
  ['Petra_K', 'ada_west'],
  ['oak_and_ash', 'Mirela-88'],
  ['quietstorm', 'Tamsin'],
];

const POSTS = [
  ['big_owl', 'First time here. Is it always this close at the end?'],
  ['Tamsin', 'Nearly had it on Tuesday. Four seconds.'],
  ['lowtide', 'Put 30 seconds on and went to make tea. Mistake.'],
  ['Kestrel', 'Good round. The last lamp was mine for a whole minute.'],
] as const;

const TICKETS = [
  ['nova_kid', 'Which network for LTC?', 'The payment page says LTC. Is that the ordinary Litecoin network?'],
  ['jo_harbor', 'A new email address', 'I changed my provider. Can you put the new address on my account?'],
  ['Mirela-88', 'My payout of Monday', 'Has it been sent? I see it as processing.'],
] as const;

const IMAGES = 'docs/images/gallery';
const PAGE = 'docs/gallery.md';
const DESKTOP = { width: 1280, height: 720 };
const SIZES = [{ width: 360, height: 740 }, DESKTOP];
/** The first screen must be whole at all of these. */
const FIRST_SCREEN_SIZES = [...SIZES, { width: 768, height: 1024 }, { width: 1440, height: 900 }];
/** JPEG quality; of these dark pages JPEG takes a fifth of the bytes of PNG. */
const QUALITY = 70;

const HEAD = `# Gallery

Every screen, taken from the running application by \`npm run gallery\`. The gamers and their messages are made up.
`;

interface Shot {
  name: string;
  caption: string;
  sizes: typeof SIZES;
}

function shown({ name, caption, sizes }: Shot): string {
  const links = sizes
    .filter((size) => size !== DESKTOP)
    .map(({ width, height }) => `[${width}×${height}](images/gallery/${name}-${width}.jpg)`);
  return `${caption} (${links.join(', ')})\n\n![](images/gallery/${name}-${DESKTOP.width}.jpg)`;
}

interface ShootOptions {
  sizes?: typeof SIZES;
  /** Element to scroll to the top of the window; the page's top when absent. */
  at?: Locator;
  /** The whole page instead of the window. */
  whole?: boolean;
  /** Presses Escape afterwards, to close a dialog. */
  closes?: boolean;
}

/** Takes each screen at each size, and writes docs/gallery.md. */
class Album {
  private readonly groups: { title: string; shots: Shot[] }[] = [];

  group(title: string): void {
    this.groups.push({ title, shots: [] });
  }

  async shoot(page: Page, name: string, caption: string, options: ShootOptions = {}): Promise<void> {
    const { at, whole = false, closes = false, sizes = SIZES } = options;
    await mkdir(IMAGES, { recursive: true });
    for (const { width, height } of sizes) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => document.fonts.ready);
      if (at) await at.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }));
      else if ((await page.locator('[role=dialog], [role=alertdialog]').count()) === 0)
        await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
      await page.waitForTimeout(350); // A sheet opens in 280 ms.
      const path = join(IMAGES, `${name}-${width}.jpg`);
      await page.screenshot({ path, type: 'jpeg', quality: QUALITY, fullPage: whole });
    }
    this.groups.at(-1)?.shots.push({ name, caption, sizes });
    if (closes) await page.keyboard.press('Escape');
  }

  async write(): Promise<void> {
    const parts = this.groups.map(({ title, shots }) => `## ${title}\n\n${shots.map(shown).join('\n\n')}`);
    await writeFile(PAGE, `${HEAD}\n${parts.join('\n\n')}\n`);
  }
}

const album = new Album();
const gamers = new Map<string, HttpGamer>();

test.describe.configure({ mode: 'serial' });

const app = ownApp('gallery');

const firstScreen = (page: Page, name: string, caption: string) =>
  album.shoot(page, name, caption, { sizes: FIRST_SCREEN_SIZES });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const gamer = (gamerTag: string): HttpGamer => gamers.get(gamerTag) as HttpGamer;

test('a visitor', async ({ browser }) => {
  album.group('Arriving');
  const loading = await app.blankPage(browser);
  await loading.route('**/{api,ws}/**', () => undefined);
  await loading.goto('/');
  await firstScreen(loading, 'loading', 'The main page until the round is known.');
  await loading.close();
  const page = await app.page(browser);
  await expect(stageOf(page).getByText('Game Ready to Start')).toBeVisible();
  await firstScreen(page, 'idle', 'The main page before the first round.');
  const form = page.getByRole('form', { name: 'Register' });
  await fillRegistration(form, { gamerTag: 'ada_west', password: 'a long pass phrase' }, 'a long pas phrase');
  await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).click();
  await album.shoot(page, 'register', 'Registering, with two passwords that differ.', {
    at: region(page, 'Register and Login'),
  });
  await openLogin(page);
  await album.shoot(page, 'login', 'Logging in, on the other tab.', { at: region(page, 'Register and Login') });
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await album.shoot(
    page,
    'forgot-password',
    'A forgotten password. The answer is the same whether the account exists or not.',
  );
  await page.route('**/reset-password/check', (route) => route.fulfill({ json: {} }));
  await page.goto('/reset-password?token=from-the-mail');
  await album.shoot(page, 'reset-password', 'The page that the mailed link leads to.');
  await page.goto('/gamers-guide');
  await album.shoot(page, 'guide', 'The Gamer’s Guide: film, rules, fee split, matrix, tips.', { whole: true });
  await page.goto('/payment-success');
  await album.shoot(page, 'payment-success', 'Back from the payment page.');
  await page.goto('/no/such/place');
  await album.shoot(page, 'not-found', 'An unknown path.');
  await page.context().close();
  await registerGamers();
});

test('a round', async ({ browser }) => {
  album.group('A round');
  const page = await app.page(browser, gamer('ada_west'));
  const stage = stageOf(page);
  await app.setTimers({ pregame: 15, live: 25, downtime: 14_400, extension: 30 });
  await app.asAdmin('game/start');
  await expect(stage.getByText('Game Starting Soon')).toBeVisible();
  await firstScreen(page, 'pregame', 'Pregame: the lamps are not lit yet.');
  await expect(stage.getByText('LIVE GAME NOW ACTIVE')).toBeVisible({ timeout: 30_000 });
  await buy([
    ['Kestrel', 2],
    ['ada_west', 1],
    ['nova_kid', 2],
  ]);
  await page.locator('.extend').waitFor({ state: 'hidden' });
  await firstScreen(page, 'live', 'Live: a lamp for each 30 seconds, with the buyer’s name.');
  await page.setViewportSize(README_SIZE);
  // The README's picture.
  await page.screenshot({ path: 'docs/images/live-round.jpg', type: 'jpeg', quality: QUALITY });
  await buy([
    ['lowtide', 7],
    ['big_owl', 12],
    ['ada_west', 4],
    ['Tamsin', 1],
    ['jo_harbor', 9],
    ['Mirela-88', 3],
  ]);
  await page.locator('.extend').waitFor({ state: 'hidden' });
  await album.shoot(page, 'live-busy', 'A busy round: slim lamps for each purchase.');
  await page.getByRole('button', { name: 'Buy Tokens from Balance' }).click();
  await page.getByRole('dialog', { name: 'Buy from Balance' }).getByLabel('How many tokens').fill('5');
  await album.shoot(page, 'buy', 'Buying from the balance, with the clock in sight.');
  await page.getByRole('button', { name: 'Buy with crypto' }).click();
  await album.shoot(page, 'buy-crypto', 'Buying with crypto.', { closes: true });
  await app.asAdmin('game/reset', { reason: 'a shorter round for the picture' });
  await app.setTimers({ pregame: 1, live: 10, downtime: 14_400, extension: 30 });
  await app.asAdmin('game/start');
  // The page may still show the round before as live until it gets the reset.
  await app.until(({ gameState, isActive }) => gameState === 'live' && isActive);
  await expect(stage.getByText('LIVE GAME NOW ACTIVE')).toBeVisible({ timeout: 20_000 });
  await buy([
    ['nova_kid', 1],
    ['ada_west', 1],
  ]);
  // For the next round: timers apply from the next phase on.
  await app.setTimers({ pregame: 180, live: 120, downtime: 14_400, extension: 30 });
  await expect(stage.getByRole('timer')).toHaveText(/00:0[89]/, { timeout: 90_000 });
  await firstScreen(page, 'last-seconds', 'The last seconds: one lamp is left, with its buyer’s name.');
  await expect(page.getByText('WINNER!')).toBeVisible({ timeout: 20_000 });
  await album.shoot(page, 'winner', 'The winner, for eight seconds.');
  await expect(page.getByText('WINNER!')).toBeHidden({ timeout: 15_000 });
  await firstScreen(page, 'downtime', 'Downtime: the prize is paid, and the clock runs to the next pregame.');
  await page.goto('/verify?round=2');
  await expect(page.getByText('All 4 steps hold')).toBeVisible({ timeout: 20_000 });
  await album.shoot(page, 'verify', 'The public check of the ledger: a round’s winner.', { whole: true });
  await page.goto('/record');
  await expect(page.getByText('Timers changed').first()).toBeVisible();
  await album.shoot(page, 'public-record', 'The public record of resets, timers, outages and adjustments.', {
    whole: true,
  });
  await page.goto('/rounds/2');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await album.shoot(page, 'round', 'A past round, with one’s own purchases marked.');
  await page.goto('/');
  await expect(stage.getByText('Game Ended - Next Round Soon')).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText('Connection lost - Attempting to reconnect...')).toBeVisible({ timeout: 60_000 });
  await album.shoot(page, 'connection-lost', 'A lost connection: the clock loses its colour.');
  await page.context().close();
});

test('a gamer’s page', async ({ browser }) => {
  album.group('A gamer’s page');
  await writePostsAndTickets();
  await makePayments();
  const page = await app.page(browser, gamer('ada_west'));
  await expect(region(page, 'My Winnings')).toContainText('$');
  await album.shoot(page, 'gamer-page', 'The whole page of a gamer who is logged in.', { whole: true });
  await page.getByRole('button', { name: 'Menu' }).click();
  await album.shoot(page, 'menu', 'The menu, the same at every width.', { closes: true });
  await page.goto('/statement');
  await expect(region(page, 'Every movement').getByRole('row').nth(1)).toBeVisible();
  await album.shoot(page, 'movements', 'The statement: what it adds up to, and every movement with its balance.');
  await page.goto('/');
  await page.getByRole('button', { name: 'Deposit Crypto' }).click();
  const deposit = dialogOf(page, 'Deposit Crypto');
  await expect(deposit.getByRole('button', { name: 'Continue to payment' })).toBeVisible();
  await album.shoot(page, 'deposit', 'A deposit in whole dollars, with the fee.');
  const [checkout] = await Promise.all([
    page.waitForEvent('popup'),
    deposit.getByRole('button', { name: 'Continue to payment' }).click(),
  ]);
  await checkout.close();
  await expect(page.getByRole('dialog', { name: /^Send/ })).toBeVisible();
  await album.shoot(page, 'deposit-waiting', 'Waiting for the payment, with address and QR code.', { closes: true });
  await page.getByRole('button', { name: 'Withdraw Winnings' }).click();
  await album.shoot(page, 'withdraw', 'Withdrawing winnings to a saved wallet.', { closes: true });
  await page.getByRole('button', { name: 'Transfer to Purchase Balance' }).click();
  await album.shoot(page, 'transfer', 'Winnings become purchase balance.', { closes: true });
  await album.shoot(page, 'matrix', 'My matrix: seven levels, and the winnings of each.', {
    at: region(page, 'My 3x7 Matrix Genealogy'),
  });
  await page.getByRole('button', { name: 'Open the seating plan' }).click();
  const explorer = dialogOf(page, "ada_west's Genealogy Tree");
  await expect(explorer.getByRole('button', { name: /^Level 1/ }).first()).toBeVisible();
  await album.shoot(page, 'genealogy', 'The seating plan: level tiles and the tree.');
  await explorer.getByLabel('Find a gamer by tag').fill('o');
  await expect(explorer.getByText(/gamers found/)).toBeVisible();
  await album.shoot(page, 'genealogy-search', 'Finding a gamer of the tree by a part of the tag.', {
    at: explorer.getByRole('search'),
  });
  await explorer.getByRole('button', { name: /^Level 1: / }).click();
  await album.shoot(page, 'level', 'The gamers of one level.');
  for (let open = 0; open < 2; open += 1) await page.keyboard.press('Escape');
  await album.shoot(page, 'community', 'The community feed.', { at: region(page, 'Gamers Community Feed') });
  await page.getByRole('button', { name: 'Need Help? Contact Support' }).click();
  const support = dialogOf(page, 'Support Center');
  await support.getByRole('tab', { name: 'Create Ticket' }).click();
  await album.shoot(page, 'support', 'The Support Center.');
  await page.goto('/protection');
  await expect(page.getByRole('heading', { name: 'Take a break' })).toBeVisible();
  await album.shoot(page, 'limits', 'My Limits: a time-out or a self-exclusion, decided by the gamer.', {
    whole: true,
  });
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'My Account' })).toBeVisible();
  await album.shoot(page, 'account', 'My Account: email, password, devices.', { whole: true });
  await page.context().close();
});

test('the audit screens', async ({ browser }) => {
  album.group('The audit screens');
  const admin = await adminOf(app);
  await app.asAdmin(`mini/gamers/${gamer('oak_and_ash').id}/role`, { role: 'auditor' });
  const page = await app.blankPage(browser, gamer('oak_and_ash'));
  await page.goto('/audit');
  await page.getByRole('button', { name: 'Verify now' }).click();
  await expect(page.getByText('Ledger and tables agree to the cent')).toBeVisible({ timeout: 60_000 });
  // The last purchase won its round.
  const { events } = await admin.get<AuditLedgerResponse>(
    `${app.url}/api/audit/ledger?before=1000000&count=1&type=TokenPurchased`,
  );
  await page.goto(`/audit?event=${events[0]?.number}`);
  await expect(page.getByText('Recomputed here, equal to what was stored.')).toBeVisible();
  await album.shoot(page, 'audit', 'The audit screens: accounts and round as of any event.', { whole: true });
  const statement = page.getByRole('form', { name: 'Statement' });
  await statement.getByLabel('Account').selectOption('A gamer’s winnings');
  await statement.getByLabel('GamerTag').fill('ada_west');
  await statement.getByRole('button', { name: 'Show statement' }).click();
  await expect(page.getByRole('heading', { name: 'ada_west, winnings' })).toBeVisible();
  await album.shoot(page, 'audit-statement', 'A statement, to print or to save as a file.', { at: statement });
  await page.context().close();
});

test('the admin panels', async ({ browser }) => {
  album.group('The admin panels');
  const visitor = await app.page(browser, gamer('big_owl'));
  await album.shoot(visitor, 'admin-locked', 'The admin panels as other gamers see them.', {
    at: region(visitor, 'Admin Panel'),
  });
  await visitor.context().close();
  const page = await app.page(browser, await adminOf(app));
  const panel = (name: string) => panelOf(page, name);
  const shootPanel = async (heading: string, name: string, caption: string) => {
    await expect((await openPanel(page, heading)).getByRole('status')).toHaveCount(0);
    await album.shoot(page, name, caption, { at: panel(heading) });
  };
  await shootPanel('Waiting for you', 'admin-waiting', 'What waits for the admin, and the oldest case of each kind.');
  await shootPanel('Admin Profits', 'admin-profits', 'The operator’s profit, and the other `house:*` accounts.');
  await panel('Admin Profits').getByRole('button', { name: 'Withdraw profit' }).click();
  await album.shoot(page, 'admin-withdraw-profit', 'Requesting a profit withdrawal.', { closes: true });
  await shootPanel('Support Tickets', 'admin-tickets', 'Support tickets, with search, sorting and export.');
  await panel('Support Tickets')
    .getByRole('button', { name: /^Answer jo_harbor/ })
    .click();
  await dialogOf(page, 'A new email address')
    .getByLabel(/^Answer to/)
    .fill('Done. The next mail comes to the new one.');
  await album.shoot(page, 'admin-ticket', 'Answering a ticket.', { closes: true });
  await shootPanel('Deposits', 'admin-deposits', 'Deposits: lookup and pending ones.');
  await panel('Deposits')
    .getByRole('button', { name: /^Approve payment/ })
    .first()
    .click();
  await album.shoot(page, 'admin-approve', 'Approving a deposit: the dialog says what it does.', { closes: true });
  await shootPanel('Withdrawals', 'admin-withdrawals', 'Pending withdrawals, and the amount reserved for them.');
  await panel('Withdrawals')
    .getByRole('button', { name: /^Pay Kestrel/ })
    .click();
  await album.shoot(page, 'admin-settle', 'Settling a withdrawal: a final status is called final.', { closes: true });
  await shootPanel('Game Control', 'admin-game', 'Game control: phases, commands, timers.');
  await panel('Game Control').getByRole('button', { name: 'Reset to Idle' }).click();
  await album.shoot(page, 'admin-reset', 'A reset says what happens to the round and its money.', { closes: true });
  await shootPanel('Gamers Mini-Manager', 'admin-gamers', 'The Gamers Mini-Manager.');
  const kestrel = await openGamer(page, 'Kestrel');
  await album.shoot(page, 'admin-edit', 'A gamer’s page, for staff.');
  await kestrel.getByRole('button', { name: 'Delete gamer' }).click();
  await questionOf(page, 'Delete Kestrel for good?').getByLabel('Type Kestrel to confirm').fill('Kestr');
  await album.shoot(page, 'admin-delete', 'Deleting a gamer requires the typed tag.', { closes: true });
  await shootPanel('Player protection', 'admin-protection', 'The operator’s profile, exclusions and limits.');
  await shootPanel('Community posts', 'admin-posts', 'Community posts, each with a button to hide it for good.');
  await shootPanel('Sign-ins', 'admin-sign-ins', 'Sign-ins, failed ones too, for 90 days.');
  await page.goto('/staff');
  await page.getByLabel('Your password').fill(app.application.adminPassword ?? '');
  await page.getByRole('button', { name: 'Set up an authenticator' }).click();
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
  await album.shoot(page, 'second-factor', 'Setting up the second factor of staff.');
  await album.write();
});

/** Registers the gamers, each with a balance; sponsors are depositors. */
async function registerGamers(): Promise<void> {
  for (const [gamerTag, sponsor] of GAMERS) {
    const referralCode = sponsor === null ? null : (gamers.get(sponsor)?.refCode ?? null);
    const isDepositor = GAMERS.some(([, of]) => of === gamerTag);
    gamers.set(gamerTag, await app.gamer(gamerTag, { tokens: 400, isDepositor, referralCode }));
  }
}

async function buy(purchases: readonly (readonly [string, number])[]): Promise<void> {
  for (const [gamerTag, quantity] of purchases) {
    expect(typeof (await gamer(gamerTag).buy(app.url, quantity))).toBe('object');
    await sleep(150);
  }
}

async function writePostsAndTickets(): Promise<void> {
  for (const [gamerTag, message] of POSTS) await postAs(gamerTag, 'community/posts', { message });
  for (const [gamerTag, subject, message] of TICKETS) await postAs(gamerTag, 'support/tickets', { subject, message });
}

/** Makes deposits and withdrawals, some settled and some pending. */
async function makePayments(): Promise<void> {
  await hurryPayments(app);
  for (const [gamerTag, dollars, action] of [
    ['Kestrel', 50, 'pay'],
    ['Petra_K', 20, 'pay'],
    ['big_owl', 100, 'underpay'],
    ['Tamsin', 25, 'overpay'],
  ] as const)
    await payAs(app, await orderDeposit(app, gamer(gamerTag), dollars), action);
  await unknownPayment(app, 42);
  for (const [gamerTag, dollars] of [
    ['ada_west', 24],
    ['Kestrel', 18],
    ['Mirela-88', 12],
  ] as const) {
    const { id } = gamer(gamerTag);
    const winnings = {
      purchaseBalanceCents: 0,
      totalWinningsCents: dollars * 100 + 1_140,
      reason: 'an earlier season',
    };
    await app.asAdmin(`mini/gamers/${id}/adjust`, winnings);
    const request = { cryptoType: 'DOGE', walletAddress: DOGECOIN, amountCents: dollars * 100 };
    expect((await gamer(gamerTag).post(`${app.url}/api/gamer/${id}/withdraw`, request)).status).toBe(200);
  }
  const wallet = { cryptoType: 'BTC', walletAddress: BITCOIN };
  const { id } = gamer('ada_west');
  await gamer('ada_west').post(`${app.url}/api/gamer/${id}/crypto-wallets`, wallet);
}

async function postAs(gamerTag: string, path: string, body: object): Promise<void> {
  const answer = await gamer(gamerTag).post(`${app.url}/api/${path}`, { gamerId: gamer(gamerTag).id, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
}
