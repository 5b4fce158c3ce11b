import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decimalText } from '../../contracts/decimal.js';
import { HttpError, jsonBody, parameterOf, queryOf } from '../pages/http-server.js';
import type { Callbacks } from './callbacks.js';
import type { Fault, Faults } from './faults.js';
import type { Action, PaymentLifecycle } from './payment-lifecycle.js';
import type { PaymentStore } from './payment-store.js';
import type { Payment, Settings } from './records.js';

export interface ControlParts {
  store: PaymentStore;
  lifecycle: PaymentLifecycle;
  callbacks: Callbacks;
  faults: Faults;
  /** The API's last requests, oldest first. */
  requests: readonly { method: string; path: string; at: number }[];
}

/** Lets tests act as the payer, change settings, inject faults and see what came and went. Nothing is validated. */
export function serveControls(app: FastifyInstance, parts: ControlParts): void {
  const { store, callbacks, faults, lifecycle, requests } = parts;
  const findPayment = (request: FastifyRequest): Payment => {
    const id = parameterOf(request, 'id');
    const payment = store.payment(id);
    if (payment === undefined) throw new HttpError(400, `There is no payment ${id}`);
    return payment;
  };
  app.get('/_stand-in/payments', (request) => {
    const query = queryOf(request);
    const orderId = query.get('orderId');
    const payments = store.payments(query.get('invoiceId'));
    return orderId === null ? payments : payments.filter((payment) => payment.orderId === orderId);
  });
  app.get('/_stand-in/payments/:id', findPayment);
  app.post('/_stand-in/payments/:id/act', (request) => {
    const { action, status, amount, currency } = jsonBody(request) as {
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
    const delivery = callbacks.resend(findPayment(request).id);
    if (delivery === undefined) throw new HttpError(409, 'It never had a callback');
    return delivery;
  });
  app.get('/_stand-in/callbacks', (request) => store.deliveries(queryOf(request).get('paymentId')));
  app.get('/_stand-in/requests', () => requests);
  app.get('/_stand-in/settings', () => store.settings);
  // Rates and minimums are merged into the current ones, coin by coin.
  app.post('/_stand-in/settings', (request) => {
    const changed = jsonBody(request) as Partial<Settings>;
    const { rates, minimums } = store.settings;
    store.putSettings({
      ...changed,
      ...(changed.rates && { rates: { ...rates, ...changed.rates } }),
      ...(changed.minimums && { minimums: { ...minimums, ...changed.minimums } }),
    });
    return store.settings;
  });
  app.post('/_stand-in/faults', (request) => {
    const { latencyMs, kind, times = 1, on = '' } = jsonBody(request) as Partial<Fault> & { latencyMs?: number };
    if (latencyMs !== undefined) faults.latencyMs = latencyMs;
    if (kind !== undefined) faults.add({ kind, times, on });
    return {};
  });
  app.delete('/_stand-in/faults', () => {
    faults.clear();
    return {};
  });
}
