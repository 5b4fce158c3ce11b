import { setTimeout as sleep } from 'node:timers/promises';
import type { LookupPaymentResponse, PendingDeposit } from '../../contracts/http/deposits.js';
import type { GamerSession } from '../../contracts/http/gamers.js';
import type { InvoiceResponse } from '../../contracts/http/payments.js';
import type { PublicRecordResponse } from '../../contracts/http/public-record.js';
import type { Withdrawal } from '../../contracts/http/withdrawals.js';
import { Poller } from '../src/features/payments/incoming-payments.js';
import { ADMIN_PASSWORD } from './api-under-test.js';
import type { Visitor } from './visitor.js';
import { WholeApplication } from './whole-application.js';

/** Plays the calls of the specification's §7, with exactly its payloads: no reason, key, tag or version beside them. */
const payments = { settings: { stepMs: 5, losesCallbacks: true } };
const application = WholeApplication.forTests({}, { payments });
const { payer } = application;
let alice: Visitor;
let admin: Visitor;
const ids = {} as Record<'alice' | 'bob' | 'carol', string>;

let position = '0';

/** Sends a call that must succeed; the next ones see what it changed. Returns its response. */
async function call<T = Record<string, unknown>>(visitor: Visitor, line: string, body?: object): Promise<T> {
  const [method = '', path = ''] = line.split(' ');
  const headers = { 'x-after-position': position };
  const response = await visitor.send<T>(method, path, body, method === 'GET' ? headers : {});
  if (response.status >= 300) throw new Error(`${line}: ${response.status} ${JSON.stringify(response.body)}`);
  position = response.headers.get('x-position') ?? position;
  return response.body;
}

async function register(username: 'alice' | 'bob' | 'carol', referralCode: string | null): Promise<GamerSession> {
  const body = { username, email: `${username}@example.com`, password: 'open sesame', referralCode };
  const gamer = await call<GamerSession>(application.visitor(), 'POST /api/register', body);
  ids[username] = gamer.id;
  return gamer;
}

beforeAll(() => void jest.spyOn(application.api.app.get(Poller), 'pollDueOrders').mockResolvedValue());

it.each([
  ['buy-from-balance', { quantity: 1 }, 'Please log in to buy tokens'],
  ['create-invoice', { quantity: 1, currency: 'BTC' }, 'Please log in to create an invoice'],
  ['create-deposit-invoice', { amount: 7, currency: 'BTC' }, 'Please log in to create a deposit'],
  ['community/posts', { message: 'hello' }, 'Please login to post messages'],
])('refuses %s without a session in the specification’s words', async (path, body, error) => {
  const ofNobody = path === 'community/posts' ? { gamerId: 'x', ...body } : { userId: 'x', ...body };
  const response = await application.visitor().post(`/api/${path}`, ofNobody);
  expect([response.status, response.body]).toMatchObject([401, { error }]);
});

it('plays the calls of accounts and public data', async () => {
  const { refCode } = await register('alice', null);
  await register('carol', (await register('bob', refCode)).refCode);
  alice = application.visitor();
  await call(alice, 'POST /api/login', { username: 'alice', password: 'open sesame' });
  await call(alice, 'POST /api/logout');
  await call(alice, 'POST /api/login', { username: 'alice', password: 'open sesame' });
  admin = application.visitor();
  await call(admin, 'POST /api/login', { username: 'admin', password: ADMIN_PASSWORD });
  expect(await call(alice, 'GET /api/auth/status')).toMatchObject({ isAuthenticated: true, id: ids.alice, refCode });
  expect(await call(alice, `GET /api/gamer/${ids.alice}`)).toMatchObject({ wallet: { purchaseBalanceCents: 0 } });
  expect(await call(alice, `GET /api/genealogy/${ids.alice}`)).toMatchObject({ genealogy: { teamSize: 2 } });
  expect(await call(alice, 'GET /api/stats')).toEqual({ totalGamers: 3, totalWinningsDollars: 0 });
  expect(await call(alice, 'GET /api/winners')).toEqual({ winners: [] });
  expect(await call(alice, `GET /api/ref/${refCode}`)).toEqual({ exists: true, ownerUsername: 'alice' });
  expect(await call(alice, 'GET /api/state')).toMatchObject({ currentGame: { gameState: 'idle' } });
  await call(alice, 'POST /api/request-password-reset', { gamerTag: 'alice', email: 'alice@example.com' });
  const passwords = { newPassword: 'open barley', confirmPassword: 'open barley' };
  const reset = await alice.post('/api/reset-password', { token: 'none', ...passwords });
  expect(reset.body).toMatchObject({ error: 'This reset link is invalid or has expired.' });
});

it('plays the admin’s calls of the game and of gamers, and records that no reason was given', async () => {
  const gamer = `/api/admin/mini/gamers/${ids.alice}`;
  await call(admin, `POST ${gamer}/adjust`, { purchaseBalanceCents: 20_000, totalWinningsCents: 5_000 });
  expect(await call(admin, `POST ${gamer}/depositor-status`, { isDepositor: true })).toMatchObject({
    isDepositor: true,
    expiresAt: expect.any(Number),
  });
  await call(admin, `PATCH ${gamer}/profile`, { gamerTag: 'alicja', email: 'alicia@example.com' });
  await call(admin, `PATCH ${gamer}/profile`, { gamerTag: 'alicia' });
  await call(admin, `PATCH ${gamer}/profile`, { email: 'alice@example.org' });
  await call(admin, `POST /api/admin/mini/gamers/${ids.bob}/reset-password`, { password: 'open barley' });
  const found = await call(admin, 'GET /api/admin/mini/gamers?q=alicia&page=1');
  expect(found).toMatchObject({
    total: 1,
    gamers: [{ id: ids.alice, email: 'alice@example.org', purchaseBalance: 20_000 }],
  });
  const timers = await call(admin, 'GET /api/admin/timers');
  await call(admin, 'POST /api/admin/timers', { ...timers, liveDurationSeconds: 600 });
  expect(await call(admin, 'POST /api/admin/game/start')).toHaveProperty('message');
  expect(await call(admin, 'POST /api/admin/game/start-live')).toMatchObject({ roundId: 1 });
  await call(alice, 'POST /api/buy-from-balance', { quantity: 500, userId: ids.alice });
  expect(await call(admin, 'POST /api/admin/game/reset')).toHaveProperty('message');
  const record = await call<PublicRecordResponse>(alice, 'GET /api/public-record');
  expect(record.entries[0]).toMatchObject({
    event: { type: 'GameReset', data: { purchaseCount: 1, reason: 'No reason given' } },
  });
});

it('plays the calls of money: a pending withdrawal completes at once', async () => {
  const gamer = `/api/gamer/${ids.alice}`;
  const wallet = { cryptoType: 'BTC', walletAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' };
  await call(alice, `POST ${gamer}/crypto-wallets`, wallet);
  expect(await call(alice, `GET ${gamer}/crypto-wallets`)).toEqual({ BTC: wallet.walletAddress });
  expect(await call(alice, `POST ${gamer}/withdraw`, { ...wallet, amountCents: 1_000 })).toHaveProperty('message');
  expect(await call(alice, `POST ${gamer}/transfer-to-purchase`, { amountCents: 100 })).toHaveProperty('message');
  const settled = { status: 'completed', adminNotes: 'paid' };
  const [withdrawal] = await call<Withdrawal[]>(admin, 'GET /api/admin/withdrawals');
  await call(admin, `PUT /api/admin/withdrawals/${withdrawal?.id}`, settled);
  expect((await call<Withdrawal[]>(admin, 'GET /api/admin/withdrawals'))[0]).toMatchObject(settled);
  expect(await call(admin, 'GET /api/admin/profits')).toMatchObject({ totalTokensPurchased: 500 });
  await call(admin, 'POST /api/admin/profits/withdraw', { ...wallet, amountCents: 1_000 });
  const [profit] = await call<Withdrawal[]>(admin, 'GET /api/admin/profits/withdrawals');
  await call(admin, `PUT /api/admin/profits/withdrawals/${profit?.id}`, settled);
  expect((await call<Withdrawal[]>(admin, 'GET /api/admin/profits/withdrawals'))[0]).toMatchObject(settled);
});

it.each(['BTC', 'DOGE'] as const)(
  'plays the calls of payments in %s, from one token and seven dollars on',
  async (currency) => {
    await call(admin, 'POST /api/admin/game/start-live').catch(() => undefined);
    const order = { currency, userId: ids.alice };
    const token = await call<InvoiceResponse>(alice, 'POST /api/create-invoice', { quantity: 1, ...order });
    expect(token).toMatchObject({ success: true, payment_url: expect.any(String) });
    const { orderId } = await call<InvoiceResponse>(alice, 'POST /api/create-deposit-invoice', { amount: 7, ...order });
    const { id: paymentId } = await payer.first(orderId);
    await payer.act(paymentId, 'underpay');
    while ((await payer.first(orderId)).status !== 'partially_paid') await sleep(5);
    const looked = await call<LookupPaymentResponse>(admin, 'POST /api/admin/lookup-payment', { paymentId });
    expect(looked).toMatchObject({ success: false, requiresGamerTag: false, paymentDetails: { cryptoType: currency } });
    const [parked] = await call<PendingDeposit[]>(admin, 'GET /api/admin/deposits/pending');
    const decision: [string, object] =
      currency === 'BTC'
        ? ['lookup-payment', { paymentId, gamerTag: 'alicia' }]
        : ['approve-deposit', { depositId: parked?.id }];
    await call(admin, `POST /api/admin/${decision[0]}`, decision[1]);
    const approved = await call(admin, 'GET /api/admin/deposits/approved');
    expect(approved).toMatchObject({ 0: { paymentId, gamerTag: 'alicia' } });
  },
);

it('plays the calls of community and support, and deletes a gamer', async () => {
  await call(alice, 'POST /api/community/posts', { gamerId: ids.alice, message: 'hello' });
  expect(await call(alice, 'GET /api/community/posts')).toMatchObject({ 0: { gamerTag: 'alicia', message: 'hello' } });
  await call(alice, 'POST /api/support/tickets', { gamerId: ids.alice, subject: 'Help', message: 'Where is it?' });
  const [ticket] = await call<{ id: string }[]>(admin, 'GET /api/admin/support/tickets');
  const answered = { status: 'closed', adminNotes: 'Here' };
  await call(admin, `PUT /api/admin/support/tickets/${ticket?.id}`, answered);
  expect(await call(alice, 'GET /api/support/tickets')).toMatchObject({ 0: answered });
  const deleted = await call(admin, `DELETE /api/admin/gamers/${ids.bob}`);
  expect(deleted).toMatchObject({ details: { reassignedChildren: 1 } });
});
