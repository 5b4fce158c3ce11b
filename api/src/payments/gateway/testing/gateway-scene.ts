import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { NowPaymentsGateway, type NowPaymentsOptions } from '../nowpayments.gateway.js';
import type { GatewayPayment, InvoiceOrder, VerifiedCallback } from '../payment-gateway.js';

/** The account that shop and gateway share in tests. */
export const ACCOUNT = { apiKey: 'key-1', ipnSecret: 'ipn-secret', email: 'shop@example.org', password: 'open sesame' };

export interface ReceivedCallback {
  raw: Buffer;
  signature: string;
  callback: VerifiedCallback | null;
}

/** Waits for what other processes bring about; fails with what it last saw. */
export async function until<T>(what: () => T | Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 400; tries++) {
    const value = await what();
    if (isSo(value)) return value;
    await delay(10);
  }
  throw new Error(`it never came to be so: ${JSON.stringify(await what())}`);
}

/** A shop, its adapter, and the buttons of an embedded gateway that listens at these addresses. */
export async function openScene(payments: { url: string; apiUrl: string }) {
  const clock = { nowMs: Date.now() };
  const adapter = (options: Partial<NowPaymentsOptions> = {}) =>
    new NowPaymentsGateway({
      baseUrl: payments.apiUrl,
      ...ACCOUNT,
      rateLimitPauseMs: 1,
      now: () => clock.nowMs,
      ...options,
    });
  const gateway = adapter();
  const shop = await startShop((raw, signature) => gateway.verifyCallback(raw, signature));

  async function standIn<T>(path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<T> {
    const response = await fetch(`${payments.url}/_stand-in${path}`, { method, body: JSON.stringify(body) });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer as T;
  }

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

  return {
    clock,
    adapter,
    gateway,
    shop,
    standIn,
    order,

    async open(overrides: Partial<InvoiceOrder> = {}) {
      const invoice = await gateway.createInvoice(order(overrides));
      const payment = await gateway.createPayment(invoice.invoiceId, overrides.cryptoType ?? 'LTC');
      return { invoice, payment };
    },

    act: (paymentId: string, action: string, details: object = {}) =>
      standIn(`/payments/${paymentId}/act`, { action, ...details }),

    fault: (kind: string, on: string, times = 1) => standIn('/faults', { kind, on, times }),

    /** How often the gateway was asked. */
    async requests(method: string, path: string): Promise<number> {
      const seen = await standIn<{ method: string; path: string }[]>('/requests');
      return seen.filter((request) => request.method === method && request.path === path).length;
    },

    async settled(paymentId: string, status: string): Promise<GatewayPayment> {
      const payment = await until(
        () => gateway.getPayment(paymentId),
        (read) => read?.status === status,
      );
      return payment!;
    },

    heard: (count: number) =>
      until(
        () => shop.received,
        ({ length }) => length >= count,
      ),
  };
}

export type Scene = Awaited<ReturnType<typeof openScene>>;

/** The shop's side of callbacks: it verifies what comes, and answers with what is in `answers`, then 200. */
async function startShop(verify: (raw: Buffer, signature: string) => VerifiedCallback | null) {
  const received: ReceivedCallback[] = [];
  const answers: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const signature = String(request.headers['x-nowpayments-sig']);
      received.push({ raw, signature, callback: verify(raw, signature) });
      response.writeHead(answers.shift() ?? 200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    received,
    answers,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ipn`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
