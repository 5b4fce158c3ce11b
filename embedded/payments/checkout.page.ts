import { QRCodeSVG } from 'qrcode.react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { COINS, paymentUri } from '../../contracts/crypto.js';
import { compareDecimals } from '../../contracts/decimal.js';
import { type Html, html, trusted } from '../pages/html.js';
import { layout } from '../pages/layout.page.js';
import { type ActionsView, payerActions } from './checkout-actions.page.js';
import { CURRENCIES, cryptoTypeOf } from './rates.js';
import type { Delivery, Invoice, Payment } from './records.js';
import { deliveryName, dollars, originName, statusName, timeLeft } from './words.js';

export const GATEWAY_NAME = 'Practice gateway';
export const GATEWAY_WHERE = 'no real money';

export interface CheckoutView extends Omit<ActionsView, 'payment'> {
  invoice: Invoice;
  payment: Payment;
  /** All of the invoice, oldest first. */
  payments: readonly Payment[];
  /** Of the payment that is shown, newest first. */
  deliveries: readonly Delivery[];
  /** Why what was asked for last could not be done. */
  notice?: string;
  nowEpochMs: number;
}

export const checkoutPath = (invoiceId: string, paymentId?: string): string =>
  `/payment/?iid=${invoiceId}${paymentId === undefined ? '' : `&payment=${paymentId}`}`;

/** What a payer sees of one payment, and beside it what a payer can do. */
export function checkoutPage(view: CheckoutView): Html {
  const { invoice, payment, notice } = view;
  return layout({
    title: `${payment.payAmount} ${payment.payCurrency.toUpperCase()}`,
    name: GATEWAY_NAME,
    where: GATEWAY_WHERE,
    isLive: true,
    content: html`${notice !== undefined && html`<p class="note problem" role="alert">${notice}</p>`}
<div class="checkout" data-refresh="${checkoutPath(invoice.id, payment.id)}">
${paymentPanel(view)}
${payerActions(view)}
${history(view)}
</div>`,
  });
}

function paymentPanel({ invoice, payment, nowEpochMs }: CheckoutView): Html {
  const due = `${payment.payAmount} ${payment.payCurrency.toUpperCase()}`;
  const isOpen = payment.status === 'waiting';
  return html`<section class="panel pay" id="pay" data-live aria-labelledby="pay-title">
<h1 id="pay-title">${isOpen ? `Send ${due}` : statusName(payment.status)}</h1>
<p class="quiet">${!isOpen && `${due} · `}${dollars(payment.priceAmount)}${invoice.description !== null && ` · ${invoice.description}`}</p>
${isOpen && whereToSend(payment)}
${progress(payment, nowEpochMs)}
${wayBack(invoice, payment)}
</section>`;
}

function whereToSend({ payAddress, payAmount, payCurrency }: Payment): Html {
  const coin = payCurrency.toUpperCase();
  const cryptoType = cryptoTypeOf(payCurrency);
  const value = paymentUri(cryptoType, payAddress, payAmount);
  const code = createElement(QRCodeSVG, { value, size: 192, level: 'M', marginSize: 3, title: `Pay ${coin}` });
  return html`<div class="send">
<figure class="code">${trusted(renderToStaticMarkup(code))}</figure>
<dl class="copies">
${copied('address', `${COINS[cryptoType].name} address`, payAddress)}
${copied('amount', `Amount in ${coin}`, payAmount)}
</dl>
</div>
<p class="note">A practice address: its checksum is wrong on purpose, so that no wallet will send anything there.</p>`;
}

const copied = (id: string, name: string, value: string): Html =>
  html`<div><dt class="caption">${name}</dt><dd class="copy"><code id="copy-${id}">${value}</code><button class="button" type="button" data-copy="${value}" aria-describedby="copy-${id}">Copy</button></dd></div>`;

/** How far each status is along waiting, seen on the network, done. */
const STAGES: Record<string, number> = { waiting: 0, confirming: 1, confirmed: 1, sending: 1 };

function progress(payment: Payment, nowEpochMs: number): Html {
  const { status } = payment;
  const stage = STAGES[status] ?? 2;
  const waits = html`Waiting for the payment${status === 'waiting' && html` <span class="time">${timeLeft(payment.validUntil, nowEpochMs)} left</span>`}`;
  const end = stage < 2 ? 'Paid' : statusName(status);
  const steps = [waits, stage === 1 ? statusName(status) : 'Seen on the network', end];
  const wasSeen = payment.actuallyPaid !== '0' && status !== 'expired';
  return html`<ol class="steps">${steps.map((name, at) => {
    const state = at === stage ? 'now' : at < stage && (at === 0 || wasSeen) ? 'done' : 'ahead';
    return html`<li class="${state}"${state === 'now' && html` aria-current="step"`}><i aria-hidden="true"></i><span>${name}</span></li>`;
  })}</ol>
<p class="quiet" role="status">${arrived(payment)}</p>`;
}

function arrived({ actuallyPaid, payAmount, payCurrency, status }: Payment): string {
  const coin = payCurrency.toUpperCase();
  if (actuallyPaid === '0') return 'Nothing has arrived yet.';
  const comparison = compareDecimals(actuallyPaid, payAmount);
  const how =
    status === 'expired'
      ? ', too late'
      : comparison < 0
        ? `, of ${payAmount}`
        : comparison > 0
          ? `, more than the ${payAmount} that were asked for`
          : '';
  return `${actuallyPaid} ${coin} arrived${how}.`;
}

/** Where the real page sends the payer by itself, this one leaves it to them: there is more to try here. */
function wayBack({ successUrl, cancelUrl, partiallyPaidUrl }: Invoice, { status }: Payment): Html {
  const paid = status === 'finished' ? successUrl : status === 'partially_paid' ? partiallyPaidUrl : null;
  if (paid !== null) return html`<a class="button first" href="${paid}">Back to the shop</a>`;
  return html`${cancelUrl !== null && html`<a class="button link" href="${cancelUrl}">Back to the shop</a>`}`;
}

function history({ invoice, payment, payments, deliveries }: CheckoutView): Html {
  return html`<section id="history" data-live class="history">
<h2>Payments of this invoice</h2>
<ul class="rows">${payments.map(
    (other) =>
      html`<li><a href="${checkoutPath(invoice.id, other.id)}"${other.id === payment.id && html` aria-current="true"`}><span class="what"><b>${other.payAmount} ${other.payCurrency.toUpperCase()}</b> <span class="quiet">${originName(other)}</span></span><span class="how">${statusName(other.status)}</span><span class="caption">${other.id}</span></a></li>`,
  )}</ul>
<h2>Callbacks of this payment</h2>
${
  deliveries.length === 0
    ? html`<p class="empty">The shop is told when something happens.</p>`
    : html`<ul class="rows">${deliveries.map(
        (delivery) =>
          html`<li class="delivery"><span class="what">${wordOf(delivery)}</span><span class="how quiet">${deliveryName(delivery)}</span></li>`,
      )}</ul>`
}
</section>`;
}

const wordOf = ({ body }: Delivery): string => (JSON.parse(body) as { payment_status: string }).payment_status;

/** Before there is a payment: the payer chooses a coin, unless the shop already did. */
export function coinChoicePage(invoice: Invoice, notice?: string): Html {
  const currencies = invoice.payCurrency === null ? CURRENCIES : [invoice.payCurrency];
  return layout({
    title: dollars(invoice.priceAmount),
    name: GATEWAY_NAME,
    where: GATEWAY_WHERE,
    content: html`<section class="panel choose" aria-labelledby="choose-title">
<h1 id="choose-title">Pay ${dollars(invoice.priceAmount)}</h1>
${invoice.description !== null && html`<p class="quiet">${invoice.description}</p>`}
${notice !== undefined && html`<p class="note problem" role="alert">${notice}</p>`}
<form method="post" action="/payment/coin"><input type="hidden" name="iid" value="${invoice.id}">
<fieldset><legend class="quiet">Which coin do you pay with?</legend><div class="coins">${currencies.map(
      (code) => html`<button class="button" name="currency" value="${code}">${COINS[cryptoTypeOf(code)].name}</button>`,
    )}</div></fieldset></form>
</section>`,
  });
}
