import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type EmbeddedPayments, startEmbeddedPayments } from '../../../../embedded/payments/start-embedded-payments.js';
import { ACCOUNT } from '../testing/payer.js';
import { GatewayUnavailable } from './payment-gateway.js';
import { openTestShop, type TestShop } from './testing/test-shop.js';

describe('the NOWPayments adapter when the gateway fails', () => {
  let payments: EmbeddedPayments;
  let close: () => Promise<void>;
  let adapter: TestShop['adapter'];
  let gateway: TestShop['gateway'];
  let standIn: TestShop['standIn'];
  let order: TestShop['order'];
  let fault: TestShop['fault'];
  let requests: TestShop['requests'];

  beforeEach(async () => {
    payments = await startEmbeddedPayments({ ...ACCOUNT, settings: { stepMs: 1, callbackRepeatMs: 1 } });
    ({ close, adapter, gateway, standIn, order, fault, requests } = await openTestShop(payments));
  });

  afterEach(async () => {
    await payments.close();
    await close();
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
