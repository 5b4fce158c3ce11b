import { randomBytes } from 'node:crypto';
import type { DecimalText } from '../../contracts/decimal.js';
import { DAY_MS } from '../../contracts/durations.js';
import { HttpError } from '../pages/http-server.js';
import type { Callbacks } from './callbacks.js';
import { CURRENCIES, cryptoTypeOf, inCoins, inDollars, practiceAddress, shareOf } from './coins.js';
import type { PaymentStore } from './payment-store.js';
import { callbackJson, type Invoice, type Payment, type Payout } from './records.js';

/** The real gateway's time. */
const VALID_FOR_MS = 7 * DAY_MS;

interface ActionRule {
  isPossible(payment: Payment): boolean;
  consequence: string;
  /** The action only sets this status. */
  status?: string;
  /** The action pays this share of the amount. */
  percent?: number;
}

const whileWaiting = { isPossible: ({ status }: Payment) => status === 'waiting' };
const hasReceived = ({ actuallyPaid }: Payment): boolean => actuallyPaid !== '0';

/** Everything that a payer or the clock can do to a payment. Tests can set any other status. */
const ACTION_RULES = {
  pay: { ...whileWaiting, consequence: 'The exact amount arrives and is confirmed step by step.', percent: 100 },
  underpay: { ...whileWaiting, consequence: '70 % arrives. It ends as paid in part.', percent: 70 },
  overpay: { ...whileWaiting, consequence: '130 % arrives. It ends as paid.', percent: 130 },
  'pay-late': {
    isPossible: (payment) => payment.status === 'waiting' || (payment.status === 'expired' && !hasReceived(payment)),
    consequence: 'It expires, then the money arrives. No callback reports it; only a poll finds it.',
  },
  'pay-again': {
    isPossible: hasReceived,
    consequence: 'The same amount arrives at the used address, as a payment of its own.',
  },
  'wrong-coin': {
    isPossible: () => true,
    consequence: 'Another coin arrives at this address, as a payment of its own.',
  },
  expire: { ...whileWaiting, consequence: 'Nothing arrives until the time is up.', status: 'expired' },
  fail: { ...whileWaiting, consequence: 'The transfer is too small, or breaks on its way.', status: 'failed' },
} satisfies Record<string, ActionRule>;

export type Action = keyof typeof ACTION_RULES;
export const ACTIONS = Object.keys(ACTION_RULES) as Action[];
export const ruleOf = (action: Action): ActionRule => ACTION_RULES[action];

interface ActionDetails {
  /** Replaces the action's own amount, in the coin that is sent. */
  amount?: DecimalText | undefined;
  currency?: string | undefined;
}

/** Creates payments, applies actions to them, and moves them and the payouts from status to status as time passes. */
export class PaymentLifecycle {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private isClosed = false;

  constructor(
    private readonly store: PaymentStore,
    private readonly callbacks: Callbacks,
    private readonly now: () => number,
  ) {
    for (const payment of store.payments()) this.schedule(payment);
    for (const payout of store.payouts()) this.schedulePayout(payout);
  }

  create({ id: invoiceId, orderId, callbackUrl, priceAmount, payCurrency }: Invoice): Payment {
    return this.save({
      id: this.store.newId(),
      invoiceId,
      parentId: null,
      childIds: [],
      orderId,
      callbackUrl,
      priceAmount,
      payAmount: inCoins(priceAmount, payCurrency),
      payCurrency,
      payAddress: practiceAddress(cryptoTypeOf(payCurrency)),
      actuallyPaid: '0',
      status: 'waiting',
      upcoming: ['expired'],
      dueAtMs: this.now() + VALID_FOR_MS,
      createdAtMs: this.now(),
    });
  }

  /** @throws HttpError 409 when the action is not possible now */
  act(payment: Payment, action: Action, details: ActionDetails = {}): Payment {
    const { isPossible, status, percent = 100 } = ruleOf(action);
    if (!isPossible(payment)) throw new HttpError(409, `${action} is not possible while it is ${payment.status}`);
    const { payAmount, payCurrency } = payment;
    if (status !== undefined) return this.setStatus(payment, status);
    if (action === 'wrong-coin') {
      const currency = details.currency ?? CURRENCIES.find((other) => other !== payCurrency)!;
      const equivalent = inCoins(payment.priceAmount, currency);
      const { wrongAssetStatus } = this.store.settings;
      return this.createChild(payment, currency, details.amount ?? equivalent, wrongAssetStatus);
    }
    const amount = details.amount ?? shareOf(payAmount, percent, payCurrency);
    // The real gateway accepts money at an expired address but sends no callback: only a poll finds it.
    if (action === 'pay-late') {
      const expired = payment.status === 'expired' ? payment : this.setStatus(payment, 'expired');
      return this.save({ ...expired, actuallyPaid: amount });
    }
    if (action === 'pay-again') return this.createChild(payment, payCurrency, amount, 'finished');
    return this.receive(payment, amount, percent < 100 ? 'partially_paid' : 'finished');
  }

  /** Sets any status, even one that the real gateway does not know, and queues its callback. */
  setStatus(payment: Payment, status: string, upcoming: string[] = []): Payment {
    const dueAtMs = upcoming.length === 0 ? null : this.now() + this.store.settings.stepMs;
    const updated = this.save({ ...payment, status, upcoming, dueAtMs });
    this.callbacks.enqueue(updated.callbackUrl, callbackJson(updated));
    return updated;
  }

  changePayout(payout: Payout, fields: Partial<Payout>): Payout {
    const changed = { ...payout, ...fields, updated_at: new Date(this.now()).toISOString() };
    this.store.put('payouts', changed);
    this.schedulePayout(changed);
    this.callbacks.enqueue(changed.ipn_callback_url ?? null, changed);
    return changed;
  }

  close(): void {
    this.isClosed = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
  }

  private receive(payment: Payment, amount: DecimalText, finalStatus: string): Payment {
    return this.setStatus({ ...payment, actuallyPaid: amount }, 'confirming', ['confirmed', 'sending', finalStatus]);
  }

  /** A further transfer to a used address becomes a payment of its own, priced at today's rate for the arrived amount. */
  private createChild(parent: Payment, currency: string, amount: DecimalText, finalStatus: string): Payment {
    const child: Payment = {
      ...parent,
      id: this.store.newId(),
      parentId: parent.id,
      childIds: [],
      orderId: this.store.settings.childrenKeepOrderId ? parent.orderId : null,
      priceAmount: inDollars(amount, currency),
      payAmount: amount,
      payCurrency: currency,
      createdAtMs: this.now(),
    };
    this.save({ ...parent, childIds: [...parent.childIds, child.id] });
    return this.receive(child, amount, finalStatus);
  }

  private save(payment: Payment): Payment {
    this.store.put('payments', payment);
    this.schedule(payment);
    return payment;
  }

  private schedule(payment: Payment): void {
    const [next, ...rest] = payment.upcoming;
    this.setTimer(payment.id, payment.dueAtMs, () => next && this.setStatus(payment, next, rest));
  }

  private schedulePayout(payout: Payout): void {
    const next = nextStep(payout);
    const dueAtMs = next === undefined ? null : Date.parse(payout.updated_at) + this.store.settings.stepMs;
    this.setTimer(payout.id, dueAtMs, () => this.changePayout(payout, next ?? {}));
  }

  /** Replaces the timer of a payment or a payout; `atMs` null only removes it. */
  private setTimer(id: string, atMs: number | null, task: () => unknown): void {
    clearTimeout(this.timers.get(id));
    if (atMs !== null && !this.isClosed) this.timers.set(id, setTimeout(task, Math.max(0, atMs - this.now())));
  }
}

const NEXT_STATUS: Record<string, string> = { WAITING: 'PROCESSING', PROCESSING: 'SENDING', SENDING: 'FINISHED' };

/** The next step of a verified payout; undefined for others. Its hash stands for the transfer that sent the coins. */
function nextStep({ batch_withdrawal_id: batchId, status }: Payout): Partial<Payout> | undefined {
  const next = batchId === undefined ? undefined : NEXT_STATUS[status];
  if (next === undefined) return undefined;
  return next === 'SENDING' ? { status: next, hash: randomBytes(32).toString('hex') } : { status: next };
}
