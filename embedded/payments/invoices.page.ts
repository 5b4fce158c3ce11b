import { COINS } from '../../contracts/crypto.js';
import { type Html, html, layout, notFoundPage } from '../pages/html.js';
import { checkoutPath, dollars, GATEWAY_SITE, statusName } from './checkout.page.js';
import { CURRENCIES, cryptoTypeOf } from './coins.js';
import type { Invoice, Payment } from './records.js';

interface InvoiceRow {
  invoice: Invoice;
  /** Oldest first. */
  payments: readonly Payment[];
}

export const invoiceNotFound = () => notFoundPage(GATEWAY_SITE, 'The gateway knows no such invoice.');

/** The gateway's first page: its invoices, newest first, and the switch for all callbacks. */
export const overviewPage = (invoices: readonly InvoiceRow[], losesCallbacks: boolean): Html =>
  layout(GATEWAY_SITE, {
    title: 'Invoices',
    isLive: true,
    content: html`<div class="overview" data-refresh="/">
<div class="intro"><h1>Invoices</h1>
<p class="quiet">This stands in for the payment gateway. It has the same API, and you decide on an invoice's page what arrives.</p>
<form method="post" action="/callbacks"><button class="button choice switch" id="do-lose-all" data-live name="do" value="${losesCallbacks ? 'keep' : 'lose'}" role="switch" aria-checked="${String(losesCallbacks)}"><span>Lose all callbacks</span><span class="knob" aria-hidden="true"></span></button>
<p class="quiet">As when a firewall stands between the gateway and the merchant.</p></form></div>
<section id="invoices" data-live class="history">
${invoices.length === 0 ? html`<p class="empty">No invoice yet. The merchant makes one when somebody deposits or buys.</p>` : html`<ul class="rows">${invoices.map(row)}</ul>`}
</section>
</div>`,
  });

function row({ invoice, payments }: InvoiceRow): Html {
  const first = payments[0];
  const coin = first
    ? `${first.payAmount} ${first.payCurrency.toUpperCase()}`
    : (invoice.payCurrency?.toUpperCase() ?? 'any coin');
  return html`<li><a href="${checkoutPath(invoice.id)}"><span class="what"><b>${dollars(invoice.priceAmount)}</b> <span class="quiet">${coin}</span></span><span class="how">${first ? statusName(first.status) : 'No coin chosen yet'}</span><span class="caption">${invoice.description ?? invoice.id}${payments.length > 1 && ` · ${payments.length} payments`}</span></a></li>`;
}

/** The page before the first payment: the payer chooses a coin, unless the merchant already did. */
export function coinChoicePage(invoice: Invoice, notice?: string): Html {
  const currencies = invoice.payCurrency === null ? CURRENCIES : [invoice.payCurrency];
  return layout(GATEWAY_SITE, {
    title: dollars(invoice.priceAmount),
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
