import { join } from 'node:path';
import { type RunningServer, startHttpServer } from '../pages/http-server.js';
import { type Account, refusal } from './api-access.js';
import { apiRoutes } from './api-routes.js';
import { Callbacks } from './callbacks.js';
import { checkoutPath } from './checkout.page.js';
import { checkoutRoutes, notFoundPage } from './checkout-routes.js';
import { Faults } from './faults.js';
import { PaymentBook } from './payment-book.js';
import { PaymentLife } from './payment-life.js';
import { INVENTED_RATES, USUAL_MINIMUMS } from './rates.js';
import type { Settings } from './records.js';
import { type SeenRequest, standInRoutes } from './stand-in-routes.js';

export interface EmbeddedPaymentsOptions extends Account {
  /** 127.0.0.1 when absent. */
  host?: string;
  /** 0, the default, takes a free port. */
  port?: number;
  /** How payers' browsers reach it, when not by host and port. */
  publicUrl?: string;
  /** Where its file is kept over restarts; without it everything is forgotten. */
  dataDir?: string;
  settings?: Partial<Settings>;
  now?: () => number;
}

export interface EmbeddedPayments {
  /** For people: the checkout pages. */
  url: string;
  /** For the shop: what to give as the gateway's base address. */
  apiUrl: string;
  close(): Promise<void>;
}

/** Settings like the real one's, but for the steps, which a person waits for. */
const SETTINGS: Settings = {
  losesCallbacks: false,
  stepMs: 1_500,
  callbackRepeats: 3,
  callbackRepeatMs: 60_000,
  validForMs: 7 * 24 * 60 * 60_000,
  rates: INVENTED_RATES,
  minimums: USUAL_MINIMUMS,
  repeatedStatus: 'finished',
  wrongAssetStatus: 'finished',
  childrenKeepOrderId: true,
};

const REQUESTS_SEEN = 500;

/** Starts a payment gateway that speaks NOWPayments' API, and whose payers are people, or tests, who press buttons. */
export async function startEmbeddedPayments(options: EmbeddedPaymentsOptions): Promise<EmbeddedPayments> {
  const { host = '127.0.0.1', port = 0, dataDir, now = Date.now } = options;
  const file = dataDir === undefined ? null : join(dataDir, 'payments.jsonl');
  const book = await PaymentBook.open(file, { ...SETTINGS, ...options.settings });
  const callbacks = new Callbacks(book, options.ipnSecret, now);
  const life = new PaymentLife(book, callbacks, now);
  const faults = new Faults();
  const seen: SeenRequest[] = [];
  const address = { url: '' };
  const stop = async (server?: RunningServer) => {
    life.close();
    await server?.close();
    await callbacks.close();
    await book.close();
  };
  try {
    const server = await startHttpServer({
      host,
      port,
      routes: [
        ...apiRoutes({ account: options, book, life, now, checkoutUrl: (id) => address.url + checkoutPath(id) }),
        ...checkoutRoutes({ book, life, callbacks, now }),
        ...standInRoutes({ book, life, callbacks, faults, seen }),
      ],
      notFound: ({ path }) => (path.startsWith('/v1/') ? refusal(404, 'NOT_FOUND', 'Not Found') : notFoundPage()),
      around(request, answer, socket) {
        if (!request.path.startsWith('/v1/')) return answer();
        seen.push({ method: request.method, path: request.path, at: now() });
        if (seen.length > REQUESTS_SEEN) seen.shift();
        return faults.spoil(request, answer, socket);
      },
    });
    const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    address.url = options.publicUrl?.replace(/\/+$/, '') ?? `http://${reachable}:${server.port}`;
    return { url: address.url, apiUrl: `http://${reachable}:${server.port}/v1`, close: () => stop(server) };
  } catch (error) {
    await stop();
    throw error;
  }
}
