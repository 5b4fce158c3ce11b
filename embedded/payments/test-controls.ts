import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decimalText } from '../../contracts/decimal.js';
import { bodyOf, HttpError, idOf, queryOf } from '../pages/http-server.js';
import type { Gateway } from './api-routes.js';
import type { Action } from './payment-lifecycle.js';
import type { Payment, Payout, Settings } from './records.js';

/** Lets tests act as the payer, change settings and see what came and went. Nothing is validated. */
export function serveControls(app: FastifyInstance, { store, callbacks, lifecycle }: Gateway): void {
  const findPayment = (request: FastifyRequest): Payment => {
    const payment = store.payment(idOf(request));
    if (payment === undefined) throw new HttpError(400, 'There is no such payment');
    return payment;
  };
  app.get('/_stand-in/payments', () => store.payments());
  app.post('/_stand-in/payments/:id/act', (request) => {
    const { action, status, amount, currency } = bodyOf(request) as Record<string, string | undefined>;
    const payment = findPayment(request);
    if (status !== undefined) return lifecycle.setStatus(payment, status);
    return lifecycle.act(payment, action as Action, { amount: decimalText(amount), currency });
  });
  app.post('/_stand-in/payments/:id/repeat-callback', (request) => {
    callbacks.resend(findPayment(request).id);
    return {};
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
  app.get('/_stand-in/callbacks', (request) => store.deliveries(queryOf(request).paymentId));
  // Minimums are merged into the current ones, coin by coin.
  app.post('/_stand-in/settings', (request) => {
    const changed = bodyOf(request) as Partial<Settings>;
    const minimums = { ...store.settings.minimums, ...changed.minimums };
    return Object.assign(store.settings, changed, { minimums });
  });
}
