import { until } from '../../../../../contracts/testing/until.js';
import { PRACTICE_CODE } from '../../../../../embedded/payments/api-routes.js';
import { openTestShop, type TestShop } from '../../../../test/test-shop.js';
import type { GatewayPayout } from './payment-gateway.js';

const LITECOIN = { externalId: 'w1-0', cryptoType: 'LTC', address: 'ltc1one', amount: '0.25' } as const;
const BITCOIN = { externalId: 'w2-0', cryptoType: 'BTC', address: 'bc1two', amount: '0.000191' } as const;

let shop: TestShop;

beforeEach(async () => {
  shop = await openTestShop();
});

afterEach(() => shop.close());

const order = () => shop.gateway.createPayouts([LITECOIN, BITCOIN]);
const batchIdOf = (payouts: GatewayPayout[]): string => payouts[0]?.batchId ?? 'none';
const verify = (batchId: string, code = PRACTICE_CODE) => shop.gateway.verifyPayouts(batchId, code);
const batchBecomes = (batchId: string, status: string) =>
  until(
    () => shop.gateway.getPayouts(batchId),
    (payouts) => payouts?.every((payout) => payout.status === status) === true,
  );

it('sends a batch only when it is verified, with a signed callback for each status', async () => {
  const created = await order();
  expect(created).toMatchObject([
    { externalId: 'w1-0', status: 'CREATING', currency: 'ltc', amount: '0.25', address: 'ltc1one', hash: null },
    { externalId: 'w2-0', status: 'CREATING', currency: 'btc', amount: '0.000191', address: 'bc1two', hash: null },
  ]);
  const batchId = batchIdOf(created);
  expect(await shop.gateway.listPayoutsSince(Date.now())).toEqual(created);
  expect(await shop.gateway.getPayouts(batchId)).toEqual(created);
  await verify(batchId);
  const [first, second] = (await batchBecomes(batchId, 'FINISHED')) ?? [];
  expect(first).toMatchObject({ payoutId: created[0]?.payoutId, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(second?.hash).not.toBe(first?.hash);
  const callbacks = await shop.callbacks(8);
  expect(callbacks.map((callback) => [callback?.payment, callback?.payoutBatchId])).toEqual(
    Array(8).fill([null, batchId]),
  );
});

it('refuses a wrong code, an unknown batch and a second verification, and sends nothing then', async () => {
  const batchId = batchIdOf(await order());
  await expect(verify(batchId, '000000')).rejects.toMatchObject({ name: 'GatewayRefused', httpStatus: 400 });
  await expect(verify('4000000000')).rejects.toMatchObject({ name: 'GatewayRefused', httpStatus: 404 });
  expect(await shop.gateway.getPayouts('4000000000')).toBeNull();
  await batchBecomes(batchId, 'CREATING');
  await verify(batchId);
  await expect(verify(batchId)).rejects.toMatchObject({ name: 'GatewayRefused', httpStatus: 400 });
});

it('estimates coins, and refuses a batch below the minimum or with more than six decimal places', async () => {
  expect(await shop.gateway.estimateCoins(2_100, 'BTC')).toBe('0.00019091');
  expect(await shop.gateway.minimumPayout('BTC')).toBe('0.00017');
  for (const amount of ['0.000169', '0.0001911']) {
    const ordered = shop.gateway.createPayouts([LITECOIN, { ...BITCOIN, amount }]);
    await expect(ordered).rejects.toMatchObject({ name: 'GatewayRefused', httpStatus: 400 });
  }
  expect(await shop.gateway.listPayoutsSince(0)).toEqual([]);
});

it('is unavailable after a broken connection, and repeats no POST', async () => {
  const batchId = batchIdOf(await order());
  await shop.fault('reset', 'POST /v1/payout', 2);
  await expect(order()).rejects.toMatchObject({ reason: 'unreachable' });
  await expect(verify(batchId)).rejects.toMatchObject({ reason: 'unreachable' });
  await shop.fault('reset', 'GET /v1/payout');
  await expect(shop.gateway.getPayouts(batchId)).rejects.toMatchObject({ reason: 'unreachable' });
  expect(await shop.requests('POST', '/v1/payout')).toBe(2);
  expect(await shop.requests('POST', `/v1/payout/${batchId}/verify`)).toBe(1);
  await batchBecomes(batchId, 'CREATING');
});

it.each([
  ['no-response', 'timeout'],
  ['error-afterwards', 'server-error'],
])('may create and send with %s: the list has the payout, and it is sent once', async (kind, reason) => {
  const hurried = shop.adapter({ timeoutMs: 150 });
  await hurried.listPayoutsSince(0);
  await shop.fault(kind, 'POST /v1/payout', 2);
  await expect(hurried.createPayouts([LITECOIN])).rejects.toMatchObject({ reason });
  const batchId = batchIdOf(await shop.gateway.listPayoutsSince(0));
  await expect(hurried.verifyPayouts(batchId, PRACTICE_CODE)).rejects.toMatchObject({ reason });
  await batchBecomes(batchId, 'FINISHED');
  expect(await shop.transfers()).toEqual(['w1-0']);
});

const CREATED = { id: 1, batch_withdrawal_id: 2, unique_external_id: 'w1-0', status: 'waiting' };
const RESPONSE = { ...CREATED, currency: 'LTC', address: 'ltc1one', amount: '0.250000' };

it('reads a batch from numbers, small letters and an address in capitals', async () => {
  const created = await shop.respondWith(
    () => ({ withdrawals: [{ ...RESPONSE, address: 'LTC1ONE' }] }),
    (gateway) => gateway.createPayouts([LITECOIN]),
  );
  expect(created).toMatchObject([{ payoutId: '1', batchId: '2', status: 'WAITING', currency: 'ltc', amount: '0.25' }]);
});

it.each([
  [{ ...RESPONSE, address: 'ltc1other' }],
  [{ ...RESPONSE, amount: '0.26' }],
  [{ ...RESPONSE, currency: 'btc' }],
  [{ ...RESPONSE, unique_external_id: null }],
  [{ ...RESPONSE, batch_withdrawal_id: null }],
  [{ ...RESPONSE, id: null }],
  [RESPONSE, RESPONSE],
])('is unreadable when it answers an order with %j', async (...withdrawals) => {
  const creating = shop.respondWith(
    () => ({ withdrawals }),
    (gateway) => gateway.createPayouts([LITECOIN]),
  );
  await expect(creating).rejects.toMatchObject({ reason: 'unreadable' });
});

it('does not take another batch’s payouts for this one’s when the gateway ignores the filter', async () => {
  const other = { ...RESPONSE, id: 3, batch_withdrawal_id: 4 };
  let pages = 0;
  const read = shop.respondWith(
    () => ({ payouts: pages++ === 0 ? [RESPONSE, other] : [] }),
    (gateway) => gateway.getPayouts('4'),
  );
  expect(await read).toMatchObject([{ payoutId: '3', batchId: '4' }]);
});
