import type { Html } from '../pages/html.js';
import { formBody, get, HttpError, type HttpResponse, page, post, type Route, redirect } from '../pages/http-server.js';
import { themeRoutes } from '../pages/layout.page.js';
import { payableCurrency } from './api-routes.js';
import type { Callbacks } from './callbacks.js';
import { checkoutPage, checkoutPath } from './checkout.page.js';
import { coinChoicePage, invoiceNotFound, overviewPage } from './invoices.page.js';
import { ACTIONS, type PaymentLifecycle } from './payment-lifecycle.js';
import type { PaymentStore } from './payment-store.js';
import type { Invoice, Payment } from './records.js';

export interface CheckoutParts {
  store: PaymentStore;
  lifecycle: PaymentLifecycle;
  callbacks: Callbacks;
  now: () => number;
}

const INVOICES_SHOWN = 100;
const DELIVERIES_SHOWN = 12;

/** The pages on which a person plays the payer. They work without their script. */
export function checkoutRoutes({ store, lifecycle, callbacks, now }: CheckoutParts): Route[] {
  const paymentPage = (invoice: Invoice, payment: Payment, notice?: string): Html =>
    checkoutPage({
      invoice,
      payment,
      payments: store.payments(invoice.id),
      deliveries: store.deliveries(payment.id).slice(-DELIVERIES_SHOWN).reverse(),
      losesAllCallbacks: store.settings.losesCallbacks,
      notice,
      nowMs: now(),
    });
  const onPaymentForm = (
    path: string,
    handle: (invoice: Invoice, payment: Payment, form: URLSearchParams) => HttpResponse,
  ): Route =>
    post(path, (request) => {
      const form = formBody(request);
      const invoice = store.invoice(form.get('iid'));
      const payment = store.payment(form.get('payment'));
      return invoice && payment?.invoiceId === invoice.id ? handle(invoice, payment, form) : invoiceNotFound();
    });
  return [
    ...themeRoutes(new URL('./checkout.css', import.meta.url)),
    get('/', () => {
      const newestFirst = store.invoices().sort((a, b) => b.createdAt - a.createdAt);
      const invoices = newestFirst.slice(0, INVOICES_SHOWN).map((invoice) => {
        return { invoice, payments: store.payments(invoice.id) };
      });
      return page(200, overviewPage(invoices, store.settings.losesCallbacks));
    }),
    get('/payment', ({ query }) => {
      const invoice = store.invoice(query.get('iid'));
      if (invoice === undefined) return invoiceNotFound();
      const payments = store.payments(invoice.id);
      const payment = payments.find(({ id }) => id === query.get('payment')) ?? payments[0];
      return page(200, payment ? paymentPage(invoice, payment) : coinChoicePage(invoice));
    }),
    post('/payment/coin', (request) => {
      const form = formBody(request);
      const invoice = store.invoice(form.get('iid'));
      if (invoice === undefined) return invoiceNotFound();
      const create = () => {
        const currency = payableCurrency(store.settings, invoice, form.get('currency'));
        return checkoutPath(invoice.id, lifecycle.create(invoice, currency, invoice.id, null).id);
      };
      return redirectOrShow(create, (notice) => coinChoicePage(invoice, notice));
    }),
    onPaymentForm('/payment/act', (invoice, payment, form) => {
      const action = ACTIONS.find((candidate) => candidate === form.get('action'));
      if (action === undefined) return invoiceNotFound();
      const act = () => {
        lifecycle.act(payment, action);
        return checkoutPath(invoice.id, payment.id);
      };
      return redirectOrShow(act, (notice) => paymentPage(invoice, payment, notice));
    }),
    onPaymentForm('/payment/callbacks', (invoice, payment, form) => {
      if (form.get('do') === 'repeat') callbacks.resend(payment.id);
      else store.putInvoice({ ...invoice, losesCallbacks: form.get('do') === 'lose' });
      return redirect(checkoutPath(invoice.id, payment.id));
    }),
    post('/callbacks', (request) => {
      store.putSettings({ losesCallbacks: formBody(request).get('do') === 'lose' });
      return redirect('/');
    }),
  ];
}

/** Makes a change and redirects to the address that it returns. A refused change shows its reason on the page instead. */
function redirectOrShow(change: () => string, show: (notice: string) => Html): HttpResponse {
  try {
    return redirect(change());
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return page(error.status, show(`${error.message}.`));
  }
}
