import type { FastifyInstance } from 'fastify';
import { COINS } from '../../contracts/crypto.js';
import { compareDecimals } from '../../contracts/decimal.js';
import { unitsOf } from '../../contracts/durations.js';
import { type Html, html, layout, notFoundPage, type Site } from '../pages/html.js';
import { bodyOf, HttpError, queryOf, sendNotFound, sendPage } from '../pages/http-server.js';
import type { Gateway } from './api-routes.js';
import { cryptoTypeOf } from './coins.js';
import { ACTIONS, ruleOf } from './payment-lifecycle.js';
import type { PaymentStore } from './payment-store.js';
import type { Invoice, Payment } from './records.js';

const GATEWAY_SITE: Site = { name: 'Practice gateway', tagline: 'no real money' };

const INVOICES_SHOWN = 100;

interface CheckoutView {
  store: PaymentStore;
  invoice: Invoice;
  payment: Payment;
  /** The reason why the last action was refused. */
  notice?: string;
  nowMs: number;
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
${history(view)}
</div>`,
  });
}

const amountDue = ({ payAmount, payCurrency }: Payment): string => `${payAmount} ${payCurrency.toUpperCase()}`;

function paymentPanel({ invoice, payment, nowMs }: CheckoutView): Html {
  const due = amountDue(payment);
  const isOpen = payment.status === 'waiting';
  return html`<section class="panel pay" id="pay" data-live aria-labelledby="pay-title">
<h1 id="pay-title">${isOpen ? `Send ${due}` : statusName(payment.status)}</h1>
<p class="quiet">${!isOpen && `${due} · `}${dollars(payment.priceAmount)}${invoice.description !== null && ` · ${invoice.description}`}</p>
${isOpen && paymentInstructions(payment)}
${progress(payment, nowMs)}
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

function progress(payment: Payment, nowMs: number): Html {
  const { status } = payment;
  const stage = STAGES[status] ?? 2;
  const waiting = html`Waiting for the payment${status === 'waiting' && html` <span class="time">${timeLeft(payment.validUntil, nowMs)} left</span>`}`;
  const last = stage < 2 ? 'Paid' : statusName(status);
  const steps = [waiting, stage === 1 ? statusName(status) : 'Seen on the network', last];
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
    if (consequence === undefined || !isPossible(payment)) return false;
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

function history({ store, invoice, payment }: CheckoutView): Html {
  const rows = store.payments(invoice.id).map((other) => {
    const origin = other.origin === null ? 'First transfer' : ORIGIN_NAMES[other.origin];
    return html`<li><a href="${checkoutPath(invoice.id, other.id)}"${other.id === payment.id && html` aria-current="true"`}><span class="what"><b>${amountDue(other)}</b> <span class="quiet">${origin}</span></span><span class="how">${statusName(other.status)}</span><span class="caption">${other.id}</span></a></li>`;
  });
  return html`<section id="history" data-live class="history">
<h2>Payments of this invoice</h2>
<ul class="rows">${rows}</ul>
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
const ORIGIN_NAMES = { REPEATED: 'Repeated transfer', WRONG_ASSET: 'Wrong coin' };

const statusName = (status: string): string => STATUS_NAMES[status] ?? `“${status}”`;

const dollars = (amount: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(Number(amount));

/** The remaining time in two units: `6 d 23 h`, `0 h 19 min`. */
function timeLeft(untilMs: number, nowMs: number): string {
  const { days, hours, minutes } = unitsOf(Math.max(0, Math.floor((untilMs - nowMs) / 1000)));
  return days > 0 ? `${days} d ${hours % 24} h` : `${hours} h ${minutes} min`;
}

export const invoiceNotFound = () =>
  notFoundPage(GATEWAY_SITE, 'The gateway knows no such invoice, or no payment of it yet.');

/** The gateway's first page: its invoices, newest first. */
export function overviewPage(store: PaymentStore): Html {
  const newestFirst = store.invoices().toSorted((a, b) => b.createdAt - a.createdAt);
  const rows = newestFirst.slice(0, INVOICES_SHOWN).map((invoice) => row(invoice, store.payments(invoice.id)));
  return layout(GATEWAY_SITE, {
    title: 'Invoices',
    isLive: true,
    content: html`<div class="overview" data-refresh="/">
<div class="intro"><h1>Invoices</h1>
<p class="quiet">This stands in for the payment gateway. It has the same API, and you decide on an invoice's page what arrives.</p>
</div>
<section id="invoices" data-live class="history">
${rows.length === 0 ? html`<p class="empty">No invoice yet. The merchant makes one when somebody deposits or buys.</p>` : html`<ul class="rows">${rows}</ul>`}
</section>
</div>`,
  });
}

function row(invoice: Invoice, payments: readonly Payment[]): Html {
  const first = payments[0];
  const coin = first ? amountDue(first) : invoice.payCurrency.toUpperCase();
  return html`<li><a href="${checkoutPath(invoice.id)}"><span class="what"><b>${dollars(invoice.priceAmount)}</b> <span class="quiet">${coin}</span></span><span class="how">${first ? statusName(first.status) : 'No payment yet'}</span><span class="caption">${invoice.description ?? invoice.id}${payments.length > 1 && ` · ${payments.length} payments`}</span></a></li>`;
}

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
