import type { CryptoType } from '../../../../contracts/crypto.js';
import { type EmbeddedPayments, startEmbeddedPayments } from '../../../../embedded/payments/start-embedded-payments.js';
import { ACCOUNT } from '../testing/payer.js';
import { GatewayRefused } from './payment-gateway.js';
import { openTestShop, type TestShop } from './testing/test-shop.js';

describe('orders and lists through the NOWPayments adapter', () => {
  let payments: EmbeddedPayments;
  let close: () => Promise<void>;
  let clock: TestShop['clock'];
  let adapter: TestShop['adapter'];
  let gateway: TestShop['gateway'];
  let standIn: TestShop['standIn'];
  let order: TestShop['order'];
  let open: TestShop['open'];
  let requests: TestShop['requests'];

  beforeEach(async () => {
    payments = await startEmbeddedPayments({ ...ACCOUNT, settings: { stepMs: 1, callbackRepeatMs: 1 } });
    ({ close, clock, adapter, gateway, standIn, order, open, requests } = await openTestShop(payments));
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
});
