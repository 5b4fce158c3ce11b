import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decimalText } from '../../contracts/decimal.js';
import { bodyOf, HttpError, idOf, pathOf, queryOf } from '../pages/http-server.js';
import type { Gateway } from './api-routes.js';
import type { Action } from './payment-lifecycle.js';
import type { Payment, Settings } from './records.js';

const REQUESTS_LOGGED = 500;

const htmlPage = (title: string): string =>
  `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;

/** The response that each kind of fault sends, and executes nothing. */
const RESPONSES = {
  'rate-limited': { status: 429, type: 'text/html', body: htmlPage('429 Too Many Requests') },
  'server-error': {
    status: 500,
    type: 'application/json',
    body: '{"status":false,"statusCode":500,"code":"INTERNAL_ERROR","message":"Internal server error"}',
  },
  // The real gateway lists payouts only to addresses that it knows.
  denied: {
    status: 403,
    type: 'application/json',
    body: '{"status":false,"statusCode":403,"code":"INVALID_IP","message":"Access denied"}',
  },
  html: { status: 502, type: 'text/html', body: htmlPage('502 Bad Gateway') },
  malformed: { status: 200, type: 'application/json', body: '{"payment_id":58000' },
  'wrong-shape': { status: 200, type: 'application/json', body: '{"message":"OK"}' },
};

interface Fault {
  /** `no-answer` executes the request and never responds; `reset` closes the connection and executes nothing. */
  kind: keyof typeof RESPONSES | 'no-answer' | 'reset';
  /** Number of requests that the fault affects. */
  times: number;
  /** Beginning of the affected requests, such as `POST /v1/invoice`; empty for every API request. */
  on: string;
}

/** Lets tests act as the payer, change settings, inject faults and see what came and went. Nothing is validated. */
export function serveControls(app: FastifyInstance, { store, callbacks, lifecycle }: Gateway): void {
  serveFaults(app);
  const findPayment = (request: FastifyRequest): Payment => {
    const payment = store.payment(idOf(request));
    if (payment === undefined) throw new HttpError(400, 'There is no such payment');
    return payment;
  };
  app.get('/_stand-in/payments', (request) => {
    const { orderId, invoiceId } = queryOf(request);
    return store.payments(invoiceId).filter((payment) => orderId === undefined || payment.orderId === orderId);
  });
  app.get('/_stand-in/payments/:id', findPayment);
  app.post('/_stand-in/payments/:id/act', (request) => {
    const { action, status, amount, currency } = bodyOf(request) as {
      action: Action;
      status?: string;
      amount?: unknown;
      currency?: string;
    };
    const payment = findPayment(request);
    if (status !== undefined) return lifecycle.setStatus(payment, status);
    return lifecycle.act(payment, action, { amount: decimalText(amount), currency });
  });
  app.post('/_stand-in/payments/:id/repeat-callback', (request) => {
    callbacks.resend(findPayment(request).id);
    return {};
  });
  app.post('/_stand-in/payouts', (request) => {
    const made = { id: store.newId(), status: 'FINISHED', created_at: new Date().toISOString() };
    const payout = { ...made, ...bodyOf(request) };
    store.put('payouts', payout);
    return payout;
  });
  app.get('/_stand-in/callbacks', (request) => store.deliveries(queryOf(request).paymentId));
  app.get('/_stand-in/settings', () => store.settings);
  // Rates and minimums are merged into the current ones, coin by coin.
  app.post('/_stand-in/settings', (request) => {
    const changed = bodyOf(request) as Partial<Settings>;
    const { rates, minimums } = store.settings;
    store.putSettings({
      ...changed,
      rates: { ...rates, ...changed.rates },
      minimums: { ...minimums, ...changed.minimums },
    });
    return store.settings;
  });
}

/** Logs the API's requests, and applies to each the first pending fault that matches it. */
function serveFaults(app: FastifyInstance): void {
  let latencyMs = 0;
  let pending: Fault[] = [];
  const requests: { method: string; path: string }[] = [];
  const unanswered = new WeakSet<FastifyRequest>();
  app.addHook('onRequest', async (request, reply) => {
    const { method, url } = request;
    if (!url.startsWith('/v1/')) return undefined;
    requests.push({ method, path: pathOf(request) });
    if (requests.length > REQUESTS_LOGGED) requests.shift();
    if (latencyMs > 0) await delay(latencyMs, undefined, { ref: false });
    const fault = pending.find(({ on }) => `${method} ${url}`.startsWith(on));
    if (fault === undefined) return undefined;
    fault.times--;
    pending = pending.filter(({ times }) => times > 0);
    if (fault.kind === 'no-answer') {
      unanswered.add(request);
      return undefined;
    }
    if (fault.kind === 'reset') {
      reply.hijack();
      request.raw.socket.resetAndDestroy();
      return reply;
    }
    const { status, type, body } = RESPONSES[fault.kind];
    return reply.code(status).type(type).send(body);
  });
  app.addHook('onSend', async (request) => {
    if (unanswered.has(request)) await new Promise(() => undefined);
  });
  app.get('/_stand-in/requests', () => requests);
  app.post('/_stand-in/faults', (request) => {
    const { kind, times = 1, on = '', ...latency } = bodyOf(request) as Partial<Fault> & { latencyMs?: number };
    latencyMs = latency.latencyMs ?? latencyMs;
    if (kind !== undefined) pending.push({ kind, times, on });
    return {};
  });
  app.delete('/_stand-in/faults', () => {
    latencyMs = 0;
    pending = [];
    return {};
  });
}
