import { type Html, html } from '../pages/html.js';
import { layout } from '../pages/layout.page.js';
import { checkoutPath, GATEWAY_NAME, GATEWAY_WHERE } from './checkout.page.js';
import type { Invoice, Payment } from './records.js';
import { dollars, statusName } from './words.js';

export interface OverviewView {
  /** The last one first, each with the payment that was opened for it. */
  invoices: readonly { invoice: Invoice; first: Payment | undefined; count: number }[];
  losesCallbacks: boolean;
}

/** The gateway's first page: its invoices, and the switch for all callbacks. */
export const overviewPage = ({ invoices, losesCallbacks }: OverviewView): Html =>
  layout({
    title: 'Invoices',
    name: GATEWAY_NAME,
    where: GATEWAY_WHERE,
    isLive: true,
    content: html`<div class="overview" data-refresh="/">
<div class="intro"><h1>Invoices</h1>
<p class="quiet">This stands in for the payment gateway. It speaks the same language, and whoever opens an invoice decides what arrives.</p>
<form method="post" action="/callbacks"><button class="button choice switch" id="do-lose-all" data-live name="do" value="${losesCallbacks ? 'keep' : 'lose'}" role="switch" aria-checked="${String(losesCallbacks)}"><span>Lose all callbacks</span><span class="knob" aria-hidden="true"></span></button>
<p class="quiet">As when a firewall stands between the gateway and the shop.</p></form></div>
<section id="invoices" data-live class="history">
${invoices.length === 0 ? html`<p class="empty">No invoice yet. The shop makes one when somebody deposits or buys.</p>` : html`<ul class="rows">${invoices.map(row)}</ul>`}
</section>
</div>`,
  });

const row = ({ invoice, first, count }: OverviewView['invoices'][number]): Html =>
  html`<li><a href="${checkoutPath(invoice.id)}"><span class="what"><b>${dollars(invoice.priceAmount)}</b> <span class="quiet">${first === undefined ? (invoice.payCurrency?.toUpperCase() ?? 'any coin') : `${first.payAmount} ${first.payCurrency.toUpperCase()}`}</span></span><span class="how">${first === undefined ? 'No coin chosen yet' : statusName(first.status)}</span><span class="caption">${invoice.description ?? invoice.id}${count > 1 && ` · ${count} payments`}</span></a></li>`;
