import type { FastifyInstance } from 'fastify';
import { COINS } from '../../contracts/crypto.js';
import { type Html, html, layout } from '../pages/html.js';
import { bodyOf, HttpError, queryOf, sendPage } from '../pages/http-server.js';
import type { Gateway } from './api-routes.js';
import { cryptoTypeOf } from './coins.js';
import { ACTIONS, ruleOf } from './payment-lifecycle.js';
import type { Invoice, Payment } from './records.js';

export const checkoutPath = (invoiceId: string, paymentId?: string): string =>
  `/payment/?iid=${invoiceId}${paymentId === undefined ? '' : `&payment=${paymentId}`}`;

const notFound = () => new HttpError(404, 'The gateway knows no such invoice, or no payment of it yet.');

/** Serves the pages on which a person plays the payer. They work without their script. */
export function serveCheckout(app: FastifyInstance, { store, lifecycle }: Gateway): void {
  app.get('/payment', (request, reply) => {
    const { iid, payment: paymentId } = queryOf(request);
    const invoice = store.invoice(iid);
    const payments = store.payments(iid);
    const payment = payments.find(({ id }) => id === paymentId) ?? payments[0];
    if (invoice === undefined || payment === undefined) throw notFound();
    return sendPage(reply, checkoutPage(invoice, payment));
  });
  app.post('/payment/act', (request, reply) => {
    const form = bodyOf(request);
    const payment = store.payment(String(form.payment));
    const action = ACTIONS.find((candidate) => candidate === form.action);
    if (payment === undefined || action === undefined) throw notFound();
    // The page may be older than the payment. A further transfer is a payment of its own, which has a page of its own.
    const { id } = ruleOf(action).isPossible(payment) ? lifecycle.act(payment, action) : payment;
    return reply.redirect(checkoutPath(payment.invoiceId, id), 303);
  });
}

const checkoutPage = (invoice: Invoice, payment: Payment): Html =>
  layout(
    { name: 'Practice gateway', tagline: 'no real money' },
    amountDue(payment),
    html`<div class="checkout" data-refresh="${checkoutPath(invoice.id, payment.id)}">
${paymentPanel(invoice, payment)}
${payerActions(payment)}
</div>`,
  );

const amountDue = ({ payAmount, payCurrency }: Payment): string => `${payAmount} ${payCurrency.toUpperCase()}`;

function paymentPanel({ description, successUrl, cancelUrl }: Invoice, payment: Payment): Html {
  const { status, priceAmount, actuallyPaid } = payment;
  const isOpen = status === 'waiting';
  const merchantUrl = status === 'finished' ? successUrl : cancelUrl;
  return html`<section class="panel pay" id="pay" data-live aria-labelledby="pay-title">
<h1 id="pay-title">${isOpen ? `Send ${amountDue(payment)}` : `Status: ${status.replaceAll('_', ' ')}`}</h1>
<p class="quiet">$${priceAmount}${description !== null && ` · ${description}`}</p>
${isOpen && paymentInstructions(payment)}
<p class="quiet" role="status">${actuallyPaid} of ${amountDue(payment)} arrived.</p>
${merchantUrl !== null && html`<a class="button link" href="${merchantUrl}">Back to the merchant</a>`}
</section>`;
}

const paymentInstructions = ({ payAddress, payAmount, payCurrency }: Payment): Html => html`<dl class="copies">
${copyField('address', `${COINS[cryptoTypeOf(payCurrency)].name} address`, payAddress)}
${copyField('amount', `Amount in ${payCurrency.toUpperCase()}`, payAmount)}
</dl>
<p class="note">A practice address: its checksum is wrong on purpose, so that no wallet will send anything there.</p>`;

const copyField = (id: string, name: string, value: string): Html =>
  html`<div><dt class="caption">${name}</dt><dd class="copy"><code id="copy-${id}">${value}</code><button class="button" type="button" data-copy="${value}" aria-describedby="copy-${id}">Copy</button></dd></div>`;

function payerActions(payment: Payment): Html {
  const choices = ACTIONS.map((action) => {
    const { consequence, isPossible } = ruleOf(action);
    if (!isPossible(payment)) return false;
    const words = action[0]!.toUpperCase() + action.slice(1).replaceAll('-', ' ');
    const name = action === 'pay' ? `Pay ${amountDue(payment)}` : words;
    return html`<li><button class="button choice${action === 'pay' && ' first'}" id="do-${action}" name="action" value="${action}" aria-describedby="why-${action}">${name}</button><p class="quiet" id="why-${action}">${consequence}</p></li>`;
  });
  return html`<section class="panel acts" id="acts" data-live aria-labelledby="acts-title">
<h2 id="acts-title">You are the payer</h2>
<p class="quiet">Choose what happens to this payment.</p>
<form method="post" action="/payment/act"><input type="hidden" name="payment" value="${payment.id}"><ul class="choices">${choices}</ul></form>
</section>`;
}
