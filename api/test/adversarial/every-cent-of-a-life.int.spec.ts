/*
 * One gamer's history from the first deposit to the removal, through public interfaces only: the api, the gateway's
 * checkout and the mail box. After every step the trial balance must be zero and agree with the shown balances.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { AuthStatus } from '../../../contracts/http/accounts.js';
import type { DeleteGamerResponse } from '../../../contracts/http/admin.js';
import type { MovementsResponse } from '../../../contracts/http/audit.js';
import type { RoundResponse, StateResponse } from '../../../contracts/http/game.js';
import type { GamerProfile, GenealogyResponse } from '../../../contracts/http/gamers.js';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type {
  ApprovedDeposit,
  InvoiceResponse,
  PaymentStatusResponse,
  PendingDeposit,
} from '../../../contracts/http/payments.js';
import type { PlaySession } from '../../../contracts/http/protection.js';
import type { AdminProfits, Withdrawal } from '../../../contracts/http/withdrawals.js';
import { DEPOSITOR_STATUS_MS } from '../../../contracts/limits.js';
import { type EmbeddedMail, startEmbeddedMail } from '../../../embedded/mail/start-embedded-mail.js';
import type { EmbeddedPayments } from '../../../embedded/payments/start-embedded-payments.js';
import { type CallbackRelay, deliver, startCallbackRelay } from '../../src/payments/testing/callback-relay.js';
import { startGateway } from '../../src/payments/testing/payer.js';
import type { Answer, Visitor } from '../../src/testing/visitor.js';
import { type Person, readAfter, settingsOf, WholeApplication } from '../../src/testing/whole-application.js';

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';

let gateway: EmbeddedPayments;
let mail: EmbeddedMail;
let relay: CallbackRelay;
let application: WholeApplication;
let database: Client;
let admin: Person;
let alice: Person;
let bob: Person;
let carol: Person;

beforeAll(async () => {
  [gateway, mail, relay] = await Promise.all([startGateway(), startEmbeddedMail(), startCallbackRelay()]);
  application = await WholeApplication.start({
    ...settingsOf(gateway),
    PAYMENTS_CALLBACK_URL: relay.url,
    SMTP_URL: mail.smtpUrl,
  });
  relay.onCallback = (callback) => deliver(application.api.url, callback);
  database = new Client({ connectionString: application.stores.databaseUrl });
  await database.connect();
  admin = await application.admin();
  alice = await application.register('alice');
});

afterAll(async () => {
  await database?.end();
  await application?.close();
  await Promise.all([relay?.close(), gateway?.close(), mail?.close()]);
});

/** Checks that each event's postings and all postings sum to zero, and that they agree with the shown balances. */
afterEach(async () => {
  const { rows } = await database.query(`
    SELECT (SELECT count(*) FROM read.journal)::int > 0 AS has_lines,
      (SELECT coalesce(sum(cents), 0) FROM read.journal)::int AS sum,
      (SELECT count(*) FROM (SELECT FROM read.journal GROUP BY revision HAVING sum(cents) <> 0) adrift)::int AS adrift,
      (SELECT count(*) FROM (SELECT account, sum(cents) AS cents FROM read.journal GROUP BY account) kept
         FULL JOIN read.balances shown USING (account)
         WHERE coalesce(kept.cents, 0) <> coalesce(shown.cents, 0))::int AS shown_otherwise`);
  expect(rows).toEqual([{ has_lines: true, sum: 0, adrift: 0, shown_otherwise: 0 }]);
});

async function until<T>(poll: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await poll();
    if (found !== undefined) return found;
    await sleep(50);
  }
}

async function profile({ id, visitor }: Person): Promise<GamerProfile> {
  return (await visitor.get<GamerProfile>(`/api/gamer/${id}`)).body;
}

const purchaseCents = async (person: Person) => (await profile(person)).wallet.purchaseBalanceCents;

const winningsAfter = async (written: Answer<unknown>) =>
  (await readAfter<GamerProfile>(alice.visitor, written, `/api/gamer/${alice.id}`)).balances;

async function invoice({ id, visitor }: Person, wanted: { quantity: number } | { amount: number }, currency: string) {
  const path = 'quantity' in wanted ? '/api/create-invoice' : '/api/create-deposit-invoice';
  const { status, body } = await visitor.post<InvoiceResponse>(path, { userId: id, currency, ...wanted });
  expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
  return body;
}

/** Opens the invoice's checkout page and presses a button there. */
async function press({ payment_url }: InvoiceResponse, action: string): Promise<void> {
  const page = await (await fetch(payment_url)).text();
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? '';
  const body = new URLSearchParams({ iid: hidden('iid'), payment: hidden('payment'), action });
  const pressed = await fetch(new URL('/payment/act', payment_url), { method: 'POST', body });
  expect(pressed.status).toBe(200);
}

const reachedStatus = ({ visitor }: Person, { orderId }: InvoiceResponse, wanted: PaymentStatusResponse['status']) =>
  until(async () => {
    const { body } = await visitor.get<PaymentStatusResponse>(`/api/payments/${orderId}`);
    return body.status === wanted ? body.message : undefined;
  });

const game = async () => (await application.visitor().get<StateResponse>('/api/state')).body.currentGame;

const untilPhase = (phase: string) => until(async () => ((await game()).gameState === phase ? true : undefined));

const withdraw = (amountCents: number) => {
  const form = { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents };
  return alice.visitor.post<ErrorBody>(`/api/gamer/${alice.id}/withdraw`, form);
};

/** Requests a reset link and reads it from the newest mail. */
async function mailedToken(count: number): Promise<string> {
  const request = { gamerTag: 'alice', email: 'alice@example.com' };
  expect((await application.visitor().post('/api/request-password-reset', request)).status).toBe(200);
  return until(async () => {
    const box = await fetch(`${mail.url}/messages?to=alice@example.com`);
    const mails = (await box.json()) as { text: string }[];
    return mails.length < count ? undefined : /\/reset-password\?token=([\w-]+)/.exec(mails[0]?.text ?? '')?.[1];
  });
}

const reset = (token: string, newPassword: string) =>
  application.visitor().post('/api/reset-password', { token, newPassword, confirmPassword: newPassword });

it('a deposit of $20 in LTC costs $21, and makes a depositor for 30 days', async () => {
  const deposit = await invoice(alice, { amount: 20 }, 'LTC');
  expect([deposit.totalCents, deposit.cryptoType]).toEqual([2_100, 'LTC']);
  expect(await profile(alice)).toMatchObject({ isDepositor: false, depositorExpiresAt: null });
  const before = Date.now();
  await press(deposit, 'pay');
  expect(await reachedStatus(alice, deposit, 'settled')).toBe('$20.00 was added to your purchase balance');
  const { body: approved } = await admin.visitor.get<ApprovedDeposit[]>('/api/admin/deposits/approved');
  expect(approved).toMatchObject([{ gamerTag: 'alice', amountCents: 2_000, cryptoType: 'LTC' }]);
  const { isDepositor, depositorExpiresAt, wallet } = await profile(alice);
  expect([isDepositor, wallet.purchaseBalanceCents]).toEqual([true, 2_000]);
  expect(depositorExpiresAt).toBe((approved[0]?.approvedAt ?? 0) + DEPOSITOR_STATUS_MS);
  expect(depositorExpiresAt).toBeGreaterThanOrEqual(before + DEPOSITOR_STATUS_MS);
  const { body: profits } = await admin.visitor.get<AdminProfits>('/api/admin/profits');
  expect(profits).toMatchObject({ depositFeesCents: 100, totalProfitCents: 0 });
});

it('an invoice paid during its round buys tokens; one paid later is credited to the balance', async () => {
  const timers = {
    pregameDurationSeconds: 1,
    liveDurationSeconds: 10,
    downtimeDurationSeconds: 3_600,
    tokenExtensionSeconds: 1,
  };
  expect((await admin.visitor.post('/api/admin/timers', timers)).status).toBe(200);
  expect((await admin.visitor.post('/api/admin/game/start')).status).toBe(200);
  await untilPhase('live');
  const inTime = await invoice(alice, { quantity: 10 }, 'TRX');
  const tooLate = await invoice(alice, { quantity: 20 }, 'DOGE');
  expect([inTime.totalCents, tooLate.totalCents]).toEqual([300, 600]);
  await press(inTime, 'pay');
  expect(await reachedStatus(alice, inTime, 'settled')).toBe('Purchased 10 Omni Token(s) successfully');
  expect(await game()).toMatchObject({ gameState: 'live', lastBuyerGamerTag: 'alice', jackpotCents: 130 });
  expect(await purchaseCents(alice)).toBe(2_000);

  await untilPhase('downtime');
  await press(tooLate, 'pay');
  expect(await reachedStatus(alice, tooLate, 'settled')).toBe(
    'The round was over or a limit was reached when your payment arrived: $6.00 was added to your purchase balance',
  );
  // The gamer is the last buyer of the round, so they also win the jackpot.
  expect(await profile(alice)).toMatchObject({
    wallet: { purchaseBalanceCents: 2_600 },
    balances: { currentWinningsCents: 130, totalWinningsCents: 130 },
  });
});

it('an underpaid deposit waits for the admin, who approves the received amount', async () => {
  const { refCode } = await profile(alice);
  const lookup = await application.visitor().get(`/api/ref/${refCode}`);
  expect(lookup.body).toEqual({ exists: true, ownerUsername: 'alice' });
  bob = await application.register('bob', refCode);

  // $150 with fee is $157.50; 70 % of it arrive: $110.25, which is $105 with fee.
  const deposit = await invoice(bob, { amount: 150 }, 'DOGE');
  await press(deposit, 'underpay');
  expect(await reachedStatus(bob, deposit, 'review')).toContain('24 to 72 hours');
  expect(await purchaseCents(bob)).toBe(0);
  const { body: pending } = await admin.visitor.get<PendingDeposit[]>('/api/admin/deposits/pending');
  expect(pending).toMatchObject([{ gamerTag: 'bob', amountCents: 10_500, reason: 'Less arrived than was due' }]);
  const approval = { depositId: pending[0]?.id };
  expect((await admin.visitor.post('/api/admin/approve-deposit', approval)).status).toBe(200);
  expect(await reachedStatus(bob, deposit, 'settled')).toBe('$105.00 was added to your purchase balance');
  expect(await purchaseCents(bob)).toBe(10_500);
});

it('a friend’s tokens earn three cents each; $9.99 cannot be withdrawn, $10.00 can', async () => {
  expect((await admin.visitor.post('/api/admin/game/start-live')).status).toBe(200);
  const bought = await bob.visitor.post('/api/buy-from-balance', { quantity: 350, userId: bob.id });
  expect([bought.status, bought.body]).toMatchObject([200, { costCents: 10_500, purchaseBalanceCents: 0 }]);
  expect(await winningsAfter(bought)).toMatchObject({ currentWinningsCents: 1_180, totalWinningsCents: 1_180 });

  const tooLittle = await withdraw(999);
  expect([tooLittle.status, tooLittle.body]).toEqual([
    400,
    { error: 'Minimum withdrawal amount is $10.00', code: 'withdrawal-below-minimum' },
  ]);
  const requested = await withdraw(1_000);
  expect(requested.status).toBe(200);
  expect(await winningsAfter(requested)).toMatchObject({ currentWinningsCents: 180, totalWinningsCents: 1_180 });
});

it('a returned withdrawal is credited back, with a note', async () => {
  const { body: requested } = await admin.visitor.get<Withdrawal[]>('/api/admin/withdrawals');
  expect(requested).toMatchObject([
    { gamerTag: 'alice', amountCents: 1_000, status: 'pending', walletAddress: BITCOIN },
  ]);
  const path = `/api/admin/withdrawals/${requested[0]?.id}`;
  const note = { status: 'returned', adminNotes: 'The exchange refused this address' };
  const returned = await admin.visitor.put(path, note);
  expect(returned.status).toBe(200);
  const own = await readAfter<Withdrawal[]>(alice.visitor, returned, `/api/gamer/${alice.id}/withdrawals`);
  expect(own).toMatchObject([{ amountCents: 1_000, ...note }]);
  expect(await winningsAfter(returned)).toEqual({
    ...{ currentWinningsCents: 1_180, totalWinningsCents: 1_180, personalWithdrawalsPaidCents: 0 },
    ...{ reservedCents: 0, transferredCents: 0 },
  });
  expect((await admin.visitor.put(path, { status: 'completed' })).status).toBe(409);
});

it('the statement has every cent of it, tokens paid for by invoice too', async () => {
  const { body } = await alice.visitor.get<MovementsResponse>(`/api/gamer/${alice.id}/movements`);
  expect(body.movements.map(({ account, what, cents }) => [account, what, cents])).toEqual([
    ['winnings', 'Withdrawal returned', 1_000],
    ['winnings', 'Withdrawal requested, BTC', -1_000],
    ['winnings', 'Matrix credits, round 2', 1_050],
    ['purchase', 'Invoice credited, DOGE', 600],
    ['winnings', 'Jackpot of round 1', 130],
    ['invoice', 'Tokens paid by invoice, round 1', -300],
    ['purchase', 'Deposit approved, LTC', 2_000],
  ]);
  expect(body.totals).toEqual({
    ...{ paidInCents: 2_900, spentCents: 300, wonCents: 130, netCents: -170, matrixCents: 1_050 },
    ...{ withdrawnCents: 0, transferredCents: 0, adjustedCents: 0 },
  });
  expect(body.balances).toEqual({
    winnings: { openingCents: 0, closingCents: 1_180 },
    purchase: { openingCents: 0, closingCents: 2_600 },
  });
});

it('a session begins with its login, and counts what was spent and won since', async () => {
  const session = async () => (await alice.visitor.get<PlaySession>('/api/play-session')).body;
  expect(await session()).toMatchObject({ spentCents: 300, wonCents: 130, netCents: -170 });
  await alice.visitor.post('/api/login', { username: 'alice', password: 'open sesame' });
  expect(await session()).toMatchObject({ spentCents: 0, wonCents: 0, netCents: 0 });
});

it('a past round is shown with its purchases, or with those of one buyer', async () => {
  const round = async (query: string) =>
    (await application.visitor().get<RoundResponse>(`/api/rounds/1?${query}`)).body;
  const whole = await round('');
  expect(whole).toMatchObject({ state: 'won', jackpotCents: 130, winner: { gamerTag: 'alice' }, purchaseCount: 1 });
  expect(whole.purchases).toMatchObject([{ buyerId: alice.id, quantity: 10, addedSeconds: 10, newJackpot: 130 }]);
  expect(await round(`buyer=${alice.id}`)).toEqual(whole);
  expect(await round(`buyer=${bob.id}`)).toEqual({ ...whole, purchases: [], total: 0 });
});

it('a password reset by mail ends the old sessions', async () => {
  const token = await mailedToken(1);
  const newPassword = 'a better one than before';
  expect((await reset(token, newPassword)).status).toBe(200);
  expect((await reset(token, newPassword)).status).toBe(400);
  expect((await alice.visitor.get<AuthStatus>('/api/auth/status')).body).toEqual({ isAuthenticated: false });
  const logIn = (password: string, visitor: Visitor = application.visitor()) =>
    visitor.post('/api/login', { username: 'alice', password });
  expect((await logIn('open sesame')).status).toBe(401);
  expect((await logIn(newPassword, alice.visitor)).status).toBe(200);
  expect(await purchaseCents(alice)).toBe(2_600);
});

it('a deleted gamer forfeits the balances, and the children move up', async () => {
  carol = await application.register('carol', (await profile(alice)).refCode);
  const before = await until(async () => {
    const { body } = await alice.visitor.get<GenealogyResponse>(`/api/genealogy/${alice.id}`);
    return body.genealogy.teamSize === 2 ? body : undefined;
  });
  expect(before.genealogy.children.map(({ username }) => username)).toEqual(['bob', 'carol']);
  expect(before.levelWinnings).toMatchObject({ level1Cents: 700, directBonusCents: 350 });

  const token = await mailedToken(2);

  const deleted = await admin.visitor.delete<DeleteGamerResponse>(`/api/admin/gamers/${alice.id}`);
  expect(deleted).toMatchObject({ status: 200, body: { details: { reassignedChildren: 2 } } });
  const profits = await readAfter<AdminProfits>(admin.visitor, deleted, '/api/admin/profits');
  expect(profits).toMatchObject({ forfeitedCents: 2_600 + 1_180, totalTokensPurchased: 360, totalProfitCents: 720 });
  const { genealogy } = (await admin.visitor.get<GenealogyResponse>(`/api/genealogy/${admin.id}`)).body;
  expect(genealogy.children.map(({ username, children }) => [username, children])).toEqual([
    ['bob', []],
    ['carol', []],
  ]);
  expect((await alice.visitor.get<AuthStatus>('/api/auth/status')).body).toEqual({ isAuthenticated: false });
  expect((await reset(token, 'of somebody who is gone')).status).toBe(400);
  expect((await bob.visitor.get(`/api/genealogy/${bob.id}`)).status).toBe(200);
  expect((await carol.visitor.get(`/api/gamer/${carol.id}`)).status).toBe(200);
});
