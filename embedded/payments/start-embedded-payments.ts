import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type HttpServer, pathOf, sendPage, startHttpServer } from '../pages/http-server.js';
import { type Account, apiError, serveApi } from './api-routes.js';
import { Callbacks } from './callbacks.js';
import { checkoutPath, invoiceNotFound, serveCheckout } from './checkout.page.js';
import { PaymentLifecycle } from './payment-lifecycle.js';
import { PaymentStore } from './payment-store.js';
import type { Settings } from './records.js';
import { serveControls } from './test-controls.js';

export interface EmbeddedPaymentsOptions extends Account {
  /** 0, the default, takes a free port. */
  port?: number;
  /** Folder of the gateway's file; without it the records stay in memory. */
  dataDir?: string;
  settings?: Partial<Settings>;
  /** The token of the calls for tests; without it they are open. */
  token?: string;
  now?: () => number;
  /** Adds routes in tests, as `serveFaults` does. */
  more?(app: FastifyInstance): void;
}

export type EmbeddedPayments = Awaited<ReturnType<typeof startEmbeddedPayments>>;

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
      app.setNotFoundHandler((request, reply) => {
        if (pathOf(request).startsWith('/v1/')) throw apiError(404, 'NOT_FOUND', 'Not Found');
        return sendPage(reply, invoiceNotFound(), 404);
      });
      // A response confirms a change, so the change must be on the disk first.
      app.addHook('onSend', () => store.flush());
      const checkoutUrl = (id: string) => `${server.url}${checkoutPath(id)}`;
      const gateway = { account: options, store, lifecycle, callbacks, now, checkoutUrl };
      serveApi(app, gateway);
      serveCheckout(app, gateway);
      serveControls(app, gateway);
      options.more?.(app);
    },
  });
  return {
    url: server.url,
    apiUrl: `${server.url}/v1`,
    async close() {
      lifecycle.close();
      await server.close();
      await callbacks.close();
      await store.flush();
    },
  };
}
