import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { CryptoType } from '../../../../../contracts/crypto.js';
import { signatureOf } from '../../../../../embedded/payments/api-shapes.js';
import { REAL_MINIMUMS } from '../../../../../embedded/payments/records.js';
import {
  type EmbeddedPayments,
  startEmbeddedPayments,
} from '../../../../../embedded/payments/start-embedded-payments.js';
import { ACCOUNT } from '../../../../test/payer.js';
import { openTestShop, type TestShop } from '../../../../test/test-shop.js';
import { until } from '../../../../test/until.js';
import { GatewayRefused, GatewayUnavailable, receivedCents } from './payment-gateway.js';

describe('the NOWPayments adapter', () => {
  let payments: EmbeddedPayments;
  let close: () => Promise<void>;
  let clock: TestShop['clock'];
  let adapter: TestShop['adapter'];
  let gateway: TestShop['gateway'];
  let received: TestShop['received'];
  let responses: TestShop['responses'];
  let standIn: TestShop['standIn'];
  let order: TestShop['order'];
  let open: TestShop['open'];
  let act: TestShop['act'];
  let fault: TestShop['fault'];
  let requests: TestShop['requests'];
  let settled: TestShop['settled'];
  let callbacks: TestShop['callbacks'];

  beforeEach(async () => {
    payments = await startEmbeddedPayments({
      ...ACCOUNT,
      settings: { stepMs: 1, callbackRepeatMs: 1, minimums: REAL_MINIMUMS },
    });
    ({
      close,
      clock,
      adapter,
      gateway,
      received,
      responses,
      standIn,
      order,
      open,
      act,
      fault,
      requests,
      settled,
      callbacks,
    } = await openTestShop(payments));
  });

  afterEach(async () => {
    await payments.close();
    await close();
  });

  describe('orders', () => {
    it.each<[CryptoType, number, string]>([
      ['BTC', 2100, '0.0001909'],
      ['LTC', 735, '0.07736843'],
      ['TRX', 735, '22.96875'],
      ['DOGE', 31, ''],
    ])('creates an invoice and its payment in %s over %i cents', async (cryptoType, amountCents, least) => {
      if (cryptoType === 'DOGE') await standIn('/settings', { minimums: { doge: '0.1' } });
      const { invoice, payment } = await open({ cryptoType, amountCents });
      expect(invoice.checkoutUrl).toBe(`${payments.url}/payment/?iid=${invoice.invoiceId}`);
      expect(payment).toMatchObject({
        status: 'waiting',
        invoiceId: invoice.invoiceId,
        orderId: 'dep-1',
        cryptoType,
        priceAmount: String(amountCents / 100),
        priceCurrency: 'usd',
        actuallyPaid: '0',
      });
      expect(payment.payAmount).toMatch(least === '' ? /^1\.55$/ : new RegExp(`^${least.replace('.', '\\.')}`));
      expect(await gateway.getPayment(payment.paymentId)).toEqual(payment);
    });

    it('refuses an order below the minimum with the gateway’s own code', async () => {
      const { invoiceId } = await gateway.createInvoice(order({ amountCents: 30 }));
      await expect(gateway.createPayment(invoiceId, 'LTC')).rejects.toMatchObject({
        name: 'GatewayRefused',
        httpStatus: 400,
        code: 'AMOUNT_MINIMAL_ERROR',
      });
    });

    it('refuses another coin than the invoice’s, an unknown invoice and an invalid callback address', async () => {
      const { invoiceId } = await gateway.createInvoice(order());
      await expect(gateway.createPayment(invoiceId, 'BTC')).rejects.toThrow(GatewayRefused);
      await expect(gateway.createPayment('1', 'BTC')).rejects.toMatchObject({ httpStatus: 404 });
      await expect(gateway.createInvoice(order({ callbackUrl: 'nowhere' }))).rejects.toMatchObject({
        code: 'INVALID_REQUEST_PARAMS',
      });
    });

    it('never sends a fraction of a cent or zero', async () => {
      await expect(gateway.createInvoice(order({ amountCents: 0.5 }))).rejects.toThrow('0.5 cents');
      await expect(gateway.createInvoice(order({ amountCents: 0 }))).rejects.toThrow('0 cents');
      expect(await requests('POST', '/v1/invoice')).toBe(0);
    });

    it('gets the gateway’s refusal when the key is wrong', async () => {
      await expect(adapter({ apiKey: 'other' }).createInvoice(order())).rejects.toMatchObject({
        httpStatus: 403,
        code: 'INVALID_API_KEY',
      });
    });
  });

  describe('prices', () => {
    it('returns the minimum in coins and, rounded up, in cents, and caches it for a minute', async () => {
      await standIn('/settings', { minimums: { trx: '5.00001' } });
      expect(await gateway.minimumAmount('TRX')).toEqual({ coinAmount: '5.00001', cents: 161 });
      await standIn('/settings', { minimums: { trx: '50' } });
      expect(await gateway.minimumAmount('TRX')).toEqual({ coinAmount: '5.00001', cents: 161 });
      clock.nowMs += 60_001;
      expect(await gateway.minimumAmount('TRX')).toEqual({ coinAmount: '50', cents: 1600 });
      expect(await requests('GET', '/v1/min-amount')).toBe(2);
    });

    it('estimates the value of a coin amount, rounded down', async () => {
      expect(await gateway.estimateCents('0.00017', 'btc')).toBe(1870);
      expect(await gateway.estimateCents('0.00000999', 'doge')).toBe(0);
      await expect(gateway.estimateCents('1', 'nocoin')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    });
  });

  describe('the list of an invoice', () => {
    it('holds that invoice’s payments only, oldest first', async () => {
      const { invoice, payment } = await open();
      await open({ orderId: 'dep-2' });
      const second = await gateway.createPayment(invoice.invoiceId, 'LTC');
      const listed = await gateway.listPaymentsOfInvoice(invoice.invoiceId);
      expect(listed.map(({ paymentId }) => paymentId)).toEqual([payment.paymentId, second.paymentId]);
      expect(await gateway.listPaymentsOfInvoice('4000000000')).toEqual([]);
    });

    it('logs in once for several lists, again after four minutes, and again when the token is refused', async () => {
      await Promise.all(['1', '2', '3'].map((id) => gateway.listPaymentsOfInvoice(id)));
      expect(await requests('POST', '/v1/auth')).toBe(1);
      clock.nowMs += 4 * 60_000 + 1;
      await gateway.listPaymentsOfInvoice('1');
      expect(await requests('POST', '/v1/auth')).toBe(2);
    });

    it('gets a new token when the gateway refuses the old one', async () => {
      const gatewayClock = { now: Date.now() };
      const other = await startEmbeddedPayments({ ...ACCOUNT, now: () => gatewayClock.now });
      try {
        const otherAdapter = adapter({ baseUrl: other.apiUrl });
        await otherAdapter.listPaymentsOfInvoice('1');
        gatewayClock.now += 5 * 60_000 + 1;
        expect(await otherAdapter.listPaymentsOfInvoice('1')).toEqual([]);
      } finally {
        await other.close();
      }
    });

    it('fails when the account’s password is wrong, and tries again on the next call', async () => {
      const wrong = adapter({ password: 'closed' });
      await expect(wrong.listPaymentsOfInvoice('1')).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
      await expect(wrong.listPaymentsOfInvoice('1')).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
      expect(await requests('POST', '/v1/auth')).toBe(2);
    });
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

  describe('a gateway that fails', () => {
    it('gets the request again after a 429, because it did not act on it', async () => {
      await fault('rate-limited', 'POST /v1/invoice', 2);
      await gateway.createInvoice(order());
      expect(await requests('POST', '/v1/invoice')).toBe(3);
    });

    it('gets three tries at most when every answer is a 429', async () => {
      await fault('rate-limited', 'POST /v1/invoice', 9);
      await expect(gateway.createInvoice(order())).rejects.toMatchObject({
        name: 'GatewayUnavailable',
        reason: 'rate-limited',
        mayHaveHappened: false,
      });
      expect(await requests('POST', '/v1/invoice')).toBe(3);
    });

    it.each([
      ['server-error', 'server-error'],
      ['html', 'server-error'],
      ['malformed', 'unreadable'],
      ['wrong-shape', 'unreadable'],
      ['reset', 'unreachable'],
    ])('is unavailable after %s, and a POST is not repeated', async (kind, reason) => {
      const { invoiceId } = await gateway.createInvoice(order());
      await fault(kind, 'POST /v1/invoice-payment');
      await expect(gateway.createPayment(invoiceId, 'LTC')).rejects.toMatchObject({
        name: 'GatewayUnavailable',
        reason,
        mayHaveHappened: true,
      });
      expect(await requests('POST', '/v1/invoice-payment')).toBe(1);
      await fault(kind, 'GET /v1/payment/');
      await expect(gateway.getPayment('4000000000')).rejects.toMatchObject({ reason, mayHaveHappened: false });
    });

    it.each(['createInvoice', 'minimumAmount', 'estimateCents', 'listPaymentsOfInvoice'] as const)(
      'is unreadable when it answers %s with another shape',
      async (call) => {
        await fault('wrong-shape', '', 1);
        const calls = {
          createInvoice: () => gateway.createInvoice(order()),
          minimumAmount: () => gateway.minimumAmount('BTC'),
          estimateCents: () => gateway.estimateCents('1', 'btc'),
          listPaymentsOfInvoice: () => gateway.listPaymentsOfInvoice('1'),
        };
        await expect(calls[call]()).rejects.toMatchObject({ reason: 'unreadable' });
      },
    );

    it('may create a payment without answering: it is not created twice, and the list has it', async () => {
      const { invoiceId } = await gateway.createInvoice(order());
      await fault('no-answer', 'POST /v1/invoice-payment');
      const hurried = adapter({ timeoutMs: 150 });
      await expect(hurried.createPayment(invoiceId, 'LTC')).rejects.toMatchObject({
        reason: 'timeout',
        mayHaveHappened: true,
      });
      expect(await requests('POST', '/v1/invoice-payment')).toBe(1);
      expect(await gateway.listPaymentsOfInvoice(invoiceId)).toMatchObject([{ status: 'waiting', orderId: 'dep-1' }]);
    });

    it('has a time limit for the whole call, not for each request', async () => {
      await standIn('/faults', { latencyMs: 120 });
      // A log-in and a list take 240 ms.
      await expect(adapter({ timeoutMs: 180 }).listPaymentsOfInvoice('1')).rejects.toMatchObject({ reason: 'timeout' });
      await standIn('/faults', undefined, 'DELETE');
      expect(await gateway.listPaymentsOfInvoice('1')).toEqual([]);
    });

    it('certainly did nothing when it was unreachable', async () => {
      const other = await startEmbeddedPayments(ACCOUNT);
      await other.close();
      const unreachable = adapter({ baseUrl: other.apiUrl });
      await expect(unreachable.createInvoice(order())).rejects.toBeInstanceOf(GatewayUnavailable);
      await expect(unreachable.createInvoice(order())).rejects.toMatchObject({
        reason: 'unreachable',
        mayHaveHappened: false,
      });
    });

    it('cannot redirect a request with the key to another server', async () => {
      const elsewhere = createServer((_request, response) =>
        response.writeHead(302, { location: payments.apiUrl }).end(),
      );
      elsewhere.listen(0, '127.0.0.1');
      await once(elsewhere, 'listening');
      const { port } = elsewhere.address() as AddressInfo;
      const redirected = adapter({ baseUrl: `http://127.0.0.1:${port}` });
      await expect(redirected.getPayment('4000000000')).rejects.toMatchObject({ reason: 'unreachable' });
      elsewhere.close();
      elsewhere.closeAllConnections();
    });
  });
});
