import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Html } from '../pages/html.js';
import { type Body, bodyOf, HttpError, queryOf, sendNotFound, sendPage } from '../pages/http-server.js';
import type { Gateway } from './api-routes.js';
import { checkoutPage, checkoutPath, overviewPage } from './checkout.page.js';
import { ACTIONS } from './payment-lifecycle.js';
import type { Invoice, Payment } from './records.js';

/** Serves the pages on which a person plays the payer. They work without their script. */
export function serveCheckout(app: FastifyInstance, { store, lifecycle, callbacks, now }: Gateway): void {
  const paymentPage = (invoice: Invoice, payment: Payment, notice?: string): Html =>
    checkoutPage({ store, invoice, payment, notice, nowMs: now() });
  const onPaymentForm = (
    path: string,
    handle: (reply: FastifyReply, invoice: Invoice, payment: Payment, form: Body) => FastifyReply,
  ) =>
    app.post(path, (request, reply) => {
      const form = bodyOf(request);
      const invoice = store.invoice(String(form.iid));
      const payment = store.payment(String(form.payment));
      if (invoice && payment?.invoiceId === invoice.id) return handle(reply, invoice, payment, form);
      return sendNotFound(reply);
    });
  app.get('/', (_request, reply) => sendPage(reply, overviewPage(store)));
  app.get('/payment', (request, reply) => {
    const { iid, payment: paymentId } = queryOf(request);
    const invoice = store.invoice(iid);
    const payments = store.payments(iid);
    const payment = payments.find(({ id }) => id === paymentId) ?? payments[0];
    if (invoice === undefined || payment === undefined) return sendNotFound(reply);
    return sendPage(reply, paymentPage(invoice, payment));
  });
  onPaymentForm('/payment/act', (reply, invoice, payment, form) => {
    const action = ACTIONS.find((candidate) => candidate === form.action);
    if (action === undefined) return sendNotFound(reply);
    try {
      lifecycle.act(payment, action);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return sendPage(reply, paymentPage(invoice, payment, `${error.message}.`), error.status);
    }
    return reply.redirect(checkoutPath(invoice.id, payment.id), 303);
  });
  onPaymentForm('/payment/callbacks', (reply, invoice, payment, form) => {
    if (form.do === 'repeat') callbacks.resend(payment.id);
    else store.put('invoices', { ...invoice, losesCallbacks: form.do === 'lose' });
    return reply.redirect(checkoutPath(invoice.id, payment.id), 303);
  });
  app.post('/callbacks', (request, reply) => {
    store.putSettings({ losesCallbacks: bodyOf(request).do === 'lose' });
    return reply.redirect('/', 303);
  });
}
