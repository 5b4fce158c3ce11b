import type { FastifyInstance } from 'fastify';
import { bodyOf, HttpError, queryOf, sendNotFound, sendPage } from '../pages/http-server.js';
import type { Gateway } from './api-routes.js';
import { checkoutPage, checkoutPath, overviewPage } from './checkout.page.js';
import { ACTIONS } from './payment-lifecycle.js';

/** Serves the pages on which a person plays the payer. They work without their script. */
export function serveCheckout(app: FastifyInstance, { store, lifecycle, now }: Gateway): void {
  app.get('/', (_request, reply) => sendPage(reply, overviewPage(store)));
  app.get('/payment', (request, reply) => {
    const { iid, payment: paymentId } = queryOf(request);
    const invoice = store.invoice(iid);
    const payments = store.payments(iid);
    const payment = payments.find(({ id }) => id === paymentId) ?? payments[0];
    if (invoice === undefined || payment === undefined) return sendNotFound(reply);
    return sendPage(reply, checkoutPage({ store, invoice, payment, nowMs: now() }));
  });
  app.post('/payment/act', (request, reply) => {
    const form = bodyOf(request);
    const invoice = store.invoice(String(form.iid));
    const payment = store.payment(String(form.payment));
    const action = ACTIONS.find((candidate) => candidate === form.action);
    if (!invoice || payment?.invoiceId !== invoice.id || action === undefined) return sendNotFound(reply);
    try {
      lifecycle.act(payment, action);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const page = checkoutPage({ store, invoice, payment, notice: `${error.message}.`, nowMs: now() });
      return sendPage(reply, page, error.status);
    }
    return reply.redirect(checkoutPath(invoice.id, payment.id), 303);
  });
}
