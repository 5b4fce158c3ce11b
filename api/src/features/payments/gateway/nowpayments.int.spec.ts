import { DAY_MS } from '../../../../../contracts/durations.js';
import { signatureOf } from '../../../../../embedded/payments/callbacks.js';
import { serveLocally } from '../../../../test/local-server.js';
import { ACCOUNT, startGateway } from '../../../../test/payer.js';
import { openTestShop, type TestShop } from '../../../../test/test-shop.js';
import { GatewayRefused, receivedCents } from './payment-gateway.js';

let shop: TestShop;

beforeEach(async () => {
  shop = await openTestShop();
});

afterEach(() => shop.close());

describe('orders', () => {
  it('creates an invoice and its payment', async () => {
    const { invoice, payment } = await shop.open({ amountCents: 735 });
    expect(invoice.checkoutUrl).toBe(`${shop.payments.url}/payment/?iid=${invoice.invoiceId}`);
    expect(payment).toMatchObject({
      status: 'waiting',
      invoiceId: invoice.invoiceId,
      orderId: 'dep-1',
      payCurrency: 'ltc',
      priceAmount: '7.35',
      priceCurrency: 'usd',
      payAmount: expect.stringMatching(/^0\.07736843/),
      actuallyPaid: '0',
    });
    expect(await shop.gateway.getPayment(payment.paymentId)).toEqual(payment);
  });

  it('passes the gateway’s refusals on with their codes', async () => {
    const { invoiceId } = await shop.gateway.createInvoice(shop.order());
    await expect(shop.gateway.createPayment(invoiceId, 'BTC')).rejects.toThrow(GatewayRefused);
    await expect(shop.gateway.createPayment('1', 'BTC')).rejects.toMatchObject({ httpStatus: 404 });
    const deaf = shop.adapter({ callbackUrl: 'nowhere' });
    await expect(deaf.createInvoice(shop.order())).rejects.toMatchObject({
      code: 'INVALID_REQUEST_PARAMS',
    });
    const small = await shop.gateway.createInvoice(shop.order({ amountCents: 30 }));
    await expect(shop.gateway.createPayment(small.invoiceId, 'LTC')).rejects.toMatchObject({
      httpStatus: 400,
      code: 'AMOUNT_MINIMAL_ERROR',
    });
  });
});

describe('prices', () => {
  it('returns the minimum in cents, rounded up, and caches it for a minute', async () => {
    await shop.payer.call('/settings', { minimums: { trx: '5.00001' } });
    expect(await shop.gateway.minimumCents('TRX')).toBe(161);
    await shop.payer.call('/settings', { minimums: { trx: '50' } });
    expect(await shop.gateway.minimumCents('TRX')).toBe(161);
    shop.clock.nowMs += 60_001;
    expect(await shop.gateway.minimumCents('TRX')).toBe(1600);
    expect(await shop.requests('GET', '/v1/min-amount')).toBe(2);
  });

  it('estimates the value of a coin amount, rounded down', async () => {
    expect(await shop.gateway.estimateCents('0.00017', 'btc')).toBe(1870);
    expect(await shop.gateway.estimateCents('0.00000999', 'doge')).toBe(0);
    await expect(shop.gateway.estimateCents('1', 'nocoin')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('the list of an invoice', () => {
  it('holds that invoice’s payments only, oldest first', async () => {
    const { invoice, payment } = await shop.open();
    await shop.open({ orderId: 'dep-2' });
    const second = await shop.gateway.createPayment(invoice.invoiceId, 'LTC');
    const listed = await shop.gateway.listPaymentsOfInvoice(invoice.invoiceId);
    expect(listed.map(({ paymentId }) => paymentId)).toEqual([payment.paymentId, second.paymentId]);
    expect(await shop.gateway.listPaymentsOfInvoice('4000000000')).toEqual([]);
  });

  it('logs in once for several lists', async () => {
    await Promise.all(['1', '2', '3'].map((id) => shop.gateway.listPaymentsOfInvoice(id)));
    expect(await shop.requests('POST', '/v1/auth')).toBe(1);
  });

  it('gets a new token when the gateway refuses the old one', async () => {
    const gatewayClock = { now: Date.now() };
    const other = await startGateway({ now: () => gatewayClock.now });
    try {
      const otherAdapter = shop.adapter({ baseUrl: other.apiUrl });
      await otherAdapter.listPaymentsOfInvoice('1');
      gatewayClock.now += 5 * 60_000 + 1;
      expect(await otherAdapter.listPaymentsOfInvoice('1')).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('fails when the account’s password is wrong, and tries again on the next call', async () => {
    const wrong = shop.adapter({ password: 'closed' });
    await expect(wrong.listPaymentsOfInvoice('1')).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    await expect(wrong.listPaymentsOfInvoice('1')).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(await shop.requests('POST', '/v1/auth')).toBe(2);
  });
});

describe('the lists since a time', () => {
  const payOut = (payout: object) =>
    shop.payer.call<{ id: string }>('/payouts', { currency: 'btc', amount: '0.5', address: '1Bob', ...payout });

  it('hold every payment since then, of any invoice', async () => {
    const one = await shop.open();
    const other = await shop.open({ orderId: 'dep-2' });
    const listed = await shop.gateway.listPaymentsSince(Date.now());
    expect(listed.map(({ paymentId }) => paymentId)).toEqual([one.payment.paymentId, other.payment.paymentId]);
    expect(await shop.gateway.listPaymentsSince(Date.now() + 2 * DAY_MS)).toEqual([]);
  });

  it('hold every payout since then, whatever the number of pages', async () => {
    const createdAt = Date.now();
    const iso = (epochMs: number) => new Date(epochMs).toISOString();
    const { id } = await payOut({ status: 'sending', hash: 'ab12', created_at: iso(createdAt) });
    await payOut({ created_at: iso(createdAt - 2 * DAY_MS) });
    for (let more = 0; more < 100; more++) await payOut({});
    const listed = await shop.gateway.listPayoutsSince(createdAt);
    expect(listed).toHaveLength(101);
    expect(listed[0]).toMatchObject({ payoutId: id, status: 'SENDING', hash: 'ab12', createdAtMs: createdAt });
  });

  it.each([
    ['counts pages from 1 and leaves fields out', 1, ['a', 'b', 'c']],
    ['knows no pages', 3, null],
  ])('are returned whole, or throw unreadable, when the gateway %s', async (_how, pageSize, expected) => {
    const ids = ['a', 'b', 'c'];
    const listing = shop.respondWith(
      ({ searchParams }) => {
        const from = (Number(searchParams.get('page') ?? 1) - 1) * pageSize;
        const page = expected === null ? ids : ids.slice(from, from + pageSize);
        return { payouts: page.map((id) => ({ id })) };
      },
      (gateway) => gateway.listPayoutsSince(0),
    );
    if (expected === null) await expect(listing).rejects.toMatchObject({ reason: 'unreadable' });
    else expect((await listing).map(({ payoutId }) => payoutId)).toEqual(expected);
  });
});

describe('a payment', () => {
  it.each([true, false])('finds a repeated transfer through the invoice (order id kept: %p)', async (keeps) => {
    await shop.payer.call('/settings', { childrenKeepOrderId: keeps });
    const { invoice, payment } = await shop.open();
    await shop.payer.act(payment.paymentId, 'pay');
    await shop.untilStatus(payment.paymentId, 'finished');
    await shop.payer.act(payment.paymentId, 'pay-again', { amount: '0.05' });
    const [first, second, ...more] = await shop.gateway.listPaymentsOfInvoice(invoice.invoiceId);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ paymentId: payment.paymentId, childPaymentIds: [second?.paymentId] });
    expect(second).toMatchObject({
      parentPaymentId: payment.paymentId,
      orderId: keeps ? 'dep-1' : null,
      payAmount: '0.05',
      actuallyPaid: '0.05',
    });
    expect(receivedCents(second!)).toBeNull();
    expect(await shop.gateway.estimateCents(second!.actuallyPaid, second!.payCurrency)).toBe(475);
  });

  it('finds a wrong coin as a payment of its own in that coin', async () => {
    await shop.payer.call('/settings', { wrongAssetStatus: 'partially_paid' });
    const { invoice, payment } = await shop.open();
    await shop.payer.act(payment.paymentId, 'wrong-coin', { currency: 'doge', amount: '105' });
    const [, child] = await shop.gateway.listPaymentsOfInvoice(invoice.invoiceId);
    expect(child).toMatchObject({ parentPaymentId: payment.paymentId, payCurrency: 'doge', payAmount: '105' });
    await shop.untilStatus(child!.paymentId, 'partially_paid');
    expect(await shop.gateway.getPayment(payment.paymentId)).toMatchObject({ status: 'waiting' });
  });

  it('returns null for an unknown or invalid id', async () => {
    expect(await shop.gateway.getPayment('1234567890')).toBeNull();
    expect(await shop.gateway.getPayment('../auth')).toBeNull();
  });
});

it('callbacks are null without a JSON object or when too long, even with a valid signature', () => {
  for (const body of ['', '[]', '"text"', '{"a":', `{"a":"${'x'.repeat(70_000)}"}`]) {
    expect(shop.gateway.verifyCallback(Buffer.from(body), signatureOf(body, ACCOUNT.ipnSecret))).toBeNull();
  }
});

describe('a gateway that fails', () => {
  it('gets the request three times at most after a 429, because it did not act on it', async () => {
    await shop.fault('rate-limited', 'POST /v1/invoice', 2);
    await shop.gateway.createInvoice(shop.order());
    expect(await shop.requests('POST', '/v1/invoice')).toBe(3);
    await shop.fault('rate-limited', 'POST /v1/invoice', 9);
    await expect(shop.gateway.createInvoice(shop.order())).rejects.toMatchObject({
      name: 'GatewayUnavailable',
      reason: 'rate-limited',
    });
    expect(await shop.requests('POST', '/v1/invoice')).toBe(6);
  });

  it.each([
    ['server-error', 'server-error'],
    ['html', 'server-error'],
    ['malformed', 'unreadable'],
    ['wrong-shape', 'unreadable'],
    ['reset', 'unreachable'],
  ])('is unavailable after %s, and a POST is not repeated', async (kind, reason) => {
    const { invoiceId } = await shop.gateway.createInvoice(shop.order());
    await shop.fault(kind, 'POST /v1/invoice-payment');
    await expect(shop.gateway.createPayment(invoiceId, 'LTC')).rejects.toMatchObject({
      name: 'GatewayUnavailable',
      reason,
    });
    expect(await shop.requests('POST', '/v1/invoice-payment')).toBe(1);
    await shop.fault(kind, 'GET /v1/payment/');
    await expect(shop.gateway.getPayment('4000000000')).rejects.toMatchObject({ reason });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['POST /v1/invoice', () => shop.gateway.createInvoice(shop.order())],
    ['GET /v1/min-amount', () => shop.gateway.minimumCents('BTC')],
    ['GET /v1/estimate', () => shop.gateway.estimateCents('1', 'btc')],
    ['POST /v1/auth', () => shop.gateway.listPaymentsOfInvoice('1')],
    ['GET /v1/payment/', () => shop.gateway.listPaymentsOfInvoice('1')],
    ['GET /v1/payout', () => shop.gateway.listPayoutsSince(0)],
  ])('is unreadable when it answers %s with another shape', async (on, call) => {
    await shop.fault('wrong-shape', on);
    await expect(call()).rejects.toMatchObject({ reason: 'unreadable' });
  });

  it('does not create a payment twice when the first response was lost', async () => {
    const { invoiceId } = await shop.gateway.createInvoice(shop.order());
    await shop.fault('no-response', 'POST /v1/invoice-payment');
    const hurried = shop.adapter({ timeoutMs: 150 });
    await expect(hurried.createPayment(invoiceId, 'LTC')).rejects.toMatchObject({ reason: 'timeout' });
    expect(await shop.requests('POST', '/v1/invoice-payment')).toBe(1);
    expect(await shop.gateway.listPaymentsOfInvoice(invoiceId)).toMatchObject([
      { status: 'waiting', orderId: 'dep-1' },
    ]);
  });

  it('has a time limit for the whole call, not for each request', async () => {
    await shop.payer.call('/faults', { latencyMs: 120 });
    // A login and a list take 240 ms.
    await expect(shop.adapter({ timeoutMs: 180 }).listPaymentsOfInvoice('1')).rejects.toMatchObject({
      reason: 'timeout',
    });
    await shop.payer.call('/faults', undefined, 'DELETE');
    expect(await shop.gateway.listPaymentsOfInvoice('1')).toEqual([]);
  });

  it('cannot redirect a request with the key to another server', async () => {
    const elsewhere = await serveLocally((_request, response) =>
      response.writeHead(302, { location: shop.payments.apiUrl }).end(),
    );
    const redirected = shop.adapter({ baseUrl: elsewhere.url });
    await expect(redirected.getPayment('4000000000')).rejects.toMatchObject({ reason: 'unreachable' });
    await elsewhere.close();
  });
});
