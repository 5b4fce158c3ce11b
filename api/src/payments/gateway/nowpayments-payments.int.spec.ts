import { setTimeout as delay } from 'node:timers/promises';
import { signatureOf } from '../../../../embedded/payments/callback-body.js';
import { type EmbeddedPayments, startEmbeddedPayments } from '../../../../embedded/payments/start-embedded-payments.js';
import { receivedCents } from './received-cents.js';
import { ACCOUNT, openScene, type Scene, until } from './testing/gateway-scene.js';

describe('payments and callbacks through the NOWPayments adapter', () => {
  let payments: EmbeddedPayments;
  let close: () => void;
  let adapter: Scene['adapter'];
  let gateway: Scene['gateway'];
  let shop: Scene['shop'];
  let standIn: Scene['standIn'];
  let open: Scene['open'];
  let act: Scene['act'];
  let settled: Scene['settled'];
  let heard: Scene['heard'];

  beforeEach(async () => {
    payments = await startEmbeddedPayments({ ...ACCOUNT, settings: { stepMs: 1, callbackRepeatMs: 1 } });
    const scene = await openScene(payments);
    close = scene.shop.close;
    ({ adapter, gateway, shop, standIn, open, act, settled, heard } = scene);
  });

  afterEach(async () => {
    await payments.close();
    close();
  });

  describe('what happens to a payment', () => {
    it('goes from waiting to finished when the exact amount comes, with a callback for each status', async () => {
      const { payment } = await open();
      await act(payment.paymentId, 'pay');
      const after = await settled(payment.paymentId, 'finished');
      expect(after.actuallyPaid).toBe(after.payAmount);
      expect(receivedCents(after)).toBe(2100);
      const callbacks = await heard(4);
      expect(callbacks.map(({ callback }) => callback?.payment?.status).sort()).toEqual(
        ['confirming', 'confirmed', 'sending', 'finished'].sort(),
      );
      expect(callbacks.every(({ callback }) => callback?.payment?.paymentId === payment.paymentId)).toBe(true);
      expect(callbacks[0]!.callback?.body).toHaveProperty('fee.currency', 'ltc');
    });

    it.each([
      ['underpay', 'partially_paid', 1469],
      ['overpay', 'finished', 2729],
    ])('tells %s by the amounts', async (action, status, cents) => {
      const { payment } = await open();
      await act(payment.paymentId, action);
      const after = await settled(payment.paymentId, status);
      expect(after.actuallyPaid).not.toBe(after.payAmount);
      expect(receivedCents(after)).toBe(cents);
    });

    it('is finished by hand after it came short', async () => {
      const { payment } = await open();
      await act(payment.paymentId, 'underpay', { amount: '0.1' });
      await settled(payment.paymentId, 'partially_paid');
      await act(payment.paymentId, 'finish-by-hand');
      expect(await settled(payment.paymentId, 'finished')).toMatchObject({ actuallyPaid: '0.1' });
    });

    it.each([
      ['expire', 'expired'],
      ['fail', 'failed'],
    ])('ends by %s as %s, with nothing received', async (action, status) => {
      const { payment } = await open();
      await act(payment.paymentId, action);
      expect(receivedCents(await settled(payment.paymentId, status))).toBe(0);
      expect((await heard(1))[0]?.callback?.payment?.status).toBe(status);
    });

    it('expires by itself when its time is up', async () => {
      await standIn('/settings', { validForMs: 20 });
      const { payment } = await open();
      expect((await settled(payment.paymentId, 'expired')).actuallyPaid).toBe('0');
    });

    it('may be refunded and cancelled', async () => {
      const { payment } = await open();
      await act(payment.paymentId, 'underpay');
      await settled(payment.paymentId, 'partially_paid');
      await act(payment.paymentId, 'cancel');
      expect(await gateway.getPayment(payment.paymentId)).toMatchObject({ status: 'cancelled' });
      const { payment: other } = await open();
      await act(other.paymentId, 'pay');
      await settled(other.paymentId, 'finished');
      await act(other.paymentId, 'refund');
      expect(await gateway.getPayment(other.paymentId)).toMatchObject({ status: 'refunded' });
    });

    it('receives late without a callback: only asking finds it', async () => {
      const { payment } = await open();
      await act(payment.paymentId, 'pay-late');
      const after = await gateway.getPayment(payment.paymentId);
      expect(after).toMatchObject({ status: 'expired', actuallyPaid: payment.payAmount });
      await delay(50);
      expect(shop.received.map(({ callback }) => [callback?.payment?.status, callback?.payment?.actuallyPaid])).toEqual(
        [['expired', '0']],
      );
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

    it('takes a status it never heard of for pending', async () => {
      const { payment } = await open();
      await standIn(`/payments/${payment.paymentId}/act`, { status: 'hibernating' });
      expect(await gateway.getPayment(payment.paymentId)).toMatchObject({
        status: 'pending',
        statusWord: 'hibernating',
      });
    });

    it('is null for an id that the gateway does not know, or that is none', async () => {
      expect(await gateway.getPayment('1234567890')).toBeNull();
      expect(await gateway.getPayment('../auth')).toBeNull();
    });
  });

  describe('callbacks', () => {
    it('are refused when forged, and the same when replayed', async () => {
      const { payment } = await open();
      await act(payment.paymentId, 'expire');
      const [{ raw, signature } = { raw: Buffer.alloc(0), signature: '' }] = await heard(1);
      expect(gateway.verifyCallback(raw, signature)).not.toBeNull();
      expect(gateway.verifyCallback(raw, signature)).toEqual(gateway.verifyCallback(raw, signature));
      const forged = Buffer.from(raw.toString().replace('expired', 'finished'));
      expect(gateway.verifyCallback(forged, signature)).toBeNull();
      expect(gateway.verifyCallback(raw, undefined)).toBeNull();
      expect(gateway.verifyCallback(raw, signatureOf(raw.toString(), 'another secret'))).toBeNull();
      expect(adapter({ ipnSecret: 'another' }).verifyCallback(raw, signature)).toBeNull();
    });

    it('are null when they are no JSON object or too long, however well signed', () => {
      for (const body of ['', '[]', '"text"', '{"a":', `{"a":"${'x'.repeat(70_000)}"}`]) {
        expect(gateway.verifyCallback(Buffer.from(body), signatureOf(body, ACCOUNT.ipnSecret))).toBeNull();
      }
    });

    it('about something else, such as a payout, are genuine but no payment', () => {
      const body = '{"batch_withdrawal_id":"1","id":"2","status":"FINISHED"}';
      const callback = gateway.verifyCallback(Buffer.from(body), signatureOf(body, ACCOUNT.ipnSecret));
      expect(callback).toEqual({ body: JSON.parse(body), payment: null });
    });

    it('with children are signed so that they hold', async () => {
      const { payment } = await open();
      await act(payment.paymentId, 'wrong-coin');
      await act(payment.paymentId, 'expire');
      const all = await heard(2);
      expect(all.every(({ callback }) => callback !== null)).toBe(true);
      await until(
        () => shop.received.some(({ callback }) => callback?.payment?.childPaymentIds.length === 1),
        (isThere) => isThere,
      );
    });

    it('come again until they are taken, three times at most', async () => {
      shop.answers.push(500, 503, 200);
      const { payment } = await open();
      await act(payment.paymentId, 'expire');
      const taken = await until(
        () => standIn<{ state: string; attempts: object[] }[]>(`/callbacks?paymentId=${payment.paymentId}`),
        ([delivery]) => delivery?.state !== 'due',
      );
      expect(taken).toMatchObject([
        { state: 'delivered', attempts: [{ outcome: '500' }, { outcome: '503' }, { outcome: '200' }] },
      ]);
      shop.answers.push(500, 500, 500, 500, 500);
      const { payment: other } = await open();
      await act(other.paymentId, 'expire');
      const [given] = await until(
        () => standIn<{ state: string; attempts: object[] }[]>(`/callbacks?paymentId=${other.paymentId}`),
        ([delivery]) => delivery?.state !== 'due',
      );
      expect(given).toMatchObject({ state: 'given-up' });
      expect(given?.attempts).toHaveLength(4);
      expect(new Set(shop.received.slice(-4).map(({ raw }) => raw.toString())).size).toBe(1);
    });

    it('may be lost, and sent twice when asked for', async () => {
      await standIn('/settings', { losesCallbacks: true });
      const { payment } = await open();
      await act(payment.paymentId, 'pay');
      await settled(payment.paymentId, 'finished');
      const lost = await standIn<{ state: string }[]>(`/callbacks?paymentId=${payment.paymentId}`);
      expect(lost.map(({ state }) => state)).toEqual(['lost', 'lost', 'lost', 'lost']);
      expect(shop.received).toEqual([]);
      await standIn(`/payments/${payment.paymentId}/repeat-callback`, {});
      await standIn(`/payments/${payment.paymentId}/repeat-callback`, {});
      const [first, second] = await heard(2);
      expect(first?.callback?.payment).toMatchObject({ paymentId: payment.paymentId, status: 'finished' });
      expect(second).toEqual(first);
    });
  });
});
