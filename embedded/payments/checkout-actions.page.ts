import { type Html, html } from '../pages/html.js';
import { type Action, OVERPAID_PERCENT, UNDERPAID_PERCENT } from './payment-life.js';
import type { Payment } from './records.js';

interface Choice {
  action: Action;
  name: string;
  consequence: string;
}

const choices = ({ payAmount, payCurrency }: Payment): Choice[] => [
  {
    action: 'pay',
    name: `Pay ${payAmount} ${payCurrency.toUpperCase()}`,
    consequence: 'The exact amount arrives and is confirmed step by step.',
  },
  {
    action: 'underpay',
    name: 'Underpay',
    consequence: `${UNDERPAID_PERCENT} % arrives. It ends as paid in part.`,
  },
  { action: 'overpay', name: 'Overpay', consequence: `${OVERPAID_PERCENT} % arrives. It ends as paid.` },
  {
    action: 'pay-late',
    name: 'Pay late',
    consequence: 'It expires, then the money arrives. No callback tells of it; only asking finds it.',
  },
  {
    action: 'pay-again',
    name: 'Pay again',
    consequence: 'The same amount arrives at the used address, as a payment of its own.',
  },
  {
    action: 'wrong-coin',
    name: 'Wrong coin',
    consequence: 'Another coin arrives at this address, as a payment of its own.',
  },
  { action: 'expire', name: 'Expire', consequence: 'Nothing arrives until the time is up.' },
  { action: 'fail', name: 'Fail', consequence: 'The transfer is too small, or breaks on its way.' },
  {
    action: 'finish-by-hand',
    name: 'Finish by hand',
    consequence: 'The gateway’s staff accept what came short or late.',
  },
  { action: 'refund', name: 'Refund', consequence: 'The gateway’s staff send the money back.' },
];

export interface ActionsView {
  payment: Payment;
  obstacle(action: Action): string | undefined;
  losesCallbacks: boolean;
  /** The switch for the whole gateway is on: this invoice's own does not matter then. */
  losesAllCallbacks: boolean;
  hasCallback: boolean;
}

/** The payer's side: what can be done to a payment now, with what follows; and what cannot, with why. */
export function payerActions(view: ActionsView): Html {
  const { payment } = view;
  const all = choices(payment).map((choice) => ({ ...choice, obstacle: view.obstacle(choice.action) }));
  const possible = all.filter(({ obstacle }) => obstacle === undefined);
  const others = all.filter(({ obstacle }) => obstacle !== undefined);
  return html`<section class="panel acts" id="acts" data-live aria-labelledby="acts-title">
<h2 id="acts-title">You are the payer</h2>
<p class="quiet">Choose what happens to this payment.</p>
<form method="post" action="/payment/act">${hidden(payment)}<ul class="choices">${possible.map(choiceButton)}</ul></form>
<h3>Not now</h3>
<dl class="impossible">${others.map(({ name, obstacle }) => html`<div><dt>${name}</dt><dd class="caption">${obstacle}</dd></div>`)}</dl>
<h3>Callbacks to the shop</h3>
<form method="post" action="/payment/callbacks">${hidden(payment)}<ul class="choices">${callbackChoices(view)}</ul></form>
</section>`;
}

const hidden = ({ id, invoiceId }: Payment): Html =>
  html`<input type="hidden" name="iid" value="${invoiceId}"><input type="hidden" name="payment" value="${id}">`;

const choiceButton = ({ action, name, consequence }: Choice): Html =>
  html`<li><button class="button choice${action === 'pay' && ' first'}" id="do-${action}" name="action" value="${action}" aria-describedby="why-${action}">${name}</button><p class="quiet" id="why-${action}">${consequence}</p></li>`;

function callbackChoices({ losesCallbacks, losesAllCallbacks, hasCallback }: ActionsView): Html {
  const reach = losesCallbacks ? 'None of this invoice reaches the shop.' : 'Those of this invoice reach the shop.';
  return html`<li><button class="button choice" id="do-twice" name="do" value="repeat" aria-describedby="why-twice"${!hasCallback && html` disabled`}>Send callback twice</button><p class="quiet" id="why-twice">${hasCallback ? 'The last callback goes out once more, word for word.' : 'None was sent yet.'}</p></li>
<li><button class="button choice switch" id="do-lose" name="do" value="${losesCallbacks ? 'keep' : 'lose'}" role="switch" aria-checked="${String(losesCallbacks)}" aria-describedby="why-lose"><span>Lose callbacks</span><span class="knob" aria-hidden="true"></span></button><p class="quiet" id="why-lose">${losesAllCallbacks ? 'The gateway loses all callbacks just now; see its first page.' : reach}</p></li>`;
}
