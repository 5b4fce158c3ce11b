import { type DecimalText, toUnits } from '../../contracts/decimal.js';
import type { Callbacks } from './callbacks.js';
import type { PaymentBook } from './payment-book.js';
import { practiceAddress } from './practice-address.js';
import { CURRENCIES, cryptoTypeOf, inCoins, inDollars, placesOf, shareOf } from './rates.js';
import type { Invoice, Payment } from './records.js';

/** What a payer, the clock or the gateway's staff can do to a payment. */
export const ACTIONS = [
  'pay',
  'underpay',
  'overpay',
  'pay-late',
  'pay-again',
  'wrong-coin',
  'expire',
  'fail',
  'finish-by-hand',
  'refund',
  'cancel',
] as const;
export type Action = (typeof ACTIONS)[number];

export const UNDERPAID_PERCENT = 70;
export const OVERPAID_PERCENT = 130;

/** Arrived money goes this way, a step at a time. */
const ARRIVING = ['confirming', 'confirmed', 'sending'] as const;

export interface ActionDetails {
  /** In place of the action's own amount, in the coin that is sent. */
  amount?: DecimalText;
  /** The coin that is sent by mistake. */
  currency?: string;
}

export interface NewPayment {
  invoice: Invoice | null;
  purchaseId: string | null;
  orderId: string | null;
  description: string | null;
  callbackUrl: string | null;
  priceAmount: DecimalText;
  priceCurrency: string;
  payCurrency: string;
  isFixedRate: boolean;
  isFeePaidByUser: boolean;
}

/** The action does not fit the payment as it is; the message says why. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible';
}

/** Payments from their making on: what happens to them, when, and whom that is told. */
export class PaymentLife {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private closed = false;

  constructor(
    private readonly book: PaymentBook,
    private readonly callbacks: Callbacks,
    private readonly now: () => number,
  ) {
    for (const payment of book.allPayments()) this.schedule(payment);
  }

  create(order: NewPayment): Payment {
    const { settings } = this.book;
    const now = this.now();
    const payment: Payment = {
      id: this.book.freshId(),
      invoiceId: order.invoice?.id ?? null,
      purchaseId: order.purchaseId ?? this.book.freshId(),
      parentId: null,
      childIds: [],
      origin: null,
      orderId: order.orderId,
      description: order.description,
      callbackUrl: order.callbackUrl,
      priceAmount: order.priceAmount,
      priceCurrency: order.priceCurrency,
      payAmount: inCoins(settings, order.priceAmount, order.payCurrency),
      payCurrency: order.payCurrency,
      payAddress: practiceAddress(cryptoTypeOf(order.payCurrency)),
      actuallyPaid: '0',
      status: 'waiting',
      upcoming: [],
      dueAt: null,
      validUntil: now + settings.validForMs,
      isFixedRate: order.isFixedRate || order.isFeePaidByUser,
      isFeePaidByUser: order.isFeePaidByUser,
      createdAt: now,
      updatedAt: now,
    };
    this.book.putPayment(payment);
    this.schedule(payment);
    return payment;
  }

  /** Why the action does not fit the payment now; undefined when it does. */
  obstacle(payment: Payment, action: Action): string | undefined {
    const { status } = payment;
    const hasReceived = payment.actuallyPaid !== '0';
    switch (action) {
      case 'pay':
      case 'underpay':
      case 'overpay':
      case 'expire':
      case 'fail':
        return status === 'waiting' ? undefined : 'Only while the payment is waiting';
      case 'pay-late':
        return status === 'waiting' || (status === 'expired' && !hasReceived)
          ? undefined
          : 'Only while nothing has arrived';
      case 'pay-again':
        return hasReceived ? undefined : 'Only after a first transfer';
      case 'wrong-coin':
        return undefined;
      case 'finish-by-hand':
        return hasReceived && (status === 'partially_paid' || status === 'expired')
          ? undefined
          : 'Only for money that came short or late';
      case 'refund':
        return hasReceived && ['finished', 'partially_paid', 'failed', 'expired'].includes(status)
          ? undefined
          : 'Only for money that has arrived';
      case 'cancel':
        return status === 'partially_paid' ? undefined : 'Only for a payment that came short';
    }
  }

  /** @throws NotPossible */
  act(payment: Payment, action: Action, details: ActionDetails = {}): Payment {
    const obstacle = this.obstacle(payment, action);
    if (obstacle !== undefined) throw new NotPossible(obstacle);
    const { payAmount, payCurrency } = payment;
    switch (action) {
      case 'pay':
        return this.arrive(payment, sent(details, payAmount, payCurrency), 'finished');
      case 'underpay': {
        const amount = sent(details, shareOf(payAmount, UNDERPAID_PERCENT, payCurrency), payCurrency);
        return this.arrive(payment, amount, 'partially_paid');
      }
      case 'overpay': {
        const amount = sent(details, shareOf(payAmount, OVERPAID_PERCENT, payCurrency), payCurrency);
        return this.arrive(payment, amount, 'finished');
      }
      case 'pay-late':
        return this.arriveLate(payment, sent(details, payAmount, payCurrency));
      case 'pay-again':
        return this.arriveAgain(payment, 'REPEATED', payCurrency, sent(details, payAmount, payCurrency));
      case 'wrong-coin': {
        const currency = details.currency ?? CURRENCIES.find((other) => other !== payCurrency)!;
        const worth = inCoins(this.book.settings, payment.priceAmount, currency);
        return this.arriveAgain(payment, 'WRONG_ASSET', currency, sent(details, worth, currency));
      }
      case 'expire':
        return this.become(payment, 'expired');
      case 'fail':
        return this.become(payment, 'failed');
      case 'finish-by-hand':
        return this.become(payment, 'finished');
      case 'refund':
        return this.become(payment, 'refunded');
      case 'cancel':
        return this.become(payment, 'cancelled');
    }
  }

  /** Any word at all, for those who must live with words they do not know. */
  setStatus(payment: Payment, status: string): Payment {
    return this.become(payment, status);
  }

  close(): void {
    this.closed = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
  }

  private arrive(payment: Payment, amount: DecimalText, end: string): Payment {
    const [first, ...rest] = ARRIVING;
    return this.become({ ...payment, actuallyPaid: amount }, first, [...rest, end]);
  }

  /** The real gateway takes money at an expired address and tells nobody: only who asks finds it. */
  private arriveLate(payment: Payment, amount: DecimalText): Payment {
    const expired = payment.status === 'expired' ? payment : this.become(payment, 'expired');
    return this.store({ ...expired, actuallyPaid: amount });
  }

  /** Comes as a payment of its own, at the rate of the day, over just what was sent. */
  private arriveAgain(
    parent: Payment,
    origin: NonNullable<Payment['origin']>,
    currency: string,
    amount: DecimalText,
  ): Payment {
    const { settings } = this.book;
    const now = this.now();
    const child: Payment = {
      ...parent,
      id: this.book.freshId(),
      parentId: parent.id,
      childIds: [],
      origin,
      orderId: settings.childrenKeepOrderId ? parent.orderId : null,
      priceAmount: inDollars(settings, amount, currency),
      priceCurrency: 'usd',
      payAmount: amount,
      payCurrency: currency,
      createdAt: now,
      updatedAt: now,
    };
    this.store({ ...parent, childIds: [...parent.childIds, child.id] });
    return this.arrive(child, amount, origin === 'REPEATED' ? settings.repeatedStatus : settings.wrongAssetStatus);
  }

  private become(payment: Payment, status: string, upcoming: readonly string[] = []): Payment {
    const after = this.store({
      ...payment,
      status,
      upcoming: [...upcoming],
      dueAt: upcoming.length === 0 ? null : this.now() + this.book.settings.stepMs,
    });
    this.callbacks.announce(after);
    return after;
  }

  private store(payment: Payment): Payment {
    const after = { ...payment, updatedAt: this.now() };
    this.book.putPayment(after);
    this.schedule(after);
    return after;
  }

  /** One timer for each payment that something will happen to: its next step, or the end of its validity. */
  private schedule(payment: Payment): void {
    clearTimeout(this.timers.get(payment.id));
    this.timers.delete(payment.id);
    const at = payment.status === 'waiting' ? payment.validUntil : payment.dueAt;
    if (at === null || this.closed) return;
    this.timers.set(
      payment.id,
      setTimeout(() => this.onTime(payment.id), Math.max(0, at - this.now())),
    );
  }

  private onTime(paymentId: string): void {
    const payment = this.book.payment(paymentId);
    if (payment === undefined) return;
    if (payment.status === 'waiting') {
      this.become(payment, 'expired');
      return;
    }
    const [next, ...rest] = payment.upcoming;
    if (next !== undefined) this.become(payment, next, rest);
  }
}

/** The amount that is sent, never in fractions of the coin's smallest unit. */
function sent({ amount }: ActionDetails, byDefault: DecimalText, currency: string): DecimalText {
  if (amount === undefined) return byDefault;
  const places = placesOf(currency);
  if ((amount.split('.')[1] ?? '').length > places) throw new NotPossible(`This coin has ${places} decimal places`);
  if (toUnits(amount, places) <= 0n) throw new NotPossible('An amount must be above zero');
  return amount;
}
