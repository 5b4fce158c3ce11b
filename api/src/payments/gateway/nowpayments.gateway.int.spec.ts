import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { CryptoType } from '../../../../contracts/crypto.js';
import { signatureOf } from '../../../../embedded/payments/callback-body.js';
import { type EmbeddedPayments, startEmbeddedPayments } from '../../../../embedded/payments/start-embedded-payments.js';
import { NowPaymentsGateway } from './nowpayments.gateway.js';
import { GatewayRefused, GatewayUnavailable, type InvoiceOrder, type VerifiedCallback } from './payment-gateway.js';
import { receivedCents } from './received-cents.js';

const ACCOUNT = { apiKey: 'key-1', ipnSecret: 'ipn-secret', email: 'shop@example.org', password: 'open sesame' };

interface Received {
  raw: Buffer;
  signature: string;
  callback: VerifiedCallback | null;
}

/** The shop's side of callbacks: it verifies what comes, and answers as it is told. */
async function startShop(verify: (raw: Buffer, signature: string) => VerifiedCallback | null) {
  const received: Received[] = [];
  const shop = { answers: [] as (number | 'hang')[], received, url: '', server: null as Server | null };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const signature = String(request.headers['x-nowpayments-sig']);
      received.push({ raw, signature, callback: verify(raw, signature) });
      const answer = shop.answers.shift() ?? 200;
      if (answer !== 'hang') response.writeHead(answer).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  shop.server = server;
  shop.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ipn`;
  return shop;
}

async function until<T>(what: () => T | Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 400; tries++) {
    const value = await what();
    if (isSo(value)) return value;
    await delay(10);
  }
  throw new Error(`it never came to be so: ${JSON.stringify(await what())}`);
}

describe('the NOWPayments adapter against the embedded gateway', () => {
  let payments: EmbeddedPayments;
  let gateway: NowPaymentsGateway;
  let shop: Awaited<ReturnType<typeof startShop>>;
  let clockMs: number;

  beforeEach(async () => {
    clockMs = Date.now();
    payments = await startEmbeddedPayments({ ...ACCOUNT, settings: { stepMs: 1, callbackRepeatMs: 1 } });
    gateway = adapter();
    shop = await startShop((raw, signature) => gateway.verifyCallback(raw, signature));
  });

  afterEach(async () => {
    await payments.close();
    shop.server?.closeAllConnections();
    shop.server?.close();
  });

  const adapter = (options: Partial<ConstructorParameters<typeof NowPaymentsGateway>[0]> = {}) =>
    new NowPaymentsGateway({
      baseUrl: payments.apiUrl,
      ...ACCOUNT,
      rateLimitPauseMs: 1,
      now: () => clockMs,
      ...options,
    });

  async function standIn<T>(path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<T> {
    const response = await fetch(`${payments.url}/_stand-in${path}`, { method, body: JSON.stringify(body) });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer as T;
  }

  const act = (paymentId: string, action: string, details: object = {}) =>
    standIn(`/payments/${paymentId}/act`, { action, ...details });
  const fault = (kind: string, on: string, times = 1) => standIn('/faults', { kind, on, times });
  const requests = async (method: string, path: string) =>
    (await standIn<{ method: string; path: string }[]>('/requests')).filter(
      (request) => request.method === method && request.path === path,
    ).length;

  const order = (overrides: Partial<InvoiceOrder> = {}): InvoiceOrder => ({
    orderId: 'dep-1',
    amountCents: 2100,
    cryptoType: 'LTC',
    description: 'Deposit of $20.00',
    callbackUrl: shop.url,
    successUrl: 'http://shop.example/payment-success',
    cancelUrl: 'http://shop.example/',
    ...overrides,
  });

  async function open(overrides: Partial<InvoiceOrder> = {}) {
    const invoice = await gateway.createInvoice(order(overrides));
    const payment = await gateway.createPayment(invoice.invoiceId, overrides.cryptoType ?? 'LTC');
    return { invoice, payment };
  }

  const settled = (paymentId: string, status: string) =>
    until(
      () => gateway.getPayment(paymentId),
      (payment) => payment?.status === status,
    ).then((payment) => payment!);

  const heard = (count: number) =>
    until(
      () => shop.received,
      ({ length }) => length >= count,
    );

  describe('orders', () => {
    it.each<[CryptoType, number, string]>([
      ['BTC', 2100, '0.0001909'],
      ['LTC', 735, '0.07736843'],
      ['TRX', 735, '22.96875'],
      ['DOGE', 31, ''],
    ])('makes an invoice and its payment in %s over %i cents', async (cryptoType, amountCents, least) => {
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
      expect(payment.validUntilEpochMs).toBeGreaterThan(clockMs + 6 * 24 * 60 * 60_000);
      const read = await gateway.getPayment(payment.paymentId);
      expect({ ...read, validUntilEpochMs: payment.validUntilEpochMs }).toEqual(payment);
    });

    it('refuses an order below the minimum with the gateway’s own code', async () => {
      const { invoiceId } = await gateway.createInvoice(order({ amountCents: 30 }));
      await expect(gateway.createPayment(invoiceId, 'LTC')).rejects.toMatchObject({
        name: 'GatewayRefused',
        httpStatus: 400,
        code: 'AMOUNT_MINIMAL_ERROR',
      });
    });

    it('refuses another coin than the invoice’s, an unknown invoice and a callback address that is none', async () => {
      const { invoiceId } = await gateway.createInvoice(order());
      await expect(gateway.createPayment(invoiceId, 'BTC')).rejects.toThrow(GatewayRefused);
      await expect(gateway.createPayment('1', 'BTC')).rejects.toMatchObject({ httpStatus: 404 });
      await expect(gateway.createInvoice(order({ callbackUrl: 'nowhere' }))).rejects.toMatchObject({
        code: 'INVALID_REQUEST_PARAMS',
      });
    });

    it('never asks for a part of a cent or for nothing', async () => {
      await expect(gateway.createInvoice(order({ amountCents: 0.5 }))).rejects.toThrow('0.5 cents');
      await expect(gateway.createInvoice(order({ amountCents: 0 }))).rejects.toThrow('0 cents');
      expect(await requests('POST', '/v1/invoice')).toBe(0);
    });

    it('is told by the gateway when the key is wrong', async () => {
      await expect(adapter({ apiKey: 'other' }).createInvoice(order())).rejects.toMatchObject({
        httpStatus: 403,
        code: 'INVALID_API_KEY',
      });
    });
  });

  describe('prices', () => {
    it('knows the least amount in coins and, rounded up, in cents; and asks once a minute', async () => {
      await standIn('/settings', { minimums: { trx: '5.00001' } });
      expect(await gateway.minimumAmount('TRX')).toEqual({ coinAmount: '5.00001', cents: 161 });
      await standIn('/settings', { minimums: { trx: '50' } });
      expect(await gateway.minimumAmount('TRX')).toEqual({ coinAmount: '5.00001', cents: 161 });
      clockMs += 60_001;
      expect(await gateway.minimumAmount('TRX')).toEqual({ coinAmount: '50', cents: 1600 });
      expect(await requests('GET', '/v1/min-amount')).toBe(2);
    });

    it('estimates what an amount of a coin is worth, rounded down', async () => {
      expect(await gateway.estimateCents('0.00017', 'btc')).toBe(1870);
      expect(await gateway.estimateCents('0.00000999', 'doge')).toBe(0);
      await expect(gateway.estimateCents('1', 'nocoin')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    });
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
      clockMs += 4 * 60_000 + 1;
      await gateway.listPaymentsOfInvoice('1');
      expect(await requests('POST', '/v1/auth')).toBe(2);
    });

    it('gets a new token when the gateway does not take the old one any more', async () => {
      const gatewayClock = { now: Date.now() };
      const other = await startEmbeddedPayments({ ...ACCOUNT, now: () => gatewayClock.now });
      try {
        const adapterOfIt = adapter({ baseUrl: other.apiUrl });
        await adapterOfIt.listPaymentsOfInvoice('1');
        gatewayClock.now += 5 * 60_000 + 1;
        expect(await adapterOfIt.listPaymentsOfInvoice('1')).toEqual([]);
      } finally {
        await other.close();
      }
    });

    it('says so when the account’s password is wrong, and tries again later', async () => {
      const wrong = adapter({ password: 'closed' });
      await expect(wrong.listPaymentsOfInvoice('1')).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
      await expect(wrong.listPaymentsOfInvoice('1')).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
      expect(await requests('POST', '/v1/auth')).toBe(2);
    });
  });

  describe('a gateway in trouble', () => {
    it('is asked again after 429, which says that nothing was done', async () => {
      await fault('rate-limited', 'POST /v1/invoice', 2);
      await gateway.createInvoice(order());
      expect(await requests('POST', '/v1/invoice')).toBe(3);
    });

    it('is left alone when it goes on with 429', async () => {
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
    ])('with %s is unavailable, and a POST is not repeated', async (kind, reason) => {
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
      'that answers %s with something else is unreadable',
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

    it('that does not answer leaves a payment behind, which is not made twice and is found through the list', async () => {
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

    it('that is slow bounds the whole call, not each of its requests', async () => {
      await standIn('/faults', { latencyMs: 120 });
      // A log-in and a list take 240 ms.
      await expect(adapter({ timeoutMs: 180 }).listPaymentsOfInvoice('1')).rejects.toMatchObject({ reason: 'timeout' });
      await standIn('/faults', undefined, 'DELETE');
      expect(await gateway.listPaymentsOfInvoice('1')).toEqual([]);
    });

    it('that is away was certainly not reached', async () => {
      const other = await startEmbeddedPayments(ACCOUNT);
      await other.close();
      const away = adapter({ baseUrl: other.apiUrl });
      await expect(away.createInvoice(order())).rejects.toBeInstanceOf(GatewayUnavailable);
      await expect(away.createInvoice(order())).rejects.toMatchObject({
        reason: 'unreachable',
        mayHaveHappened: false,
      });
    });

    it('is not followed to another place with the key', async () => {
      const elsewhere = createServer((_request, response) =>
        response.writeHead(302, { location: payments.apiUrl }).end(),
      );
      elsewhere.listen(0, '127.0.0.1');
      await once(elsewhere, 'listening');
      const { port } = elsewhere.address() as AddressInfo;
      const led = adapter({ baseUrl: `http://127.0.0.1:${port}` });
      await expect(led.getPayment('4000000000')).rejects.toMatchObject({ reason: 'unreachable' });
      elsewhere.close();
      elsewhere.closeAllConnections();
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
      shop.answers = [500, 503, 200];
      const { payment } = await open();
      await act(payment.paymentId, 'expire');
      const taken = await until(
        () => standIn<{ state: string; attempts: object[] }[]>(`/callbacks?paymentId=${payment.paymentId}`),
        ([delivery]) => delivery?.state !== 'due',
      );
      expect(taken).toMatchObject([
        { state: 'delivered', attempts: [{ outcome: '500' }, { outcome: '503' }, { outcome: '200' }] },
      ]);
      shop.answers = [500, 500, 500, 500, 500];
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
