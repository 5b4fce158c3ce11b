import { HOUR_MS } from '../../../../contracts/durations.js';
import type { LedgerEvent } from '../../../../contracts/events/ledger-events.js';
import type { ErrorBody } from '../../../../contracts/http/headers.js';
import type { OrderPayoutsResponse, Withdrawal } from '../../../../contracts/http/withdrawals.js';
import { LEDGER_STREAM } from '../../../../contracts/streams.js';
import { until } from '../../../../contracts/testing/until.js';
import { PRACTICE_CODE } from '../../../../embedded/payments/api-routes.js';
import type { Payout } from '../../../../embedded/payments/records.js';
import { type CallbackRelay, deliver, startCallbackRelay } from '../../../test/callback-relay.js';
import { type ApiResponse, codeOf, errorOf, Visitor } from '../../../test/visitor.js';
import { readAfter, WholeApplication } from '../../../test/whole-application.js';
import { PayoutOutcomes } from './payout-batches.js';

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const DOGECOIN = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L';

let relay: CallbackRelay;
const payments = { settings: { stepMs: 0, callbackRepeatMs: 50 } };
const application = WholeApplication.forTests(
  async () => {
    relay = await startCallbackRelay();
    return { PAYOUTS_BY_GATEWAY: 'yes', PAYMENTS_CALLBACK_URL: relay.url };
  },
  { payments },
);
const byHand = application.anotherNodeForTests();
const { visitor: admin } = application.adminForTests();
const alice = application.gamerForTests('alice', 0, 1_000_000);
const { payer } = application;

beforeAll(() => {
  application.closesLater(() => relay.close());
  relay.onCallback = (callback) => deliver(application.api.url, callback);
});

const known = new Set<string>();

async function requestWithdrawal(amountCents = 1_000, more: object = {}): Promise<Withdrawal> {
  const body = { amountCents, cryptoType: 'BTC', walletAddress: BITCOIN, ...more };
  const response = await alice.visitor.post(`/api/gamer/${alice.id}/withdraw`, body);
  const listed = await readAfter<Withdrawal[]>(admin, response, '/api/admin/withdrawals');
  // Several may be of the same millisecond.
  const newest = listed.find(({ id }) => !known.has(id)) as Withdrawal;
  known.add(newest.id);
  return newest;
}

type PayoutsResponse = ApiResponse<OrderPayoutsResponse & ErrorBody>;
const order = (ids: string[], code: string | undefined = PRACTICE_CODE, visitor = admin): Promise<PayoutsResponse> =>
  visitor.post('/api/admin/payouts', { withdrawalIds: ids, code });
const withdrawal = async (id: string): Promise<Withdrawal> => {
  const { body } = await admin.get<Withdrawal[]>('/api/admin/withdrawals?pageSize=100');
  return body.find((one) => one.id === id) as Withdrawal;
};
const reached = (id: string, is: (one: Withdrawal) => boolean) => until(() => withdrawal(id), is);
const completed = (id: string) => reached(id, ({ status }) => status === 'completed');
const payoutsOf = async (id: string): Promise<Payout[]> =>
  (await payer.call<Payout[]>('/payouts')).filter((payout) => payout.unique_external_id?.startsWith(`${id}-`));
/** How many transfers the gateway made for a withdrawal, by its own record. */
const sent = async (id: string): Promise<number> => (await payoutsOf(id)).filter(({ hash }) => hash !== null).length;
const eventsOf = async (id: string): Promise<LedgerEvent['type'][]> =>
  (await application.eventsOf(LEDGER_STREAM))
    .map(({ event }) => event as LedgerEvent)
    .filter(({ data }) => 'withdrawalId' in data && data.withdrawalId === id)
    .map(({ type }) => type);
const PAID = ['WithdrawalRequested', 'WithdrawalProcessing', 'PayoutOrdered', 'WithdrawalCompleted'];

it('pays a batch in several coins: each once, completed by the gateway’s report', async () => {
  const [first, second, third] = [
    await requestWithdrawal(1_000),
    await requestWithdrawal(3_000),
    await requestWithdrawal(1_000, { cryptoType: 'DOGE', walletAddress: DOGECOIN }),
  ];
  const response = await order([first.id, second.id, third.id]);
  expect(response).toMatchObject({ status: 200, body: { refused: [] } });
  expect(response.body.message).toBe('3 payouts are with the gateway');
  const { txid } = await completed(first.id);
  const [payout] = await payoutsOf(first.id);
  expect([txid, payout?.address]).toEqual([payout?.hash, BITCOIN]);
  for (const { id } of [first, second, third]) {
    await completed(id);
    expect(await sent(id)).toBe(1);
    expect(await eventsOf(id)).toEqual(PAID);
  }
  const [triple] = await payoutsOf(second.id);
  expect(Number(triple?.amount) / Number(payout?.amount)).toBeCloseTo(3, 1);
  expect(await withdrawal(first.id)).toMatchObject({ settledBy: 'the gateway', payoutFailure: null });
});

it('refuses invalid lists, and every order without the setting', async () => {
  const { id } = await requestWithdrawal();
  for (const withdrawalIds of [[], [id, id], [1], Array.from({ length: 101 }, (_, index) => `w${index}`)])
    expect(await errorOf(admin.post('/api/admin/payouts', { withdrawalIds, code: '1' }))).toEqual([
      400,
      'Please choose 1 to 100 withdrawals',
    ]);
  expect(await codeOf(order([id], '1', admin.at(byHand.url)))).toBe('409 payouts-by-hand');
  expect(await eventsOf(id)).toEqual(['WithdrawalRequested']);
});

it('lets a batch wait for its code, and the admin decide nothing meanwhile', async () => {
  const { id } = await requestWithdrawal();
  expect(await errorOf(order([id], '000000'))).toEqual([409, 'The gateway refused the code. The payouts wait for it.']);
  await reached(id, (one) => one.payoutBatchId !== null);
  for (const status of ['completed', 'returned'])
    expect(await admin.put(`/api/admin/withdrawals/${id}`, { status })).toMatchObject({
      body: { code: 'payout-under-way' },
    });
  const own = await alice.visitor.get<Withdrawal[]>(`/api/gamer/${alice.id}/withdrawals`);
  expect(own.body[0]).toMatchObject({ id, status: 'processing', payoutBatchId: null });
  expect(await order([id], '111111')).toMatchObject({ body: { code: 'payout-code-refused' } });
  expect(await sent(id)).toBe(0);
  expect((await order([id])).body.message).toBe('One payout is with the gateway');
  await completed(id);
  expect([await sent(id), await eventsOf(id)]).toEqual([1, PAID]);
});

it('names withdrawals that were decided meanwhile or are too small, and pays the others', async () => {
  const [paid, cancelled, tiny] = [
    await requestWithdrawal(),
    await requestWithdrawal(),
    await requestWithdrawal(1_000, { cryptoType: 'TRX', walletAddress: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' }),
  ];
  await payer.changeSettings({ minimums: { trx: '1000000' } });
  await alice.visitor.post(`/api/gamer/${alice.id}/withdrawals/${cancelled.id}/cancel`);
  const { body } = await order([paid.id, cancelled.id, tiny.id, 'nonsense']);
  expect(body.message).toBe('One payout is with the gateway');
  expect(Object.fromEntries(body.refused.map(({ withdrawalId, error }) => [withdrawalId, error]))).toEqual({
    [cancelled.id]: 'This withdrawal is already returned and cannot be changed',
    [tiny.id]: 'The gateway pays at least 1000000 TRX',
    nonsense: 'Withdrawal not found',
  });
  await completed(paid.id);
  expect(await eventsOf(tiny.id)).toEqual(['WithdrawalRequested']);
});

/** Orders a payout without its code. */
async function ordered(id: string): Promise<Withdrawal> {
  expect((await order([id], '')).body.message).toBe('One payout is with the gateway, which waits for its code');
  return reached(id, ({ payoutBatchId }) => payoutBatchId !== null);
}

it.each([
  ['FAILED', { hash: null }, { outcome: 'failed', paidAmount: expect.any(String), txid: null }],
  [
    'FINISHED',
    { amount: '0.5', hash: 'ab'.repeat(32) },
    { outcome: 'uncertain', paidAmount: '0.5', txid: 'ab'.repeat(32) },
  ],
])('brings a payout that ended as %s %j back to the admin', async (status, fields, payoutFailure) => {
  const { id } = await requestWithdrawal();
  await ordered(id);
  const [payout] = await payoutsOf(id);
  await payer.call(`/payouts/${payout?.id}`, { status, ...fields });
  const back = await reached(id, (one) => one.payoutFailure !== null);
  expect(back).toMatchObject({ status: 'processing', payoutBatchId: null, payoutFailure });
  if (status === 'FAILED') {
    expect((await order([id])).body.refused).toEqual([]);
    await completed(id);
    expect((await payoutsOf(id)).map((one) => [one.unique_external_id, one.status])).toEqual([
      [`${id}-0`, 'FAILED'],
      [`${id}-1`, 'FINISHED'],
    ]);
  } else {
    const error = 'The gateway may have paid this withdrawal: decide it by hand';
    expect((await order([id])).body.refused).toEqual([{ withdrawalId: id, error }]);
    expect((await admin.put(`/api/admin/withdrawals/${id}`, { status: 'completed' })).status).toBe(200);
  }
});

it('records a payout that the gateway sent without a record here, and never sends it again', async () => {
  const { id } = await requestWithdrawal();
  const known = { unique_external_id: `${id}-3`, batch_withdrawal_id: '77001', status: 'SENDING' };
  await payer.payOut({ ...known, address: BITCOIN, amount: '0.01' });
  expect((await order([id])).body).toMatchObject({ refused: [] });
  const { payoutBatchId } = await reached(id, (one) => one.payoutBatchId !== null);
  expect(payoutBatchId).toBe('77001');
  const [payout, ...others] = await payoutsOf(id);
  expect(others).toEqual([]);
  await payer.call(`/payouts/${payout?.id}`, { status: 'FINISHED', hash: 'cd'.repeat(32) });
  expect(await completed(id)).toMatchObject({ txid: 'cd'.repeat(32) });

  const foreign = await requestWithdrawal();
  await payer.payOut({ ...known, unique_external_id: `${foreign.id}-0`, batch_withdrawal_id: null });
  expect((await order([foreign.id])).body.refused).toMatchObject([{ error: expect.stringContaining('does not know') }]);
});

it('polls a payout whose callback is lost, and refuses an unsigned callback', async () => {
  relay.onCallback = async () => 200;
  const { id } = await requestWithdrawal();
  const { payoutBatchId } = await ordered(id);
  const forged = { batch_withdrawal_id: payoutBatchId, status: 'FINISHED' };
  expect((await new Visitor(application.api).post('/api/payments/ipn', forged)).status).toBe(401);
  const [payout] = await payoutsOf(id);
  await payer.call(`/payouts/${payout?.id}`, { status: 'FINISHED', hash: 'ef'.repeat(32) });
  await application.api.app.get(PayoutOutcomes).poll(performance.now());
  await completed(id);
});

it('leaves a withdrawal to the admin when the gateway does not know its payout for an hour', async () => {
  const { id } = await requestWithdrawal();
  await ordered(id);
  const [payout] = await payoutsOf(id);
  await payer.call(`/payouts/${payout?.id}`, { batch_withdrawal_id: '1' });
  const outcomes = application.api.app.get(PayoutOutcomes);
  const nowMonotonicMs = performance.now();
  for (const laterMs of [0, HOUR_MS - 1]) await outcomes.poll(nowMonotonicMs + laterMs);
  expect((await withdrawal(id)).payoutFailure).toBeNull();
  // Again, because a poll does nothing while the application's own runs.
  await until(async () => {
    await outcomes.poll(nowMonotonicMs + HOUR_MS);
    return (await withdrawal(id)).payoutFailure?.outcome === 'uncertain';
  });
});
