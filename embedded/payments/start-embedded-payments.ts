import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { decimalText } from '../../contracts/decimal.js';
import { bodyOf, HttpError, type HttpServer, idOf, startHttpServer } from '../pages/http-server.js';
import { type Account, type Gateway, serveApi } from './api-routes.js';
import { Callbacks } from './callbacks.js';
import { checkoutPath, serveCheckout } from './checkout.page.js';
import { type Action, PaymentLifecycle } from './payment-lifecycle.js';
import { PaymentStore } from './payment-store.js';
import type { Payout, Settings } from './records.js';

export interface EmbeddedPaymentsOptions extends Account {
  port?: number;
  /** Folder of the gateway's file; without it the records stay in memory. */
  dataDir?: string | undefined;
  settings?: Partial<Settings>;
  /** The token of the calls for tests; without it they are open. */
  token?: string | undefined;
  now?: () => number;
  /** Adds routes in tests, as `serveFaults` does. */
  routes?(app: FastifyInstance): void;
}

/** The merchant's API has a key of its own, and an invoice's page has its unguessable id, as at the real gateway. */
const isOpen = (path: string): boolean => /^\/(?:v1|payment)(?:\/|$)/.test(path);

/** Starts a payment gateway with NOWPayments' API. A person or a test plays the payer. */
export async function startEmbeddedPayments(options: EmbeddedPaymentsOptions) {
  const { port = 0, dataDir, token, now = Date.now } = options;
  const store = await PaymentStore.open(dataDir && join(dataDir, 'payments.json'), options.settings);
  const callbacks = new Callbacks(store, options.ipnSecret);
  const lifecycle = new PaymentLifecycle(store, callbacks, now);
  const server: HttpServer = await startHttpServer({
    port,
    token,
    isOpen,
    pagesCss: new URL('./checkout.css', import.meta.url),
    routes(app) {
      // A response confirms a change, so the change must be on the disk first.
      app.addHook('onSend', () => store.flush());
      const checkoutUrl = (id: string) => `${server.url}${checkoutPath(id)}`;
      const gateway = { account: options, store, lifecycle, now, checkoutUrl };
      serveApi(app, gateway);
      serveCheckout(app, gateway);
      serveControls(app, gateway);
      options.routes?.(app);
    },
  });
  return {
    url: server.url,
    apiUrl: `${server.url}/v1`,
    async close() {
      lifecycle.close();
      await server.close();
      callbacks.close();
      await store.flush();
    },
  };
}

/** Lets tests act as the payer, change settings and read the records. Nothing is validated. */
function serveControls(app: FastifyInstance, { store, lifecycle }: Gateway): void {
  app.get('/_stand-in/payments', () => store.payments());
  app.post('/_stand-in/payments/:id/act', (request) => {
    const { action, status, amount, currency } = bodyOf(request) as Record<string, string | undefined>;
    const payment = store.payment(idOf(request));
    if (payment === undefined) throw new HttpError(400, 'There is no such payment');
    if (status !== undefined) return lifecycle.setStatus(payment, status);
    return lifecycle.act(payment, action as Action, { amount: decimalText(amount), currency });
  });
  app.get('/_stand-in/payouts', () => store.payouts());
  app.post('/_stand-in/payouts', (request) => {
    const made = { id: store.newId(), status: 'FINISHED', created_at: new Date().toISOString() };
    const payout = { ...made, ...bodyOf(request) } as Payout;
    store.put('payouts', payout);
    return payout;
  });
  app.post('/_stand-in/payouts/:id', (request) => {
    const payout = store.payouts().find(({ id }) => id === idOf(request));
    if (payout === undefined) throw new HttpError(400, 'There is no such payout');
    return lifecycle.changePayout(payout, bodyOf(request));
  });
  app.get('/_stand-in/callbacks', () => store.deliveries());
  // Minimums are merged into the current ones, coin by coin.
  app.post('/_stand-in/settings', (request) => {
    const changed = bodyOf(request) as Partial<Settings>;
    const minimums = { ...store.settings.minimums, ...changed.minimums };
    return Object.assign(store.settings, changed, { minimums });
  });
}
