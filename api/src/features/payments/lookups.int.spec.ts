import type {
  ApprovedDeposit,
  ChangedPayment,
  LookupPaymentResponse,
  PendingDeposit,
} from '../../../../contracts/http/deposits.js';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import type { ErrorBody } from '../../../../contracts/http/headers.js';
import type { InvoiceResponse, PaymentInReview, PaymentStatusResponse } from '../../../../contracts/http/payments.js';
import type { GamerHistoryResponse } from '../../../../contracts/http/support.js';
import { until } from '../../../../contracts/testing/until.js';
import type { ApiResponse } from '../../../test/visitor.js';
import { type Person, readAfter, WholeApplication } from '../../../test/whole-application.js';
import { Poller } from './incoming-payments.js';

/** The gateway sends no callbacks. The poller is stopped too, so that only the admin's lookups find payments. */
const payments = { settings: { stepMs: 5, losesCallbacks: true } };
const application = WholeApplication.forTests({}, { payments });
const { payer } = application;
const admin = application.adminForTests();
const alice = application.gamerForTests('alice');

beforeAll(() => void jest.spyOn(application.api.app.get(Poller), 'pollDueOrders').mockResolvedValue());

type LookupState = ApiResponse<LookupPaymentResponse & ErrorBody>;

const lookUp = (body: { paymentId: string; gamerTag?: string; reason?: string }, key?: string): Promise<LookupState> =>
  admin.visitor.post('/api/admin/lookup-payment', body, key === undefined ? {} : { 'idempotency-key': key });

const statusAndBody = ({ status, body }: LookupState) => [status, body];

/** Creates an invoice and pays it. Returns the payment's id once the gateway has finished processing it. */
async function paid(request: { amount: number } | { quantity: number }, action: 'pay' | 'underpay'): Promise<string> {
  const path = 'quantity' in request ? '/api/create-invoice' : '/api/create-deposit-invoice';
  const { body } = await alice.visitor.post<InvoiceResponse>(path, { userId: alice.id, currency: 'LTC', ...request });
  const { id } = await payer.first(body.orderId);
  await payer.act(id, action);
  const status = action === 'pay' ? 'finished' : 'partially_paid';
  await until(async () => (await payer.first(body.orderId)).status === status);
  return id;
}

const changed = (after: ApiResponse<unknown>) =>
  readAfter<ChangedPayment[]>(admin.visitor, after, '/api/admin/payments/changed');

const balanceAfter = async (response: ApiResponse<unknown>, { id, visitor }: Person = alice) =>
  (await readAfter<GamerProfile>(visitor, response, `/api/gamer/${id}`)).wallet.purchaseBalanceCents;

it('credits an unnoticed payment on lookup, and refuses every later lookup, the repeated one too', async () => {
  const paymentId = await paid({ amount: 20 }, 'pay');
  const first = await lookUp({ paymentId }, 'look-once');
  expect(statusAndBody(first)).toEqual([
    200,
    {
      success: true,
      requiresGamerTag: false,
      recordedGamerTag: null,
      change: null,
      paymentDetails: { amount: '20', cryptoType: 'LTC', status: 'finished' },
      message: '$20.00 was credited to alice',
    },
  ]);
  expect(await balanceAfter(first)).toBe(2_000);
  for (const key of ['look-once', undefined]) {
    const later = await lookUp({ paymentId }, key);
    expect(statusAndBody(later)).toMatchObject([409, { error: 'This payment was already credited to alice' }]);
  }
  expect(await balanceAfter(first)).toBe(2_000);
});

it('buys the tokens of an unnoticed invoice payment on lookup, and names its coin', async () => {
  expect((await admin.visitor.post('/api/admin/game/start-live')).status).toBe(200);
  const paymentId = await paid({ quantity: 10 }, 'pay');
  const first = await lookUp({ paymentId });
  const details = { amount: '3', cryptoType: 'LTC', status: 'finished' };
  expect(statusAndBody(first)).toMatchObject([200, { success: true, paymentDetails: details }]);
});

it('takes a payment from its recorded gamer only in a second step, with a reason that the ledger keeps', async () => {
  const mallory = await application.register('mallory');
  const paymentId = await paid({ amount: 20 }, 'underpay');
  const first = await lookUp({ paymentId, gamerTag: 'mallory' });
  expect(statusAndBody(first)).toMatchObject([
    200,
    {
      success: false,
      requiresGamerTag: false,
      recordedGamerTag: 'alice',
      message: expect.stringContaining('This payment is recorded for another gamer.'),
    },
  ]);
  const blank = await lookUp({ paymentId, gamerTag: 'mallory', reason: '  ' });
  expect(blank.body).toMatchObject({ success: false, recordedGamerTag: 'alice' });
  expect(await balanceAfter(blank, mallory)).toBe(0);

  const body = { paymentId, gamerTag: 'mallory', reason: 'alice paid for mallory' };
  const given = await lookUp(body, 'takes');
  expect(statusAndBody(given)).toMatchObject([200, { success: true, message: '$13.99 was credited to mallory' }]);
  expect(await balanceAfter(given, mallory)).toBe(1_399);
  for (const repeated of [body, { ...body, reason: 'another reason' }])
    expect((await lookUp(repeated, 'takes')).status).toBe(409);
  expect(await balanceAfter(given, mallory)).toBe(1_399);
});

it('shows the admin a refund after the credit, and moves no money for it', async () => {
  const paymentId = await paid({ amount: 30 }, 'pay');
  const credited = await lookUp({ paymentId });
  const before = await balanceAfter(credited);
  expect(await changed(credited)).toEqual([]);
  const { actuallyPaid } = await payer.setStatus(paymentId, 'refunded');
  const change = `The gateway now says refunded, with ${actuallyPaid} LTC paid; it was finished, with ${actuallyPaid}`;
  const again = await lookUp({ paymentId });
  expect(statusAndBody(again)).toMatchObject([409, { error: `This payment was already credited to alice. ${change}` }]);

  const shown = await until(async () => (await changed(credited)).find((one) => one.paymentId === paymentId));
  expect(shown).toEqual({
    paymentId,
    gamerId: alice.id,
    gamerTag: 'alice',
    purpose: 'deposit',
    outcome: 'approved',
    creditedCents: 3_000,
    cryptoType: 'LTC',
    change,
    changedAtMs: expect.any(Number),
  });
  const { body: approved } = await admin.visitor.get<ApprovedDeposit[]>('/api/admin/deposits/approved');
  expect(approved.find((deposit) => deposit.paymentId === paymentId)).toMatchObject({ change });
  expect(approved.filter((deposit) => deposit.change !== null)).toHaveLength(1);
  expect(await balanceAfter(credited)).toBe(before);
});

it('decides about a parked payment only as the admin saw it, and tells the gamer of a refund', async () => {
  const paymentId = await paid({ amount: 100 }, 'underpay');
  const lookup = await lookUp({ paymentId });
  expect(lookup.body).toMatchObject({ success: false, message: expect.stringContaining('Less arrived than was due') });
  const pending = () => admin.visitor.get<PendingDeposit[]>('/api/admin/deposits/pending').then(({ body }) => body);
  const seen = (await pending()).find((deposit) => deposit.paymentId === paymentId)!;
  expect(seen).toMatchObject({ amountCents: 6_999, change: null });
  const inReview = async () =>
    (await alice.visitor.get<PaymentInReview[]>(`/api/gamer/${alice.id}/payments-in-review`)).body[0];
  expect(await inReview()).toMatchObject({ state: 'review', message: expect.stringContaining('reviewed by hand') });
  const { body: history } = await admin.visitor.get<GamerHistoryResponse>(`/api/admin/gamers/${alice.id}/history`);
  expect(history.paymentsInReview).toMatchObject([{ paymentId, recorded: { type: 'DepositRecorded' } }]);
  const { orderId, actuallyPaid } = await payer.setStatus(paymentId, 'refunded');
  const before = await balanceAfter(lookup);

  const decide = (decision: 'approve' | 'reject', body: object) =>
    admin.visitor.post<ErrorBody>(`/api/admin/${decision}-deposit`, { depositId: seen.id, ...body });
  const change = `The gateway now says refunded, with ${actuallyPaid} LTC paid; it was partially_paid, with ${actuallyPaid}`;
  for (const refused of [await decide('approve', {}), await decide('reject', { change: seen.change })])
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'deposit-changed', error: expect.stringContaining(change) },
    });
  expect((await lookUp({ paymentId, gamerTag: 'alice' })).body).toMatchObject({ success: false, change });
  expect(await balanceAfter(lookup)).toBe(before);

  const noticed = await until(async () => (await pending()).find((deposit) => deposit.change !== null));
  expect(noticed).toMatchObject({ id: seen.id, amountCents: 6_999, change });
  expect(await inReview()).toMatchObject({ state: 'refunded', message: expect.stringContaining('sent back') });
  const { body: status } = await alice.visitor.get<PaymentStatusResponse>(`/api/payments/${orderId}`);
  expect(status).toMatchObject({ status: 'rejected', message: expect.stringContaining('sent back') });
  await payer.causeFault({ kind: 'reset', on: `GET /v1/payment/${paymentId}` });
  expect((await decide('approve', {})).status).toBe(409);
  await payer.clearFaults();
  expect((await decide('approve', { change })).status).toBe(200);
  const approved = () => admin.visitor.get<ApprovedDeposit[]>('/api/admin/deposits/approved').then(({ body }) => body);
  const credited = await until(async () => (await approved()).find((deposit) => deposit.id === seen.id));
  expect(credited).toMatchObject({ change, settledBy: 'admin' });
});
