import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decimalText } from '../../contracts/decimal.js';
import { bodyOf, HttpError, idOf, queryOf } from '../pages/http-server.js';
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
  app.get('/_stand-in/callbacks', (request) => store.deliveries(queryOf(request).paymentId));
  app.get('/_stand-in/requests', () => requests);
  app.get('/_stand-in/settings', () => store.settings);
  // Rates and minimums are merged into the current ones, coin by coin.
  app.post('/_stand-in/settings', (request) => {
    const changed = bodyOf(request) as Partial<Settings>;
    const { rates, minimums } = store.settings;
    store.putSettings({
      ...changed,
      ...(changed.rates && { rates: { ...rates, ...changed.rates } }),
      ...(changed.minimums && { minimums: { ...minimums, ...changed.minimums } }),
    });
    return store.settings;
  });
  app.post('/_stand-in/faults', (request) => {
    const { latencyMs, kind, times = 1, on = '' } = bodyOf(request) as Partial<Fault> & { latencyMs?: number };
    if (latencyMs !== undefined) faults.latencyMs = latencyMs;
    if (kind !== undefined) faults.add({ kind, times, on });
    return {};
  });
  app.delete('/_stand-in/faults', () => {
    faults.clear();
    return {};
  });
}
