import { until } from '../../contracts/testing/until.js';
import { type Payout, REAL_MINIMUMS } from '../../embedded/payments/records.js';
import { NowPaymentsGateway, type NowPaymentsOptions } from '../src/features/payments/gateway/nowpayments.gateway.js';
import type {
  GatewayPayment,
  InvoiceOrder,
  VerifiedCallback,
} from '../src/features/payments/gateway/payment-gateway.js';
import { startCallbackRelay } from './callback-relay.js';
import { serveLocally } from './local-server.js';
import { ACCOUNT, Payer, startGateway } from './payer.js';

/** A shop with its NOWPayments adapter, and an embedded gateway of its own with its controls. */
export async function openTestShop() {
  const payments = await startGateway({ settings: { stepMs: 1, minimums: REAL_MINIMUMS } });
  const clock = { nowMs: Date.now() };
  const relay = await startCallbackRelay();
  const adapter = (options: Partial<NowPaymentsOptions> = {}) =>
    new NowPaymentsGateway({
      baseUrl: payments.apiUrl,
      ...ACCOUNT,
      callbackUrl: relay.url,
      linkOrigin: 'http://shop.example',
      rateLimitPauseMs: 1,
      now: () => clock.nowMs,
      ...options,
    });
  const gateway = adapter();
  const received: (VerifiedCallback | null)[] = [];
  relay.onCallback = async ({ body, signature = '' }) => {
    received.push(gateway.verifyCallback(body, signature));
    return 200;
  };

  const payer = new Payer(payments);

  const order = (overrides: Partial<InvoiceOrder> = {}): InvoiceOrder => ({
    orderId: 'dep-1',
    amountCents: 2100,
    cryptoType: 'LTC',
    description: 'Deposit of $20.00',
    ...overrides,
  });

  return {
    clock,
    adapter,
    gateway,
    payer,
    order,
    payments,

    async close(): Promise<void> {
      await payments.close();
      await relay.close();
    },

    async open(overrides: Partial<InvoiceOrder> = {}) {
      const invoice = await gateway.createInvoice(order(overrides));
      const payment = await gateway.createPayment(invoice.invoiceId, overrides.cryptoType ?? 'LTC');
      return { invoice, payment };
    },

    /** Calls a gateway that responds to every request but the login with this JSON. */
    async respondWith<T>(respond: (url: URL) => object, call: (gateway: NowPaymentsGateway) => Promise<T>): Promise<T> {
      const server = await serveLocally((request, response) => {
        const url = new URL(request.url ?? '', 'http://gateway.example');
        response.end(JSON.stringify(url.pathname === '/auth' ? { token: 't' } : respond(url)));
      });
      return call(adapter({ baseUrl: server.url })).finally(server.close);
    },

    /** Our ids of the payouts that the gateway sent, one for each transfer. */
    async transfers(): Promise<unknown[]> {
      const payouts = await payer.call<Payout[]>('/payouts');
      return payouts.filter(({ hash }) => hash !== null).map((payout) => payout.unique_external_id);
    },

    fault: (kind: string, on: string, times = 1) => payer.call('/faults', { kind, on, times }),

    /** How many requests of this method and path the gateway received. */
    async requests(method: string, path: string): Promise<number> {
      const requests = await payer.call<{ method: string; path: string }[]>('/requests');
      return requests.filter((request) => request.method === method && request.path === path).length;
    },

    /** Waits until the gateway reports this status; returns the payment. */
    async untilStatus(paymentId: string, gatewayStatus: string): Promise<GatewayPayment> {
      const payment = await until(
        () => gateway.getPayment(paymentId),
        (read) => read?.gatewayStatus === gatewayStatus,
      );
      return payment!;
    },

    callbacks: (count: number) =>
      until(
        () => received,
        ({ length }) => length >= count,
      ),
  };
}

export type TestShop = Awaited<ReturnType<typeof openTestShop>>;
