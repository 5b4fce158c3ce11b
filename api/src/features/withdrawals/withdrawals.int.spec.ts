import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import type { ErrorBody, MessageResponse } from '../../../../contracts/http/headers.js';
import type { AdminProfits, ProfitWithdrawal } from '../../../../contracts/http/profits.js';
import type { MovementsResponse } from '../../../../contracts/http/statements.js';
import type { GamerHistoryResponse } from '../../../../contracts/http/support.js';
import type { CryptoWallets, Withdrawal } from '../../../../contracts/http/withdrawals.js';
import { dayInNewYork, daysUntil } from '../../../../contracts/new-york.js';
import { type ApiResponse, errorOf } from '../../../test/visitor.js';
import { type Person, readAfter, WholeApplication } from '../../../test/whole-application.js';

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const DOGECOIN = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L';

const application = WholeApplication.forTests();
const { visitor: admin } = application.adminForTests();
const alice = application.gamerForTests('alice');
const bob = application.gamerForTests('bob');

const form = (amountCents: unknown, more: object = {}) => ({
  cryptoType: 'BTC',
  walletAddress: BITCOIN,
  amountCents,
  ...more,
});

const withdraw = (body: object, headers: Record<string, string> = {}) =>
  alice.visitor.post<MessageResponse & ErrorBody>(`/api/gamer/${alice.id}/withdraw`, body, headers);

const balances = async (written: ApiResponse<unknown>) =>
  (await readAfter<GamerProfile>(alice.visitor, written, `/api/gamer/${alice.id}`)).balances;

const statementAfter = (written: ApiResponse<unknown>, days = '') =>
  readAfter<MovementsResponse>(alice.visitor, written, `/api/gamer/${alice.id}/movements${days}`);

const newest = async (written: ApiResponse<unknown>): Promise<Withdrawal> => {
  const [first] = await readAfter<Withdrawal[]>(admin, written, '/api/admin/withdrawals');
  return first as Withdrawal;
};

describe('a gamer’s withdrawal', () => {
  beforeAll(async () => {
    await application.give(alice, 0, 5_000);
  });

  it.each<[object, string]>([
    [form(''), 'Please fill in all required fields'],
    [form(2_000, { walletAddress: '  ' }), 'Please fill in all required fields'],
    [form('twenty'), 'Please enter a valid withdrawal amount'],
    [form(999), 'Minimum withdrawal amount is $10.00'],
    [form(2_000, { cryptoType: 'ETH' }), 'Supported coins are BTC, LTC, TRX and DOGE'],
    [form(2_000, { walletAddress: BITCOIN.replace('B', 'C') }), 'This is not a valid BTC address'],
  ])('is refused when invalid: %j', async (body, error) => {
    expect(await withdraw(body)).toMatchObject({ status: 400, body: { error } });
  });

  it('debits the winnings at once, and only once when the command is repeated', async () => {
    const headers = { 'idempotency-key': 'ten-dollars' };
    const requested = await withdraw(form(1_000), headers);
    expect(requested).toMatchObject({ status: 200, body: { message: expect.stringContaining('$10.00') } });
    expect((await withdraw(form(1_000), headers)).body).toEqual(requested.body);
    expect(await balances(requested)).toEqual({
      personalWithdrawalsPaidCents: 0,
      currentWinningsCents: 4_000,
      totalWinningsCents: 5_000,
      reservedCents: 1_000,
      transferredCents: 0,
      releasedCents: 0,
    });
    expect(await newest(requested)).toMatchObject({
      id: expect.stringMatching(/^[0-9a-z]{20}$/),
      amountCents: 1_000,
      cryptoType: 'BTC',
      walletAddress: BITCOIN,
      status: 'pending',
      gamerTag: 'alice',
      isNewAddress: true,
      settledBy: null,
    });
    const own = await alice.visitor.get<Withdrawal[]>(`/api/gamer/${alice.id}/withdrawals`);
    expect(own.body).toHaveLength(1);
  });

  it('is credited back in full when returned, with a note for the gamer', async () => {
    const { id } = await newest(await withdraw(form(1_500)));
    const path = `/api/admin/withdrawals/${id}`;
    expect(await admin.put(path, {})).toMatchObject({ status: 400, body: { error: 'Please choose a status' } });
    const returned = await admin.put(path, { status: 'returned', adminNotes: '  The address was refused. ' });
    expect(returned.status).toBe(200);
    expect(await balances(returned)).toMatchObject({ currentWinningsCents: 4_000, totalWinningsCents: 5_000 });
    const [own] = await readAfter<Withdrawal[]>(alice.visitor, returned, `/api/gamer/${alice.id}/withdrawals`);
    expect(own).toMatchObject({
      id,
      status: 'returned',
      isCancelled: false,
      adminNotes: 'The address was refused.',
      processedAt: expect.any(Number),
      settledBy: null,
    });
  });

  it('counts as paid once completed', async () => {
    const { id } = await newest(await withdraw(form(4_000)));
    const path = `/api/admin/withdrawals/${id}`;
    const processing = await admin.put(path, { status: 'processing', adminNotes: 'On its way' });
    expect(await newest(processing)).toMatchObject({ status: 'processing', processedAt: null });
    const [payment, key] = [{ status: 'completed', txid: 'ab'.repeat(32) }, { 'idempotency-key': 'paid-once' }];
    const completed = await admin.put(path, payment, key);
    expect(await balances(completed)).toMatchObject({
      personalWithdrawalsPaidCents: 4_000,
      currentWinningsCents: 0,
      totalWinningsCents: 5_000,
      reservedCents: 1_000,
    });
    const statement = await statementAfter(completed);
    expect(statement).toMatchObject({ totals: { withdrawnCents: 4_000 }, reservedCents: 1_000 });
    const [yesterday] = daysUntil(dayInNewYork(Date.now()), 2);
    const before = await statementAfter(completed, `?from=${yesterday}&to=${yesterday}`);
    expect(before).toMatchObject({ totals: { withdrawnCents: 0 }, reservedCents: 0 });
    expect(await newest(completed)).toMatchObject({
      status: 'completed',
      isNewAddress: false,
      adminNotes: 'On its way',
      txid: 'ab'.repeat(32),
      settledBy: 'admin',
    });
    const history = `/api/admin/gamers/${alice.id}/history`;
    const { payouts } = await readAfter<GamerHistoryResponse>(admin, completed, history);
    expect(payouts.map(({ summary }) => summary)).toEqual([`$40.00 paid out, transaction ${'ab'.repeat(32)}`]);
    // Encryption gives a repeated command the same bytes, and so the same hash.
    expect((await admin.put(path, payment, key)).body).toEqual(completed.body);
    const other = { ...payment, txid: 'cd'.repeat(32) };
    expect(await admin.put(path, other, key)).toMatchObject({ body: { code: 'idempotency-key-reused' } });
  });
});

it('lists pending and settled withdrawals separately, newest first, by pages', async () => {
  await application.give(alice, 0, 3_000);
  const requested = [await withdraw(form(1_100)), await withdraw(form(1_200))];
  const last = requested[1] as ApiResponse<unknown>;
  const listed = async (query: string) =>
    (await readAfter<Withdrawal[]>(admin, last, `/api/admin/withdrawals${query}`)).map(
      ({ amountCents, status }) => `${status} ${amountCents}`,
    );
  expect(await listed('?listed=pending')).toEqual(['pending 1200', 'pending 1100', 'pending 1000']);
  expect(await listed('?listed=pending&page=2&pageSize=2')).toEqual(['pending 1000']);
  expect(await listed('?listed=completed')).toEqual(['completed 4000', 'returned 1500']);
  expect(await listed('')).toHaveLength(5);
  const { id } = await newest(last);
  const payment = { status: 'completed', txid: 'AB'.repeat(32) };
  expect(await errorOf(admin.put(`/api/admin/withdrawals/${id}`, payment))).toEqual([
    409,
    'Another withdrawal already has this transaction id',
  ]);
  expect(await errorOf(admin.get('/api/admin/withdrawals?listed=returned'))).toEqual([
    400,
    'listed must be pending or completed',
  ]);
});

it('the admin’s profit is two cents a token, and is paid out like a gamer’s winnings', async () => {
  await application.give(bob, 30_000 * 6, 0);
  await admin.post('/api/admin/game/start-live');
  const bought = await bob.visitor.post('/api/buy-from-balance', { quantity: 600, userId: bob.id });
  const profits = (after: ApiResponse<unknown>) => readAfter<AdminProfits>(admin, after, '/api/admin/profits');
  expect(await profits(bought)).toEqual({
    totalProfitCents: 1_200,
    currentProfitCents: 1_200,
    totalTokensPurchased: 600,
    unclaimedCents: 600 * 15,
    depositFeesCents: 0,
    forfeitedCents: 0,
  });
  const ask = (body: object) => admin.post<ErrorBody>('/api/admin/profits/withdraw', body);
  expect(await errorOf(ask(form(1_000, { walletAddress: '' })))).toEqual([
    400,
    'Please fill in cryptocurrency type and wallet address',
  ]);

  const list = (after: ApiResponse<unknown>) =>
    readAfter<ProfitWithdrawal[]>(admin, after, '/api/admin/profits/withdrawals');
  const first = await ask(form(1_000));
  const [pending] = await list(first);
  expect(pending).toMatchObject({ amountCents: 1_000, status: 'pending' });
  expect(pending).not.toHaveProperty('gamerTag');
  expect(await profits(first)).toMatchObject({ totalProfitCents: 1_200, currentProfitCents: 200 });
  const completed = await admin.put(`/api/admin/profits/withdrawals/${pending?.id}`, { status: 'completed' });
  expect(await list(completed)).toMatchObject([{ status: 'completed' }]);
  // A profit withdrawal belongs to no gamer and is not in the gamers' list.
  expect(await admin.get('/api/admin/withdrawals?pageSize=100')).toMatchObject({ body: { length: 5 } });
});

it('saved wallets hold one validated address per coin', async () => {
  const path = `/api/gamer/${alice.id}/crypto-wallets`;
  expect((await alice.visitor.get<CryptoWallets>(path)).body).toEqual({});
  const save = (cryptoType: string, walletAddress: string) =>
    alice.visitor.post<ErrorBody>(path, { cryptoType, walletAddress });
  expect(await errorOf(save('BTC', DOGECOIN))).toEqual([400, 'This is not a valid BTC address']);
  await save('BTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy');
  await save('DOGE', DOGECOIN);
  const saved = await save('BTC', BITCOIN);
  expect(await readAfter<CryptoWallets>(alice.visitor, saved, path)).toEqual({ BTC: BITCOIN, DOGE: DOGECOIN });
});

it('a pending withdrawal is cancelled by its gamer, and by nobody else', async () => {
  const cancel = (who: Person, { id }: Withdrawal) =>
    who.visitor.post<MessageResponse & ErrorBody>(`/api/gamer/${who.id}/withdrawals/${id}/cancel`, {});
  await application.give(alice, 0, 2_000);
  const pending = await newest(await withdraw(form(1_000)));
  expect((await cancel(bob, pending)).body.code).toBe('withdrawal-not-found');
  const before = (await alice.visitor.get<GamerProfile>(`/api/gamer/${alice.id}`)).body.balances;
  const cancelled = await cancel(alice, pending);
  expect(cancelled).toMatchObject({
    status: 200,
    body: { message: expect.stringContaining('back in your winnings') },
  });
  expect(await balances(cancelled)).toMatchObject({
    currentWinningsCents: before.currentWinningsCents + 1_000,
    reservedCents: before.reservedCents - 1_000,
  });
  expect(await newest(cancelled)).toMatchObject({ id: pending.id, status: 'returned', isCancelled: true });
  const { movements } = await statementAfter(cancelled);
  expect(movements[0]?.description).toBe('Withdrawal cancelled by alice');
});
