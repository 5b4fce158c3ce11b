import { setTimeout as delay } from 'node:timers/promises';
import { signatureOf } from '../../../../embedded/payments/api-shapes.js';
import { type EmbeddedPayments, startEmbeddedPayments } from '../../../../embedded/payments/start-embedded-payments.js';
import { ACCOUNT } from '../testing/payer.js';
import { receivedCents } from './payment-gateway.js';
import { openTestShop, type TestShop, until } from './testing/test-shop.js';

describe('payments and callbacks through the NOWPayments adapter', () => {
  let payments: EmbeddedPayments;
  let close: () => Promise<void>;
  let adapter: TestShop['adapter'];
  let gateway: TestShop['gateway'];
  let received: TestShop['received'];
  let responses: TestShop['responses'];
  let standIn: TestShop['standIn'];
  let open: TestShop['open'];
  let act: TestShop['act'];
  let settled: TestShop['settled'];
  let callbacks: TestShop['callbacks'];

  beforeEach(async () => {
    payments = await startEmbeddedPayments({ ...ACCOUNT, settings: { stepMs: 1, callbackRepeatMs: 1 } });
    ({ close, adapter, gateway, received, responses, standIn, open, act, settled, callbacks } =
      await openTestShop(payments));
  });

  afterEach(async () => {
    await payments.close();
    await close();
  });

  describe('what happens to a payment', () => {
    it('is paid when the exact amount arrives, with a callback for each of the gateway’s words', async () => {
      const { payment } = await open();
      await act(payment.paymentId, 'pay');
      const after = await settled(payment.paymentId, 'finished');
      expect(after.actuallyPaid).toBe(after.payAmount);
      expect(receivedCents(after)).toBe(2100);
      expect(after.status).toBe('paid');
      const received = await callbacks(4);
      expect(received.map(({ callback }) => callback?.payment?.gatewayStatus).sort()).toEqual(
        ['confirming', 'confirmed', 'sending', 'finished'].sort(),
      );
      expect(received.every(({ callback }) => callback?.payment?.paymentId === payment.paymentId)).toBe(true);
      expect(received[0]!.callback?.body).toHaveProperty('fee.currency', 'ltc');
    });

    it.each([
      ['underpay', 'partially_paid', 'short', 1469],
      ['overpay', 'finished', 'over', 2729],
    ] as const)('recognises %s from the amounts', async (action, gatewayStatus, status, cents) => {
      const { payment } = await open();
      await act(payment.paymentId, action);
      const after = await settled(payment.paymentId, gatewayStatus);
      expect(after.status).toBe(status);
      expect(after.actuallyPaid).not.toBe(after.payAmount);
      expect(receivedCents(after)).toBe(cents);
    });

    it('stays short when the gateway’s staff finish it by hand', async () => {
      const { payment } = await open();
      await act(payment.paymentId, 'underpay', { amount: '0.1' });
      await settled(payment.paymentId, 'partially_paid');
      await act(payment.paymentId, 'finish-by-hand');
      expect(await settled(payment.paymentId, 'finished')).toMatchObject({ actuallyPaid: '0.1', status: 'short' });
    });

    it.each([
      ['expire', 'expired'],
      ['fail', 'failed'],
    ] as const)('ends by %s as %s, with nothing received', async (action, status) => {
      const { payment } = await open();
      await act(payment.paymentId, action);
      expect(receivedCents(await settled(payment.paymentId, status))).toBe(0);
      expect((await callbacks(1))[0]?.callback?.payment?.status).toBe(status);
    });

    it('expires by itself when its time is up', async () => {
      await standIn('/settings', { validForMs: 20 });
      const { payment } = await open();
      expect((await settled(payment.paymentId, 'expired')).actuallyPaid).toBe('0');
    });

    it('stays short when it is cancelled, and may be refunded', async () => {
      const { payment } = await open();
      await act(payment.paymentId, 'underpay');
      await settled(payment.paymentId, 'partially_paid');
      await act(payment.paymentId, 'cancel');
      expect(await gateway.getPayment(payment.paymentId)).toMatchObject({
        status: 'short',
        gatewayStatus: 'cancelled',
      });
      const { payment: other } = await open();
      await act(other.paymentId, 'pay');
      await settled(other.paymentId, 'finished');
      await act(other.paymentId, 'refund');
      expect(await gateway.getPayment(other.paymentId)).toMatchObject({ status: 'refunded' });
    });

    it('receives late money without a callback: only a poll finds it', async () => {
      const { payment } = await open();
      await act(payment.paymentId, 'pay-late');
      const after = await gateway.getPayment(payment.paymentId);
      expect(after).toMatchObject({ status: 'expired', actuallyPaid: payment.payAmount });
      await delay(50);
      expect(received.map(({ callback }) => [callback?.payment?.status, callback?.payment?.actuallyPaid])).toEqual([
        ['expired', '0'],
      ]);
    });

    it.each([true, false])('finds a repeated transfer through the invoice (order id kept: %p)', async (keeps) => {
      await standIn('/settings', { childrenKeepOrderId: keeps });
      const { invoice, payment } = await open();
      await act(payment.paymentId, 'pay');
      await settled(payment.paymentId, 'finished');
      await act(payment.paymentId, 'pay-again', { amount: '0.05' });
      const [first, second, ...more] = await gateway.listPaymentsOfInvoice(invoice.invoiceId);
      expect(more).toEqual([]);
      expect(first).toMatchObject({ paymentId: payment.paymentId, childPaymentIds: [second?.paymentId] });
      expect(second).toMatchObject({
        parentPaymentId: payment.paymentId,
        orderId: keeps ? 'dep-1' : null,
        payAmount: '0.05',
        actuallyPaid: '0.05',
      });
      expect(receivedCents(second!)).toBeNull();
      expect(await gateway.estimateCents(second!.actuallyPaid, second!.payCurrency)).toBe(475);
    });

    it('finds a wrong coin as a payment of its own in that coin', async () => {
      await standIn('/settings', { wrongAssetStatus: 'partially_paid' });
      const { invoice, payment } = await open();
      await act(payment.paymentId, 'wrong-coin', { currency: 'doge', amount: '105' });
      const [, child] = await gateway.listPaymentsOfInvoice(invoice.invoiceId);
      expect(child).toMatchObject({ parentPaymentId: payment.paymentId, cryptoType: 'DOGE', payAmount: '105' });
      await settled(child!.paymentId, 'partially_paid');
      expect(await gateway.getPayment(payment.paymentId)).toMatchObject({ status: 'waiting' });
    });

    it('takes an unknown word for arriving', async () => {
      const { payment } = await open();
      await standIn(`/payments/${payment.paymentId}/act`, { status: 'hibernating' });
      expect(await gateway.getPayment(payment.paymentId)).toMatchObject({
        status: 'arriving',
        gatewayStatus: 'hibernating',
      });
    });

    it('is null for an unknown or invalid id', async () => {
      expect(await gateway.getPayment('1234567890')).toBeNull();
      expect(await gateway.getPayment('../auth')).toBeNull();
    });
  });

  describe('callbacks', () => {
    it('are refused when forged, and read the same when repeated', async () => {
      const { payment } = await open();
      await act(payment.paymentId, 'expire');
      const [{ raw, signature } = { raw: Buffer.alloc(0), signature: '' }] = await callbacks(1);
      expect(gateway.verifyCallback(raw, signature)).not.toBeNull();
      expect(gateway.verifyCallback(raw, signature)).toEqual(gateway.verifyCallback(raw, signature));
      const forged = Buffer.from(raw.toString().replace('expired', 'finished'));
      expect(gateway.verifyCallback(forged, signature)).toBeNull();
      expect(gateway.verifyCallback(raw, undefined)).toBeNull();
      expect(gateway.verifyCallback(raw, signatureOf(raw.toString(), 'another secret'))).toBeNull();
      expect(adapter({ ipnSecret: 'another' }).verifyCallback(raw, signature)).toBeNull();
    });

    it('are null without a JSON object or when too long, even with a valid signature', () => {
      for (const body of ['', '[]', '"text"', '{"a":', `{"a":"${'x'.repeat(70_000)}"}`]) {
        expect(gateway.verifyCallback(Buffer.from(body), signatureOf(body, ACCOUNT.ipnSecret))).toBeNull();
      }
    });

    it('about a payout are verified but hold no payment', () => {
      const body = '{"batch_withdrawal_id":"1","id":"2","status":"FINISHED"}';
      const callback = gateway.verifyCallback(Buffer.from(body), signatureOf(body, ACCOUNT.ipnSecret));
      expect(callback).toEqual({ body: JSON.parse(body), payment: null });
    });

    it('with child payments have a valid signature', async () => {
      const { payment } = await open();
      await act(payment.paymentId, 'wrong-coin');
      await act(payment.paymentId, 'expire');
      const all = await callbacks(2);
      expect(all.every(({ callback }) => callback !== null)).toBe(true);
      await until(
        () => received.some(({ callback }) => callback?.payment?.childPaymentIds.length === 1),
        (isThere) => isThere,
      );
    });

    it('are repeated until they are accepted, three times at most', async () => {
      responses.push(500, 503, 200);
      const { payment } = await open();
      await act(payment.paymentId, 'expire');
      const deliveries = await until(
        () => standIn<{ state: string; attempts: object[] }[]>(`/callbacks?paymentId=${payment.paymentId}`),
        ([delivery]) => delivery?.state !== 'due',
      );
      expect(deliveries).toMatchObject([
        { state: 'delivered', attempts: [{ outcome: '500' }, { outcome: '503' }, { outcome: '200' }] },
      ]);
      responses.push(500, 500, 500, 500, 500);
      const { payment: other } = await open();
      await act(other.paymentId, 'expire');
      const [givenUp] = await until(
        () => standIn<{ state: string; attempts: object[] }[]>(`/callbacks?paymentId=${other.paymentId}`),
        ([delivery]) => delivery?.state !== 'due',
      );
      expect(givenUp).toMatchObject({ state: 'given-up' });
      expect(givenUp?.attempts).toHaveLength(4);
      expect(new Set(received.slice(-4).map(({ raw }) => raw.toString())).size).toBe(1);
    });

    it('may be lost, and are sent twice on request', async () => {
      await standIn('/settings', { losesCallbacks: true });
      const { payment } = await open();
      await act(payment.paymentId, 'pay');
      await settled(payment.paymentId, 'finished');
      const lost = await standIn<{ state: string }[]>(`/callbacks?paymentId=${payment.paymentId}`);
      expect(lost.map(({ state }) => state)).toEqual(['lost', 'lost', 'lost', 'lost']);
      expect(received).toEqual([]);
      await standIn(`/payments/${payment.paymentId}/repeat-callback`, {});
      await standIn(`/payments/${payment.paymentId}/repeat-callback`, {});
      const [first, second] = await callbacks(2);
      expect(first?.callback?.payment).toMatchObject({ paymentId: payment.paymentId, status: 'paid' });
      expect(second).toEqual(first);
    });
  });
});
