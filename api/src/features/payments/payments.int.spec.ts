import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { verify } from '../../../../audit/replay/verify.js';
import { SYSTEM } from '../../../../contracts/events/metadata.js';
import type {
  ApprovedDeposit,
  LookupPaymentResponse,
  PendingDeposit,
  RejectedDeposit,
} from '../../../../contracts/http/deposits.js';
import type { StateResponse } from '../../../../contracts/http/game.js';
import type { GamerProfile, GamerSession } from '../../../../contracts/http/gamers.js';
import type {
  CoinMinimumsResponse,
  InvoiceResponse,
  OpenInvoice,
  PaymentInReview,
  PaymentStatusResponse,
} from '../../../../contracts/http/payments.js';
import type { AdminProfits } from '../../../../contracts/http/profits.js';
import { DEPOSITOR_STATUS_MS } from '../../../../contracts/limits.js';
import { paymentStream } from '../../../../contracts/streams.js';
import { until } from '../../../../contracts/testing/until.js';
import { REAL_MINIMUMS } from '../../../../embedded/payments/records.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { type CallbackRelay, deliver, startCallbackRelay } from '../../../test/callback-relay.js';
import { mailsTo, type ReceivedMail } from '../../../test/mails.js';
import { ACCOUNT } from '../../../test/payer.js';
import { type ApiResponse, errorOf } from '../../../test/visitor.js';
import { type Person, WholeApplication } from '../../../test/whole-application.js';
import { Ledger } from '../../ledger/ledger.js';
import { MAX_CALLBACKS_PER_ORDER, Poller } from './incoming-payments.js';

let relay: CallbackRelay;
const application = WholeApplication.forTests(
  async () => {
    relay = await startCallbackRelay();
    relay.onCallback = (callback) => deliver(application.api.url, callback);
    return { PAYMENTS_CALLBACK_URL: relay.url };
  },
  { mail: true, payments: { settings: { stepMs: 5, callbackRepeatMs: 200, minimums: REAL_MINIMUMS } } },
);
const { api, payer } = application;
const { visitor: admin } = application.adminForTests();
const log = () => application.api.app.get(EventLog);

afterAll(() => relay.close());

const profile = async ({ id, visitor }: Person) => (await visitor.get<GamerProfile>(`/api/gamer/${id}`)).body;
const balance = async (gamer: Person) => (await profile(gamer)).wallet.purchaseBalanceCents;
const pending = async () => (await admin.get<PendingDeposit[]>('/api/admin/deposits/pending')).body;

function requestInvoice({ id, visitor }: Person, request: object, key?: string): Promise<ApiResponse<InvoiceResponse>> {
  const path = 'quantity' in request ? '/api/create-invoice' : '/api/create-deposit-invoice';
  return visitor.post(path, { userId: id, ...request }, key === undefined ? {} : { 'Idempotency-Key': key });
}

async function invoice(gamer: Person, request: object, key?: string): Promise<InvoiceResponse> {
  const response = await requestInvoice(gamer, request, key);
  expect(response).toMatchObject({ status: 200, body: { success: true } });
  return response.body;
}

const inReview = async ({ id, visitor }: Person) =>
  (await visitor.get<PaymentInReview[]>(`/api/gamer/${id}/payments-in-review`)).body;

/** The text of the mail after that which confirms the mailbox. */
async function secondMailTo(tag: string): Promise<string | undefined> {
  const isHere = ({ length }: ReceivedMail[]) => length === 2;
  return (await until(() => mailsTo(application.mail, `${tag}@example.com`), isHere))[0]?.text;
}

const openInvoices = async ({ id, visitor }: Person) =>
  (await visitor.get<OpenInvoice[]>(`/api/gamer/${id}/open-invoices`)).body;

const statusBecomes = ({ visitor }: Person, orderId: string, expected: PaymentStatusResponse['status']) =>
  until(
    () => visitor.get<PaymentStatusResponse>(`/api/payments/${orderId}`).then(({ body }) => body),
    (now) => now.status === expected,
  );

const pendingFor = (gamerTag: string | null) =>
  until(async () => (await pending()).find((deposit) => deposit.gamerTag === gamerTag));

describe('an invoice is refused', () => {
  const alice = application.gamerForTests('alice');

  it.each<[string, object, string]>([
    ['below seven dollars', { amount: 6, currency: 'LTC' }, 'Deposit amount must be at least $7'],
    ['of fractions of a dollar', { amount: 7.5, currency: 'LTC' }, 'Deposits are whole dollars, at most $100,000'],
    ['of zero tokens', { quantity: 0, currency: 'LTC' }, 'Please enter a valid quantity (minimum 1)'],
    ['in another coin', { amount: 20, currency: 'ETH' }, 'Supported coins are BTC, LTC, TRX and DOGE'],
    [
      'of tokens while nothing is live',
      { quantity: 10, currency: 'LTC' },
      'Game is not active yet. Please wait for the next round.',
    ],
    ['of a deposit below the coin’s minimum', { amount: 7, currency: 'BTC' }, 'BTC deposits must be at least $18'],
  ])('%s', async (_, request, error) => {
    expect(await requestInvoice(alice, request)).toMatchObject({ status: 400, body: { error } });
  });

  it('below minimums that the gamer can read before', async () => {
    const { body } = await alice.visitor.get<CoinMinimumsResponse>('/api/coin-minimums');
    expect(Object.keys(body)).toEqual(['BTC', 'LTC', 'TRX', 'DOGE']);
    expect(Math.ceil(body.BTC / 105)).toBe(18);
  });

  it('to the admin', async () => {
    const { body: me } = await admin.get<GamerSession>('/api/auth/status');
    const own = await admin.post('/api/create-deposit-invoice', { amount: 20, currency: 'LTC', userId: me.id });
    expect(own).toMatchObject({ status: 400, body: { error: 'The admin account cannot be a depositor' } });
  });

  it('when the gateway does not answer, and appends nothing', async () => {
    await payer.causeFault({ kind: 'no-response', on: 'POST /v1/invoice-payment' });
    const request = { amount: 20, currency: 'LTC' };
    const response = await requestInvoice(alice, request, 'away-1');
    await payer.clearFaults();
    const error = 'The payment service is not answering. Nothing was charged; please try again.';
    expect(response).toMatchObject({ status: 503, body: { error } });
    // The repeated command creates the missing invoice.
    const { orderId } = await invoice(alice, request, 'away-1');
    const types: string[] = [];
    for await (const { event } of log().readStream(paymentStream(orderId))) types.push(event.type);
    expect(types).toEqual(['PaymentOpened']);
  });

  it('when the gateway refuses it, as with a former api key', async () => {
    await payer.causeFault({ kind: 'denied', on: 'POST /v1/invoice' });
    const response = await requestInvoice(alice, { amount: 20, currency: 'LTC' });
    await payer.clearFaults();
    expect(response).toMatchObject({ status: 400, body: { error: 'Failed to create payment' } });
  });
});

it('charges $21 for a deposit of $20, and makes the gamer a depositor for 30 days', async () => {
  const bob = await application.register('bob');
  const paid = await invoice(bob, { amount: 20, currency: 'LTC' }, 'twenty');
  expect(paid).toMatchObject({ totalCents: 2_100, cryptoType: 'LTC', payAmount: '0.22105264' });
  expect(paid.payment_url).toMatch(/^http.*iid=/);
  expect(await invoice(bob, { amount: 20, currency: 'LTC' }, 'twenty')).toEqual(paid);
  const reused = await requestInvoice(bob, { amount: 30, currency: 'LTC' }, 'twenty');
  expect(reused.status).toBe(409);
  expect(await statusBecomes(bob, paid.orderId, 'waiting')).toMatchObject({ purpose: 'deposit', message: null });

  const before = Date.now();
  await payer.act((await payer.first(paid.orderId)).id, 'pay');
  const settled = await statusBecomes(bob, paid.orderId, 'settled');
  expect(settled.message).toBe('$20.00 was added to your purchase balance');
  const { isDepositor, depositorExpiresAt, wallet } = await profile(bob);
  expect([isDepositor, wallet.purchaseBalanceCents]).toEqual([true, 2_000]);
  expect(depositorExpiresAt).toBeGreaterThanOrEqual(before + DEPOSITOR_STATUS_MS - 1_000);
  expect(depositorExpiresAt).toBeLessThanOrEqual(Date.now() + DEPOSITOR_STATUS_MS);
  expect((await admin.get<AdminProfits>('/api/admin/profits')).body).toMatchObject({ depositFeesCents: 100 });
  const { body: approved } = await admin.get<ApprovedDeposit[]>('/api/admin/deposits/approved');
  expect(approved[0]).toMatchObject({ gamerTag: 'bob', amountCents: 2_000, cryptoType: 'LTC' });

  // Its callback comes once more.
  await payer.setStatus((await payer.first(paid.orderId)).id, 'finished');
  await sleep(300);
  expect(await balance(bob)).toBe(2_000);
});

it('buys the tokens of an invoice during its round, and credits the balance after the round', async () => {
  const carol = await application.register('carol');
  expect((await admin.post('/api/admin/game/start-live')).status).toBe(200);
  expect(await errorOf(requestInvoice(carol, { quantity: 1, currency: 'BTC' }))).toEqual([
    400,
    'BTC payments must be at least $18.70: please buy 63 tokens or more',
  ]);
  const inTime = await invoice(carol, { quantity: 10, currency: 'TRX' });
  const tooLate = await invoice(carol, { quantity: 20, currency: 'DOGE' });
  expect([inTime.totalCents, tooLate.totalCents]).toEqual([300, 600]);

  await payer.act((await payer.first(inTime.orderId)).id, 'pay');
  expect(await statusBecomes(carol, inTime.orderId, 'settled')).toMatchObject({
    purpose: 'tokens',
    credited: 'tokens',
    message: 'Purchased 10 Omni Token(s) successfully',
  });
  const { currentGame } = (await application.visitor().get<StateResponse>('/api/state')).body;
  expect(currentGame).toMatchObject({ lastBuyerGamerTag: 'carol', jackpotCents: 130 });
  expect(await balance(carol)).toBe(0);

  expect((await admin.post('/api/admin/game/reset', { reason: 'the round ends' })).status).toBe(200);
  await payer.act((await payer.first(tooLate.orderId)).id, 'pay');
  expect(await statusBecomes(carol, tooLate.orderId, 'settled')).toMatchObject({
    purpose: 'tokens',
    credited: 'balance',
    message: 'The payment came when no token could be bought: $6.00 was added to your purchase balance',
  });
  expect(await balance(carol)).toBe(600);
  expect((await profile(carol)).isDepositor).toBe(false);
});

it('orders a token invoice for its round, also when the gateway answers in the next one', async () => {
  const rita = await application.register('rita');
  const invoicesAsked = async () =>
    (await payer.call<{ path: string }[]>('/requests')).filter(({ path }) => path === '/v1/invoice').length;
  const { roundId } = (await admin.post<{ roundId: number }>('/api/admin/game/start-live')).body;
  const before = await invoicesAsked();
  await payer.call('/faults', { latencyMs: 800 });
  const ordered = invoice(rita, { quantity: 10, currency: 'LTC' });
  await until(async () => (await invoicesAsked()) > before);
  for (const command of ['reset', 'start-live']) await admin.post(`/api/admin/game/${command}`, {});
  expect(await ordered).toMatchObject({ roundId });
  await payer.clearFaults();
});

it('parks an underpaid deposit, and credits the arrived value on approval', async () => {
  const dave = await application.register('dave');
  const created = await invoice(dave, { amount: 100, currency: 'DOGE' });
  const { orderId } = created;
  await until(async () => (await openInvoices(dave)).length === 1);
  expect(await openInvoices(dave)).toEqual([{ ...created, purpose: 'deposit', status: 'waiting' }]);
  // $105.00 are 525 DOGE at 20 cents; 70 % of them are $73.50.
  await payer.act((await payer.first(orderId)).id, 'underpay');
  const deposit = await pendingFor('dave');
  expect(deposit).toMatchObject({ amountCents: 7_000, dueCents: 10_000, reason: 'Less arrived than was due' });
  expect((await statusBecomes(dave, orderId, 'review')).message).toContain('24 to 72 hours');
  expect(await balance(dave)).toBe(0);
  expect(await openInvoices(dave)).toEqual([]);
  const message = 'Less arrived than was due. It is being reviewed by hand, which takes 24 to 72 hours.';
  const shown = { paymentId: deposit.paymentId, orderId, amountCents: 7_000, dueCents: 10_000, cryptoType: 'DOGE' };
  expect(await inReview(dave)).toEqual([{ ...shown, state: 'review', message }]);
  const lookup = await admin.post<LookupPaymentResponse>('/api/admin/lookup-payment', { paymentId: deposit.paymentId });
  expect(lookup.body).toMatchObject({ success: false, requiresGamerTag: false, paymentDetails: { amount: '70' } });

  const { id: depositId } = deposit;
  expect((await admin.post('/api/admin/approve-deposit', { depositId })).status).toBe(200);
  expect((await statusBecomes(dave, orderId, 'settled')).message).toBe('$70.00 was added to your purchase balance');
  expect(await profile(dave)).toMatchObject({ isDepositor: true, wallet: { purchaseBalanceCents: 7_000 } });
  expect(await inReview(dave)).toEqual([]);
  expect(await secondMailTo('dave')).toContain('dave that was under review is in the purchase balance: $70.00');
  const twice = await admin.post('/api/admin/approve-deposit', { depositId });
  expect(twice).toMatchObject({ status: 409, body: { error: 'This deposit is already approved' } });
});

it('ends an invoice for which less than a cent arrived, so that its gamer can be deleted', async () => {
  const judy = await application.register('judy');
  const { orderId } = await invoice(judy, { amount: 20, currency: 'LTC' });
  await statusBecomes(judy, orderId, 'waiting');
  const error = 'This gamer has an open invoice. Wait until it is paid or has expired.';
  expect(await admin.delete(`/api/admin/gamers/${judy.id}`)).toMatchObject({ status: 409, body: { error } });
  // A litecoin costs $95.00: this is one cent, and a cent's share without the fee is nothing.
  await payer.act((await payer.first(orderId)).id, 'underpay', { amount: '0.0002' });
  await statusBecomes(judy, orderId, 'expired');
  expect(await openInvoices(judy)).toMatchObject([{ orderId, status: 'expired' }]);
  expect((await admin.delete(`/api/admin/gamers/${judy.id}`)).status).toBe(200);
});

it('parks a second payment to a used address and an overpaid one; a rejected deposit is not credited', async () => {
  const erin = await application.register('erin');
  const twice = await invoice(erin, { amount: 20, currency: 'LTC' });
  const first = await payer.first(twice.orderId);
  await payer.act(first.id, 'pay');
  await statusBecomes(erin, twice.orderId, 'settled');
  await payer.act(first.id, 'pay-again');
  const repeated = await pendingFor('erin');
  expect(repeated).toMatchObject({ amountCents: 2_000, reason: 'It came after the invoice’s first payment' });
  const body = { depositId: repeated.id, adminNotes: 'sent back' };
  for (const _ of [1, 2]) await admin.post('/api/admin/reject-deposit', body, { 'Idempotency-Key': 'reject' });
  await until(async () => !(await pending()).some(({ id }) => id === repeated.id));
  const message = 'This payment was not credited. Please contact support. Note from the admin: sent back.';
  expect(await inReview(erin)).toMatchObject([{ paymentId: repeated.paymentId, state: 'rejected', message }]);
  expect(await secondMailTo('erin')).toContain(`is not credited: $20.00, payment number ${repeated.paymentId}.`);

  const rejected = (await admin.get<RejectedDeposit[]>('/api/admin/deposits/rejected')).body;
  expect(rejected).toEqual([{ ...repeated, settledBy: 'admin', rejectedAtMs: expect.any(Number) }]);

  const over = await invoice(erin, { amount: 20, currency: 'LTC' });
  // 30 % more in whole litoshis is a fraction of a cent short of $27.30.
  await payer.act((await payer.first(over.orderId)).id, 'overpay');
  const overpaid = await pendingFor('erin');
  expect(overpaid).toMatchObject({ amountCents: 2_599, reason: 'More arrived than was due' });
  expect((await admin.post('/api/admin/reject-deposit', { depositId: overpaid.id })).status).toBe(200);
  expect(await statusBecomes(erin, over.orderId, 'rejected')).toMatchObject({
    credited: null,
    message: 'This payment was not credited. Please contact support.',
  });
  expect(await balance(erin)).toBe(2_000);
});

it('parks a payment of an unknown order until the admin names its gamer, and credits it once', async () => {
  const frank = await application.register('frank');
  const paymentId = await payer.foreignPayment(21, 'trx', `${relay.url}/api/payments/ipn`);
  expect(await errorOf(admin.post('/api/admin/lookup-payment', { paymentId }))).toEqual([
    400,
    'Nothing has arrived for this payment yet (waiting)',
  ]);
  await payer.act(paymentId, 'pay');
  expect(await pendingFor(null)).toMatchObject({ paymentId, amountCents: 2_000, dueCents: null });
  const lookUp = (gamerTag?: string, key = 'looks') =>
    admin.post<LookupPaymentResponse>('/api/admin/lookup-payment', { paymentId, gamerTag }, { 'Idempotency-Key': key });
  expect(await lookUp('who', 'mistypes')).toMatchObject({ status: 404, body: { error: 'Gamer not found' } });
  expect((await lookUp()).body).toMatchObject({ success: false, requiresGamerTag: true });
  const given = await lookUp('Frank', 'assigns');
  expect(given.body).toMatchObject({ success: true, message: '$20.00 was credited to frank' });
  for (const repeated of ['Frank', 'erin']) expect((await lookUp(repeated, 'assigns')).status).toBe(409);
  await until(async () => (await balance(frank)) === 2_000);

  for (const unknown of ['123', 'no number at all'])
    expect(await errorOf(admin.post('/api/admin/lookup-payment', { paymentId: unknown }))).toEqual([
      404,
      'Could not find payment with that ID',
    ]);
  const empty = await admin.post('/api/admin/lookup-payment', { paymentId: ' ' });
  expect(empty.body).toMatchObject({ error: 'Please enter a Payment ID to lookup', code: 'payment-id-required' });
});

it('stores a redelivered callback once, and at most a hundred callbacks for an order', async () => {
  const iris = await application.register('iris');
  const { orderId } = await invoice(iris, { amount: 20, currency: 'LTC' });
  const { id } = await payer.first(orderId);
  const fields = { payment_id: Number(id), payment_status: 'waiting', pay_currency: 'ltc', order_id: orderId };
  const sorted = (body: object) => JSON.stringify(Object.fromEntries(Object.entries(body).sort()));
  const send = (body: object) => {
    const signature = createHmac('sha512', ACCOUNT.ipnSecret).update(sorted(body)).digest('hex');
    return deliver(api.url, { body: Buffer.from(JSON.stringify(body)), signature });
  };
  const callbacks = async () => {
    let count = 0;
    for await (const { event } of log().readStream(paymentStream(orderId)))
      if (event.type === 'CallbackReceived') count += 1;
    return count;
  };
  for (const _ of [1, 2]) expect(await send(fields)).toBe(200);
  expect(await callbacks()).toBe(1);
  for (let n = 0; n < MAX_CALLBACKS_PER_ORDER + 3; n += 1) expect(await send({ ...fields, nonce: n })).toBe(200);
  expect(await callbacks()).toBe(MAX_CALLBACKS_PER_ORDER);
});

it('settles once what the ledger credited by a command that it has forgotten', async () => {
  const gamer = await application.register('late_retry');
  const { orderId } = await invoice(gamer, { amount: 20, currency: 'LTC' });
  const { id: paymentId } = await payer.first(orderId);
  const money = { amountCents: 2_000, feeCents: 100, cryptoType: 'LTC' } as const;
  const credit = { type: 'CreditDeposit', paymentId, gamerId: gamer.id, money } as const;
  await application.api.app.get(Ledger).execute(credit, { actor: SYSTEM, commandId: 'forgotten' });
  await payer.act(paymentId, 'pay');
  await statusBecomes(gamer, orderId, 'settled');
  expect(await balance(gamer)).toBe(2_000);
});

it('finds a payment by polling when its callbacks are lost', async () => {
  const kate = await application.register('kate');
  const { orderId } = await invoice(kate, { amount: 20, currency: 'LTC' });
  const { onCallback } = relay;
  relay.onCallback = async () => 200;
  await payer.act((await payer.first(orderId)).id, 'pay');
  await until(async () => (await payer.first(orderId)).status === 'finished');
  await application.database.query('UPDATE ledger.payment_polls SET next_at_ms = 0');
  await api.app.get(Poller).pollDueOrders();
  await statusBecomes(kate, orderId, 'settled');
  relay.onCallback = onCallback;
  expect(await balance(kate)).toBe(2_000);
});

it('leaves no payment that the auditor cannot find in its stream', async () => {
  const { payments, findings } = await verify(log(), null);
  expect(payments).toBeGreaterThan(5);
  expect(findings).toEqual([]);
});
