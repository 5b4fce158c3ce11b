import type { FastifyInstance } from 'fastify';
import { COINS } from '../../contracts/crypto.js';
import { compareDecimals } from '../../contracts/decimal.js';
import { type Html, html, layout, notFoundPage, type Site } from '../pages/html.js';
import { bodyOf, HttpError, queryOf, sendNotFound, sendPage } from '../pages/http-server.js';
import type { Gateway } from './api-routes.js';
import { cryptoTypeOf } from './coins.js';
import { ACTIONS, ruleOf } from './payment-lifecycle.js';
import type { Invoice, Payment } from './records.js';

const GATEWAY_SITE: Site = { name: 'Practice gateway', tagline: 'no real money', home: '' };

interface CheckoutView {
  invoice: Invoice;
  payment: Payment;
  /** The reason why the last action was refused. */
  notice?: string;
}

export const checkoutPath = (invoiceId: string, paymentId?: string): string =>
  `/payment/?iid=${invoiceId}${paymentId === undefined ? '' : `&payment=${paymentId}`}`;

/** One payment as its payer sees it, and the actions that the payer can choose. */
export function checkoutPage(view: CheckoutView): Html {
  const { invoice, payment, notice } = view;
  return layout(GATEWAY_SITE, {
    title: amountDue(payment),
    isLive: true,
    content: html`${notice !== undefined && html`<p class="note problem" role="alert">${notice}</p>`}
<div class="checkout" data-refresh="${checkoutPath(invoice.id, payment.id)}">
${paymentPanel(view)}
${payerActions(payment)}
</div>`,
  });
}

const amountDue = ({ payAmount, payCurrency }: Payment): string => `${payAmount} ${payCurrency.toUpperCase()}`;

function paymentPanel({ invoice, payment }: CheckoutView): Html {
  const due = amountDue(payment);
  const isOpen = payment.status === 'waiting';
  return html`<section class="panel pay" id="pay" data-live aria-labelledby="pay-title">
<h1 id="pay-title">${isOpen ? `Send ${due}` : statusName(payment.status)}</h1>
<p class="quiet">${!isOpen && `${due} · `}${dollars(payment.priceAmount)}${invoice.description !== null && ` · ${invoice.description}`}</p>
${isOpen && paymentInstructions(payment)}
${progress(payment)}
${merchantLink(invoice, payment)}
</section>`;
}

function paymentInstructions({ payAddress, payAmount, payCurrency }: Payment): Html {
  return html`<dl class="copies">
${copyField('address', `${COINS[cryptoTypeOf(payCurrency)].name} address`, payAddress)}
${copyField('amount', `Amount in ${payCurrency.toUpperCase()}`, payAmount)}
</dl>
<p class="note">A practice address: its checksum is wrong on purpose, so that no wallet will send anything there.</p>`;
}

const copyField = (id: string, name: string, value: string): Html =>
  html`<div><dt class="caption">${name}</dt><dd class="copy"><code id="copy-${id}">${value}</code><button class="button" type="button" data-copy="${value}" aria-describedby="copy-${id}">Copy</button></dd></div>`;

/** Index of the progress step: waiting, seen on the network, done. Other statuses are done. */
const STAGES: Record<string, number> = { waiting: 0, confirming: 1, confirmed: 1, sending: 1 };

function progress(payment: Payment): Html {
  const { status } = payment;
  const stage = STAGES[status] ?? 2;
  const last = stage < 2 ? 'Paid' : statusName(status);
  const steps = ['Waiting for the payment', stage === 1 ? statusName(status) : 'Seen on the network', last];
  const hasArrived = payment.actuallyPaid !== '0' && status !== 'expired';
  return html`<ol class="steps">${steps.map((name, index) => {
    const state = index === stage ? 'now' : index < stage && (index === 0 || hasArrived) ? 'done' : 'ahead';
    return html`<li class="${state}"${state === 'now' && html` aria-current="step"`}><i aria-hidden="true"></i><span>${name}</span></li>`;
  })}</ol>
<p class="quiet" role="status">${amountReceived(payment)}</p>`;
}

function amountReceived({ actuallyPaid, payAmount, payCurrency, status }: Payment): string {
  if (actuallyPaid === '0') return 'Nothing has arrived yet.';
  const comparison = compareDecimals(actuallyPaid, payAmount);
  let comment = '';
  if (status === 'expired') comment = ', too late';
  else if (comparison < 0) comment = `, of ${payAmount}`;
  else if (comparison > 0) comment = `, more than the ${payAmount} due`;
  return `${actuallyPaid} ${payCurrency.toUpperCase()} arrived${comment}.`;
}

/** A link back to the merchant. The real gateway redirects by itself, but here the payer may want to try more actions. */
function merchantLink({ successUrl, cancelUrl }: Invoice, { status }: Payment): Html {
  if (status === 'finished' && successUrl !== null)
    return html`<a class="button first" href="${successUrl}">Back to the merchant</a>`;
  return html`${cancelUrl !== null && html`<a class="button link" href="${cancelUrl}">Back to the merchant</a>`}`;
}

/** The actions that are possible now, with their consequences. */
function payerActions(payment: Payment): Html {
  const choices = ACTIONS.map((action) => {
    const { consequence, isPossible } = ruleOf(action);
    if (!isPossible(payment)) return false;
    const text = action[0]!.toUpperCase() + action.slice(1).replaceAll('-', ' ');
    const name = action === 'pay' ? `Pay ${amountDue(payment)}` : text;
    return html`<li><button class="button choice${action === 'pay' && ' first'}" id="do-${action}" name="action" value="${action}" aria-describedby="why-${action}">${name}</button><p class="quiet" id="why-${action}">${consequence}</p></li>`;
  });
  const hidden = html`<input type="hidden" name="iid" value="${payment.invoiceId}"><input type="hidden" name="payment" value="${payment.id}">`;
  return html`<section class="panel acts" id="acts" data-live aria-labelledby="acts-title">
<h2 id="acts-title">You are the payer</h2>
<p class="quiet">Choose what happens to this payment.</p>
<form method="post" action="/payment/act">${hidden}<ul class="choices">${choices}</ul></form>
</section>`;
}

const STATUS_NAMES: Record<string, string> = {
  waiting: 'Waiting for the payment',
  confirming: 'Seen on the network',
  confirmed: 'Confirmed',
  sending: 'Being passed on',
  finished: 'Paid',
  partially_paid: 'Paid in part',
  failed: 'Failed',
  refunded: 'Refunded',
  expired: 'Expired',
  cancelled: 'Cancelled',
};

const statusName = (status: string): string => STATUS_NAMES[status] ?? `“${status}”`;

const dollars = (amount: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(Number(amount));

export const invoiceNotFound = () =>
  notFoundPage(GATEWAY_SITE, 'The gateway knows no such invoice, or no payment of it yet.');

/** Serves the pages on which a person plays the payer. They work without their script. */
export function serveCheckout(app: FastifyInstance, { store, lifecycle }: Gateway): void {
  app.get('/payment', (request, reply) => {
    const { iid, payment: paymentId } = queryOf(request);
    const invoice = store.invoice(iid);
    const payments = store.payments(iid);
    const payment = payments.find(({ id }) => id === paymentId) ?? payments[0];
    if (invoice === undefined || payment === undefined) return sendNotFound(reply);
    return sendPage(reply, checkoutPage({ invoice, payment }));
  });
  app.post('/payment/act', (request, reply) => {
    const form = bodyOf(request);
    const invoice = store.invoice(String(form.iid));
    const payment = store.payment(String(form.payment));
    const action = ACTIONS.find((candidate) => candidate === form.action);
    if (!invoice || payment?.invoiceId !== invoice.id || action === undefined) return sendNotFound(reply);
    try {
      // A further transfer is a payment of its own, which has a page of its own.
      const { id } = lifecycle.act(payment, action);
      return reply.redirect(checkoutPath(invoice.id, id), 303);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const page = checkoutPage({ invoice, payment, notice: `${error.message}.` });
      return sendPage(reply, page, error.status);
    }
  });
}
