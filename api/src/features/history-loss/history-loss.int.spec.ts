import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../../../contracts/durations.js';
import { SYSTEM } from '../../../../contracts/events/metadata.js';
import type { PendingDeposit } from '../../../../contracts/http/deposits.js';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import type { ErrorBody, MessageResponse } from '../../../../contracts/http/headers.js';
import type { HeldPayoutsResponse } from '../../../../contracts/http/history-loss.js';
import type { Withdrawal } from '../../../../contracts/http/withdrawals.js';
import { until } from '../../../../contracts/testing/until.js';
import type { Payout } from '../../../../embedded/payments/records.js';
import type { ApiResponse } from '../../../test/visitor.js';
import { readAfter, WholeApplication } from '../../../test/whole-application.js';
import { Ledger } from '../../ledger/ledger.js';
import { PayoutOutcomes } from '../withdrawals/payout-batches.js';

const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const ELSEWHERE = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const HELD = 'The log lost events, so payouts are on hold until the gateway is asked what it paid';

// The gateway's callbacks are lost, like the events that they caused.
const payments = { settings: { stepMs: 5, losesCallbacks: true } };
const application = WholeApplication.forTests({ PAYOUTS_BY_GATEWAY: 'yes' }, { payments });
const { payer } = application;
const admin = application.adminForTests();
const alice = application.gamerForTests('alice');

beforeAll(() => application.give(alice, 0, 20_000));

/** The log ends here, and an operator says that it was longer. */
const loseHistory = ({ api } = application) => {
  const signed = { signedOrigin: 'play.example/ledger', signedSize: 90, signedRoot: randomUUID().replaceAll('-', '') };
  const command = { type: 'AcceptLoss', signed, acceptedBy: 'Ada', reason: 'a lost disk' } as const;
  return api.app.get(Ledger).execute(command, { actor: SYSTEM, commandId: randomUUID() });
};

const readHeldPayouts = async (by = admin): Promise<HeldPayoutsResponse> => {
  const { status, body } = await by.visitor.get<HeldPayoutsResponse>('/api/admin/losses/payouts');
  expect(status).toBe(200);
  return body;
};
/** Once the worker has built the tables up to the loss. */
const untilCompared = () => until(readHeldPayouts, ({ problem }) => problem === null);
const untilReleased = () => until(readHeldPayouts, ({ loss }) => loss === null);

async function requestWithdrawal(): Promise<Withdrawal> {
  const request = { cryptoType: 'BTC', walletAddress: SEGWIT, amountCents: 2_000 };
  const response = await alice.visitor.post(`/api/gamer/${alice.id}/withdraw`, request);
  const [row] = await readAfter<Withdrawal[]>(admin.visitor, response, '/api/admin/withdrawals?listed=pending');
  return row as Withdrawal;
}

const update = (id: string, body: object) =>
  admin.visitor.put<MessageResponse & ErrorBody>(`/api/admin/withdrawals/${id}`, body);
const settle = (id: string, body: object, by = admin) =>
  by.visitor.post<MessageResponse & ErrorBody>(`/api/admin/losses/payouts/${id}/settle`, body);
const release = (body: object, by = admin) =>
  by.visitor.post<MessageResponse & ErrorBody>('/api/admin/losses/release', body);
const outcomeOf = ({ status, body }: ApiResponse<MessageResponse & ErrorBody>) => [status, body.error ?? body.message];

it('reports no held payouts before a loss, and refuses to settle or release any', async () => {
  expect(await readHeldPayouts()).toEqual({ loss: null, problem: null, mayRelease: false, differences: [] });
  expect(outcomeOf(await settle('1', { notes: 'mine' }))).toEqual([409, 'Payouts are not on hold']);
  expect(outcomeOf(await release({ reason: 'why' }))).toEqual([409, 'Payouts are not on hold']);
});

it('completes a withdrawal that was paid in the lost time, never pays it twice, and then lets payouts go on', async () => {
  const other = await requestWithdrawal();
  const before = Date.now();
  const paid = await requestWithdrawal();
  await payer.payOut({ address: SEGWIT.toUpperCase(), hash: 'AB12', created_at: new Date(before).toISOString() });
  await payer.payOut({ address: ELSEWHERE, status: 'REJECTED' });
  await payer.payOut({ address: ELSEWHERE, created_at: new Date(Date.now() - 3 * DAY_MS).toISOString() });
  await loseHistory();

  for (const status of ['processing', 'completed', 'returned'])
    expect(outcomeOf(await update(paid.id, { status }))).toEqual([409, HELD]);
  const cancel = `/api/gamer/${alice.id}/withdrawals/${paid.id}/cancel`;
  expect(outcomeOf(await alice.visitor.post(cancel, {}))).toEqual([409, HELD]);

  // The payout was made between the requests of two withdrawals to the same address.
  const { loss, differences } = await untilCompared();
  expect(loss).toMatchObject({ acceptedBy: 'Ada', reason: 'a lost disk' });
  expect(differences).toEqual([
    {
      id: expect.any(String),
      status: 'FINISHED',
      amount: '0.0002 BTC',
      walletAddress: SEGWIT.toUpperCase(),
      txid: 'AB12',
      createdAtMs: before,
      withdrawal: expect.objectContaining({ id: other.id, gamerTag: 'alice', walletAddress: SEGWIT }),
    },
  ]);
  const unfinished = 'The gateway answered: payouts go on once every difference is resolved';
  expect(outcomeOf(await release({ reason: 'it looks good' }))).toEqual([409, unfinished]);

  const completed = await update(other.id, { status: 'completed', txid: 'ab12' });
  expect(completed.status).toBe(200);
  await untilReleased();
  const list = await readAfter<Withdrawal[]>(admin.visitor, completed, '/api/admin/withdrawals');
  expect(list.map(({ id, isBeforeLoss }) => [id, isBeforeLoss])).toEqual([
    [paid.id, true],
    [other.id, false],
  ]);
  const returned = await update(paid.id, { status: 'returned' });
  const profile = await readAfter<GamerProfile>(alice.visitor, returned, `/api/gamer/${alice.id}`);
  expect(profile.balances.currentWinningsCents).toBe(18_000);
});

it('does not wait for payouts that the log has ordered', async () => {
  const { id } = await requestWithdrawal();
  const order = (code?: string) => admin.visitor.post('/api/admin/payouts', { withdrawalIds: [id], code });
  expect((await order()).status).toBe(200);
  await loseHistory();
  expect(await order('1')).toMatchObject({ body: { error: HELD } });
  await untilReleased();
  const [payout] = (await payer.call<Payout[]>('/payouts')).filter((one) => one.unique_external_id === `${id}-0`);
  await payer.call(`/payouts/${payout?.id}`, { status: 'REJECTED' });
  await application.api.app.get(PayoutOutcomes).poll(performance.now());
  await until(
    () => update(id, { status: 'returned' }),
    ({ status }) => status === 200,
  );
});

it('waits until the admin has settled a payout without a withdrawal, and parks a payment of an unknown order', async () => {
  const paymentId = await payer.foreignPayment(30, 'ltc', 'http://127.0.0.1:9/nowhere');
  await payer.act(paymentId, 'pay');
  await until(payer.all, (all) => all.find(({ id }) => id === paymentId)?.status === 'finished');
  const { id } = await payer.payOut({ address: ELSEWHERE, status: 'CREATING' });
  await loseHistory();
  expect((await untilCompared()).differences).toMatchObject([{ id, status: 'CREATING', txid: null, withdrawal: null }]);
  await until(
    () => admin.visitor.get<PendingDeposit[]>('/api/admin/deposits/pending'),
    ({ body }) => body.some((deposit) => deposit.paymentId === paymentId),
  );

  expect((await settle(id, { notes: 'mine' }, alice)).status).toBe(403);
  expect(outcomeOf(await settle(id, { notes: ' ' }))).toEqual([400, 'Please say what you found out']);
  const unknown = 'The gateway has no open payout with this number';
  expect(outcomeOf(await settle('77', { notes: 'mine' }))).toEqual([404, unknown]);
  expect(outcomeOf(await settle(id, { notes: 'taken from alice' }))).toEqual([200, `Payout ${id} is settled`]);
  await untilReleased();
});

it.each(['server-error', 'denied'])(
  'reports why the gateway cannot be asked (%s), and releases payouts by hand only with a reason',
  async (kind) => {
    const { id } = await payer.payOut({ address: ELSEWHERE });
    await payer.causeFault({ kind, on: 'GET /v1/payout', times: 1_000 });
    await loseHistory();
    const { loss, differences } = await until(
      readHeldPayouts,
      ({ problem }) => problem !== null && !problem.includes('tables'),
    );
    expect([loss?.acceptedBy, differences]).toEqual(['Ada', []]);
    expect((await settle(id, { notes: 'mine' })).status).toBe(503);
    expect(outcomeOf(await release({ reason: ' ' }))).toEqual([400, 'Please say what you found out']);
    expect(outcomeOf(await release({ reason: 'the statement of the wallet' }))).toEqual([200, 'Payouts go on']);
    expect((await readHeldPayouts()).loss).toBeNull();
    await payer.clearFaults();
  },
);

it('without a gateway keeps payouts held, and uses no tables built from the lost log', async () => {
  const alone = await WholeApplication.start();
  try {
    const other = await alone.admin();
    await loseHistory(alone);
    const problem = 'no payment gateway is configured';
    await until(
      () => readHeldPayouts(other),
      (held) => held.problem === problem,
    );
    expect((await release({ reason: 'nothing was paid' }, other)).status).toBe(200);
    await alone.worker?.stop();
    await loseHistory(alone);
    const behind = 'the worker has not built the tables from this log yet';
    expect(await readHeldPayouts(other)).toMatchObject({ problem: behind, mayRelease: false });
    expect((await release({ reason: 'I looked' }, other)).status).toBe(503);
  } finally {
    await alone.close();
  }
});
