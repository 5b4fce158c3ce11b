import { type Browser, expect, type Page, test } from '@playwright/test';
import type { AuditLedgerResponse } from '../../contracts/http/audit.js';
import { adminOf, dialogOf, questionOf, roomOf, rowsOf } from '../desk.js';
import type { GamerByHttp } from '../gamers-by-http.js';
import { stageOf } from '../people.js';
import { Scene } from '../scene.js';
import { Album } from './album.js';
import { buy, type Cast, gather, moveMoney, rememberMonth, write } from './cast.js';

const album = new Album();
let scene: Scene;
let cast: Cast;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  test.setTimeout(180_000);
  scene = await Scene.open('gallery');
});

test.afterAll(() => scene?.close());

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const gamer = (gamerTag: string): GamerByHttp => cast.get(gamerTag) as GamerByHttp;
const opened = (browser: Browser, as?: GamerByHttp): Promise<Page> => scene.page(browser, as);

test('a visitor', async ({ browser }) => {
  const page = await opened(browser);
  album.group('Arriving');
  await expect(stageOf(page).getByText('Game Ready to Start')).toBeVisible();
  await album.shoot(page, 'idle', 'The house before its first round.');
  const register = page.getByRole('form', { name: 'Register' });
  await register.getByLabel('GamerTag').fill('ada_west');
  await register.getByLabel('Email').fill('ada@example.com');
  await register.getByLabel('Password', { exact: true }).fill('a long pass phrase');
  await register.getByLabel('Confirm Password').fill('a long pas phrase');
  await register.getByRole('button', { name: 'Register' }).click();
  await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).click();
  await album.shoot(page, 'register', 'Registering, with two passwords that differ.', {
    at: region(page, 'Register and Login'),
  });
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await album.shoot(page, 'forgot-password', 'A forgotten password: a link is mailed, or not; the answer is the same.');
  await page.goto('/reset-password?token=from-the-mail');
  await album.shoot(page, 'reset-password', 'The page that the mailed link leads to.');
  await page.goto('/gamers-guide');
  await album.shoot(page, 'guide', 'The Gamer’s Guide: film, rules, fee split, matrix, tips.', { whole: true });
  await page.goto('/payment-success');
  await album.shoot(page, 'payment-success', 'Back from the payment page.');
  await page.goto('/no/such/place');
  await album.shoot(page, 'not-found', 'A path that leads nowhere.');
  await page.context().close();
  cast = await gather(scene);
});

test('a round', async ({ browser }) => {
  album.group('A round');
  const page = await opened(browser, gamer('ada_west'));
  const stage = stageOf(page);
  await scene.setTimers({ pregame: 15, live: 25, downtime: 14_400, extension: 30 });
  await scene.asAdmin('game/start');
  await expect(stage.getByText('Game Starting Soon')).toBeVisible();
  await album.shoot(page, 'pregame', 'Pregame: the lamps are not lit yet.');
  await expect(stage.getByText('LIVE GAME NOW ACTIVE')).toBeVisible({ timeout: 30_000 });
  await buy(scene, cast, [
    ['Kestrel', 2],
    ['ada_west', 1],
    ['nova_kid', 2],
  ]);
  await page.locator('.extend').waitFor({ state: 'hidden' });
  await album.shoot(page, 'live', 'Live: a lamp for each 30 seconds, with the name of who bought it.');
  await buy(scene, cast, [
    ['lowtide', 7],
    ['big_owl', 12],
    ['ada_west', 4],
    ['Tamsin', 1],
    ['jo_harbor', 9],
    ['Mirela-88', 3],
  ]);
  await page.locator('.extend').waitFor({ state: 'hidden' });
  await album.shoot(page, 'live-busy', 'A busy round: a bar for each purchase.');
  await page.getByRole('button', { name: 'Buy Tokens from Balance' }).click();
  await page.getByRole('dialog', { name: 'Buy from Balance' }).getByLabel('How many tokens').fill('5');
  await album.shoot(page, 'buy', 'Buying from the balance, with the clock in sight.');
  await page.getByRole('button', { name: 'Pay with crypto instead' }).click();
  await album.shoot(page, 'buy-crypto', 'Buying with crypto.');
  await page.keyboard.press('Escape');
  await scene.asAdmin('game/reset', { reason: 'a shorter round for the picture' });
  await scene.setTimers({ pregame: 1, live: 10, downtime: 14_400, extension: 30 });
  await scene.asAdmin('game/start');
  // The page may not have heard yet that the round before is void, and still call that one live.
  await scene.until(({ gameState, isActive }) => gameState === 'live' && isActive);
  await expect(stage.getByText('LIVE GAME NOW ACTIVE')).toBeVisible({ timeout: 20_000 });
  await buy(scene, cast, [
    ['nova_kid', 1],
    ['ada_west', 1],
  ]);
  // What the next round will be: these hold from the next phase on.
  await scene.setTimers({ pregame: 180, live: 120, downtime: 14_400, extension: 30 });
  await expect(stage.getByRole('timer')).toHaveText(/00:0[5-9]/, { timeout: 90_000 });
  await album.shoot(page, 'last-seconds', 'The last seconds: one lamp is left, and whose it is.');
  await expect(page.getByText('WINNER!')).toBeVisible({ timeout: 20_000 });
  await album.shoot(page, 'winner', 'The winner, for eight seconds.');
  await expect(page.getByText('WINNER!')).toBeHidden({ timeout: 15_000 });
  await page.getByRole('button', { name: 'Recent Winners' }).click();
  await album.shoot(page, 'downtime', 'Downtime, and the recent winners.');
  await page.keyboard.press('Escape');
  await page.context().setOffline(true);
  await expect(page.getByText('Connection lost - Attempting to reconnect...')).toBeVisible({ timeout: 60_000 });
  await album.shoot(page, 'connection-lost', 'A lost connection: the clock loses its colour.');
  await page.context().close();
});

test('a gamer’s own', async ({ browser }) => {
  album.group('A gamer’s own');
  await write(scene, cast);
  await moveMoney(scene, cast);
  const page = await opened(browser, gamer('ada_west'));
  await expect(region(page, 'My Winnings')).toContainText('$');
  await album.shoot(page, 'gamer-page', 'The whole page of somebody who is logged in.', { whole: true });
  await page.getByRole('button', { name: 'Deposit Crypto' }).click();
  const deposit = dialogOf(page, 'Deposit Crypto');
  await album.shoot(page, 'deposit', 'A deposit: whole dollars, and what the fee adds.');
  const [checkout] = await Promise.all([
    page.waitForEvent('popup'),
    deposit.getByRole('button', { name: 'Continue to payment' }).click(),
  ]);
  await checkout.close();
  await expect(page.getByRole('dialog', { name: /^Send/ })).toBeVisible();
  await album.shoot(page, 'deposit-waiting', 'Waiting for the payment, with address and QR code.');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Withdraw Winnings' }).click();
  await album.shoot(page, 'withdraw', 'Withdrawing winnings to a saved wallet.');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Transfer to Purchase Balance' }).click();
  await album.shoot(page, 'transfer', 'Winnings become purchase balance.');
  await page.keyboard.press('Escape');
  await album.shoot(page, 'matrix', 'My matrix: seven levels, and what each has paid.', {
    at: region(page, 'My 3x7 Matrix Genealogy'),
  });
  await page.getByRole('button', { name: 'Open the seating plan' }).click();
  const explorer = dialogOf(page, "ada_west's Genealogy Tree");
  await expect(explorer.getByRole('button', { name: /^Level 1/ }).first()).toBeVisible();
  await album.shoot(page, 'genealogy', 'The seating plan: level tiles and the tree.');
  await explorer.getByRole('button', { name: /^Level 1: / }).click();
  await album.shoot(page, 'level', 'The gamers of one level.');
  for (let open = 0; open < 2; open += 1) await page.keyboard.press('Escape');
  await album.shoot(page, 'community', 'The community feed.', { at: region(page, 'Gamers Community Feed') });
  await page.getByRole('button', { name: 'Need Help? Contact Support' }).click();
  const support = dialogOf(page, 'Support Center');
  await support.getByRole('tab', { name: 'Create Ticket' }).click();
  await album.shoot(page, 'support', 'The Support Center.');
  await page.context().close();
});

test('the auditor’s', async ({ browser }) => {
  album.group('The books');
  const admin = await adminOf(scene);
  await scene.asAdmin(`mini/gamers/${gamer('oak_and_ash').id}/role`, { role: 'auditor' });
  const page = await scene.blankPage(browser, gamer('oak_and_ash'));
  await page.goto('/audit');
  await page.getByRole('button', { name: 'Verify now' }).click();
  await expect(page.getByText('Ledger and tables agree to the cent')).toBeVisible({ timeout: 60_000 });
  // The last purchase, which won its round.
  const { events } = await admin.get<AuditLedgerResponse>(
    `${scene.url}/api/audit/ledger?before=1000000&count=1&type=TokenPurchased`,
  );
  await page.goto(`/audit?event=${events[0]?.number}`);
  await expect(page.getByText('Recomputed here, equal to what was stored.')).toBeVisible();
  await album.shoot(page, 'audit', 'The audit screens: the books as they stood at any event.', { whole: true });
  await page.getByRole('button', { name: /^Merkle proof/ }).click();
  await expect(page.getByText(/^Worked out here/)).toBeVisible();
  await album.shoot(page, 'audit-proof', 'A purchase is proved to be among those its round was decided by.');
  await page.keyboard.press('Escape');
  const statement = page.getByRole('form', { name: 'Statement' });
  await statement.getByLabel('Account').selectOption('A gamer’s winnings');
  await statement.getByLabel('GamerTag').fill('ada_west');
  await statement.getByRole('button', { name: 'Show statement' }).click();
  await expect(page.getByRole('heading', { name: 'ada_west, winnings' })).toBeVisible();
  await album.shoot(page, 'audit-statement', 'A statement, to be printed or kept as a file.', { at: statement });
  await page.context().close();
});

test('the admin’s', async ({ browser }) => {
  album.group('The back office');
  await rememberMonth(scene);
  const visitor = await opened(browser, gamer('big_owl'));
  await album.shoot(visitor, 'admin-locked', 'What everyone but the admin sees of it.', {
    at: region(visitor, 'Admin Panel'),
  });
  await visitor.context().close();
  const page = await opened(browser, await adminOf(scene));
  const room = (name: string) => roomOf(page, name);
  await expect(room('Admin Profits').getByRole('img').first()).toBeVisible();
  await album.shoot(page, 'admin-profits', 'Profit by day, and what the house holds apart.', {
    at: room('Admin Profits'),
  });
  await room('Admin Profits').getByRole('button', { name: 'Withdraw profit' }).click();
  await album.shoot(page, 'admin-withdraw-profit', 'Asking for profit to be paid out.');
  await page.keyboard.press('Escape');
  await album.shoot(page, 'admin-tickets', 'Support tickets: searched, sorted, exported.', {
    at: room('Support Tickets'),
  });
  await room('Support Tickets')
    .getByRole('button', { name: /^Answer jo_harbor/ })
    .click();
  await dialogOf(page, 'A new email address')
    .getByLabel(/^Notes/)
    .fill('Done. The next mail comes to the new one.');
  await album.shoot(page, 'admin-ticket', 'Answering one.');
  await page.keyboard.press('Escape');
  await expect(rowsOf(room('Deposits'))).toHaveCount(3);
  await album.shoot(page, 'admin-deposits', 'Deposits: looked up, by day, and those that wait.', {
    at: room('Deposits'),
  });
  await room('Deposits')
    .getByRole('button', { name: /^Approve payment/ })
    .first()
    .click();
  await album.shoot(page, 'admin-approve', 'A deposit is credited only after it was said what that does.');
  await page.keyboard.press('Escape');
  await album.shoot(page, 'admin-withdrawals', 'Payouts that wait, and what is reserved for them.', {
    at: room('Withdrawals'),
  });
  await room('Withdrawals')
    .getByRole('button', { name: /^Update Kestrel/ })
    .click();
  await dialogOf(page, /^Update Kestrel/)
    .getByLabel('New status')
    .selectOption('Completed');
  await album.shoot(page, 'admin-settle', 'Settling one: what is final is called final.');
  await page.keyboard.press('Escape');
  await album.shoot(page, 'admin-game', 'Game control: phases, commands, timers.', { at: room('Game Control') });
  await room('Game Control').getByRole('button', { name: 'Reset to Idle' }).click();
  await album.shoot(page, 'admin-reset', 'A reset says what becomes of the round and its money.');
  await page.keyboard.press('Escape');
  await album.shoot(page, 'admin-gamers', 'The Gamers Mini-Manager.', { at: room('Gamers Mini-Manager') });
  await room('Gamers Mini-Manager').getByRole('button', { name: 'Edit Kestrel' }).click();
  await album.shoot(page, 'admin-edit', 'Editing a gamer: profile, status, role, balances.');
  await dialogOf(page, 'Edit Kestrel').getByRole('button', { name: 'Delete gamer' }).click();
  await questionOf(page, 'Delete Kestrel for good?').getByLabel('Type Kestrel to confirm').fill('Kestr');
  await album.shoot(page, 'admin-delete', 'Deleting one takes the tag, typed.');
  for (let open = 0; open < 2; open += 1) await page.keyboard.press('Escape');
  await album.shoot(page, 'admin-posts', 'Community posts, to be hidden for good.', { at: room('Community posts') });
  await album.shoot(page, 'admin-activity', 'The log of everything an admin did.', { at: room('Activity log') });
  await album.write();
});
