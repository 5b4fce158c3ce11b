import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type EmbeddedPayments, startEmbeddedPayments } from '../../../../embedded/payments/start-embedded-payments.js';
import { GatewayUnavailable } from './payment-gateway.js';
import { ACCOUNT, openScene, type Scene } from './testing/gateway-scene.js';

describe('trouble with the gateway, for the NOWPayments adapter', () => {
  let payments: EmbeddedPayments;
  let close: () => void;
  let adapter: Scene['adapter'];
  let gateway: Scene['gateway'];
  let standIn: Scene['standIn'];
  let order: Scene['order'];
  let fault: Scene['fault'];
  let requests: Scene['requests'];

  beforeEach(async () => {
    payments = await startEmbeddedPayments({ ...ACCOUNT, settings: { stepMs: 1, callbackRepeatMs: 1 } });
    const scene = await openScene(payments);
    close = scene.shop.close;
    ({ adapter, gateway, standIn, order, fault, requests } = scene);
  });

  afterEach(async () => {
    await payments.close();
    close();
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
});
