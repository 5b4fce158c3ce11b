import { html } from '../pages/html.js';
import { formBody, page, type Request, type Route, redirect } from '../pages/http-server.js';
import { layout } from '../pages/layout.page.js';
import { lookRoutes } from '../pages/look.js';
import { ApiRefusal, aboveMinimum, knownCurrency } from './api-orders.js';
import type { Callbacks } from './callbacks.js';
import {
  type CheckoutView,
  checkoutPage,
  checkoutPath,
  coinChoicePage,
  GATEWAY_NAME,
  GATEWAY_WHERE,
} from './checkout.page.js';
import { CHECKOUT_CSS } from './checkout-look.js';
import { overviewPage } from './overview.page.js';
import type { PaymentBook } from './payment-book.js';
import { ACTIONS, NotPossible, type PaymentLife } from './payment-life.js';
import type { Invoice, Payment } from './records.js';

export interface CheckoutParts {
  book: PaymentBook;
  life: PaymentLife;
  callbacks: Callbacks;
  now: () => number;
}

const INVOICES_SHOWN = 100;
const DELIVERIES_SHOWN = 12;

/** The pages on which a person pays, in whatever way they choose. They work without their script. */
export function checkoutRoutes(parts: CheckoutParts): Route[] {
  const { book, life, callbacks } = parts;
  return [
    ...lookRoutes(CHECKOUT_CSS),
    { method: 'GET', path: /^\/$/, answer: () => page(200, overviewPage(overview(book))) },
    {
      method: 'GET',
      path: /^\/payment\/?$/,
      answer: ({ query }) => {
        const invoice = book.invoice(query.get('iid') ?? '');
        if (invoice === undefined) return notFoundPage();
        const payment = chosenPayment(book, invoice, query.get('payment'));
        if (payment === undefined) return page(200, coinChoicePage(invoice));
        return page(200, checkoutPage(checkoutView(parts, invoice, payment)));
      },
    },
    posted(/^\/payment\/coin$/, (request) => {
      const form = formBody(request);
      const invoice = book.invoice(form.get('iid') ?? '');
      if (invoice === undefined) return notFoundPage();
      try {
        const payCurrency = knownCurrency(form.get('currency'), 'currency');
        aboveMinimum(book.settings, invoice.priceAmount, payCurrency);
        const payment = life.create({ ...invoice, invoice, purchaseId: null, payCurrency });
        return redirect(checkoutPath(invoice.id, payment.id));
      } catch (error) {
        if (!(error instanceof ApiRefusal)) throw error;
        const { message } = JSON.parse(String(error.answer.body)) as { message: string };
        return page(400, coinChoicePage(invoice, `${message}.`));
      }
    }),
    posted(/^\/payment\/act$/, (request) =>
      withPayment(request, (invoice, payment, form) => {
        const action = ACTIONS.find((candidate) => candidate === form.get('action'));
        if (action === undefined) return notFoundPage();
        try {
          life.act(payment, action);
        } catch (error) {
          if (!(error instanceof NotPossible)) throw error;
          return page(409, checkoutPage({ ...checkoutView(parts, invoice, payment), notice: `${error.message}.` }));
        }
        return redirect(checkoutPath(invoice.id, payment.id));
      }),
    ),
    posted(/^\/payment\/callbacks$/, (request) =>
      withPayment(request, (invoice, payment, form) => {
        if (form.get('do') === 'repeat') callbacks.repeat(payment.id);
        else book.putInvoice({ ...invoice, losesCallbacks: form.get('do') === 'lose' });
        return redirect(checkoutPath(invoice.id, payment.id));
      }),
    ),
    posted(/^\/callbacks$/, (request) => {
      book.putSettings({ losesCallbacks: formBody(request).get('do') === 'lose' });
      return redirect('/');
    }),
  ];

  function posted(path: RegExp, answer: (request: Request) => ReturnType<typeof page>): Route {
    return {
      method: 'POST',
      path,
      async answer(request) {
        const answered = answer(request);
        await book.saved();
        return answered;
      },
    };
  }

  function withPayment(
    request: Request,
    answer: (invoice: Invoice, payment: Payment, form: URLSearchParams) => ReturnType<typeof page>,
  ) {
    const form = formBody(request);
    const invoice = book.invoice(form.get('iid') ?? '');
    const payment = book.payment(form.get('payment') ?? '');
    if (invoice === undefined || payment === undefined || payment.invoiceId !== invoice.id) return notFoundPage();
    return answer(invoice, payment, form);
  }
}

export const notFoundPage = () =>
  page(
    404,
    layout({
      title: 'Not found',
      name: GATEWAY_NAME,
      where: GATEWAY_WHERE,
      content: html`<h1>Not found</h1><p class="quiet">The gateway knows no such invoice.</p>`,
    }),
  );

/** The one asked for, else the first: whatever came later came by its address or beside it. */
function chosenPayment(book: PaymentBook, invoice: Invoice, id: string | null): Payment | undefined {
  const payments = book.paymentsOfInvoice(invoice.id);
  return payments.find((payment) => payment.id === id) ?? payments[0];
}

function checkoutView({ book, life, now }: CheckoutParts, invoice: Invoice, payment: Payment): CheckoutView {
  const deliveries = book.allDeliveries().filter(({ paymentId }) => paymentId === payment.id);
  return {
    invoice,
    payment,
    payments: book.paymentsOfInvoice(invoice.id),
    deliveries: deliveries.slice(-DELIVERIES_SHOWN).reverse(),
    obstacle: (action) => life.obstacle(payment, action),
    losesCallbacks: invoice.losesCallbacks,
    losesAllCallbacks: book.settings.losesCallbacks,
    hasCallback: deliveries.length > 0,
    nowEpochMs: now(),
  };
}

function overview(book: PaymentBook) {
  const newestFirst = book.allInvoices().sort((a, b) => b.createdAt - a.createdAt);
  return {
    losesCallbacks: book.settings.losesCallbacks,
    invoices: newestFirst.slice(0, INVOICES_SHOWN).map((invoice) => {
      const payments = book.paymentsOfInvoice(invoice.id);
      return { invoice, first: payments[0], count: payments.length };
    }),
  };
}
