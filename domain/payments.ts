import { isCryptoType } from '../contracts/crypto.js';
import { compareDecimals } from '../contracts/decimal.js';
import type { ReviewReason } from '../contracts/events/ledger-events.js';
import type { PaymentEvent, PaymentOpened, PaymentSeen } from '../contracts/events/payment-events.js';
import type { GatewayPaymentId, OrderId } from '../contracts/ids.js';
import { DEPOSIT_FEE_PERCENT } from '../contracts/limits.js';
import type { DepositMoney, LedgerCommand } from './ledger-commands.js';

/*
 * One invoice at the gateway, and the payments that came in for it.
 *
 * What becomes of a payment is decided by its stream alone, once, by the first event that shows money the gateway is
 * done with; later words about it change nothing. So whoever settles it, however often and after whatever crash, asks
 * the ledger for the same thing. A payment that finished in time, in the invoice's coin, over exactly the amount due,
 * is credited; of several such payments of one invoice the first in the stream. Any other money waits for the admin
 * (decision 28): under- or overpaid, in another coin, at a used address, late, or for an invoice nobody knows.
 *
 * What the gateway says of a payment after that, a refund or more money, is kept and shown to the admin, who acts on it
 * by hand: a payment is credited once.
 */

/** What becomes of a payment. `money` is what an approval would credit. */
export type Verdict = { kind: 'credit' } | { kind: 'review'; reason: ReviewReason; money: DepositMoney };

export interface SeenPayment {
  readonly seen: PaymentSeen['data'];
  /** It was expired once: money that comes after that is late. */
  readonly wasExpired: boolean;
  /** Null while the gateway is not done with it, or nothing arrived. */
  readonly verdict: Verdict | null;
  /** What the verdict was made on. */
  readonly judgedOn: PaymentSeen['data'] | null;
  /** The stream knows what the ledger made of it. */
  readonly isSettled: boolean;
}

export interface PaymentState {
  /** Null: an order that nobody here opened. */
  readonly opened: PaymentOpened['data'] | null;
  readonly payments: ReadonlyMap<GatewayPaymentId, SeenPayment>;
  readonly isExpired: boolean;
}

export const unknownPayment: PaymentState = { opened: null, payments: new Map(), isExpired: false };

export function evolvePayment(state: PaymentState, event: PaymentEvent): PaymentState {
  switch (event.type) {
    case 'PaymentOpened':
      return { ...state, opened: event.data };
    case 'CallbackReceived':
      return state;
    case 'PaymentSeen':
      return withPayment(state, see(state, event.data));
    case 'PaymentSettled':
    case 'PaymentParked': {
      const before = state.payments.get(event.data.paymentId);
      if (!before) throw new Error(`${event.type} of ${event.data.paymentId}, which was never seen`);
      return withPayment(state, { ...before, isSettled: true });
    }
    case 'PaymentExpired':
      return { ...state, isExpired: true };
  }
}

/** What the gateway said now, as events: none when it is nothing new. */
export function seePayment(state: PaymentState, seen: PaymentSeen['data']): PaymentEvent[] {
  const before = state.payments.get(seen.paymentId);
  const isValuedNow = before !== undefined && lacksValue(before) && seen.valueCents !== null;
  const isNews = !before || isValuedNow || !saysTheSame(before.seen, seen);
  const events: PaymentEvent[] = isNews ? [{ type: 'PaymentSeen', data: seen }] : [];
  const after = events.reduce(evolvePayment, state);
  if (after.opened && !after.isExpired && isGivenUp(after)) {
    events.push({ type: 'PaymentExpired', data: { orderId: seen.orderId, status: seen.status } });
  }
  return events;
}

/** Money arrived and could not be valued then. Until it is, there is no verdict: it is to be asked again. */
export const lacksValue = ({ seen, verdict }: SeenPayment): boolean =>
  verdict === null && isDone(seen.status) && seen.valueCents === null && compareDecimals(seen.actuallyPaid, '0') > 0;

/** Payments whose money the ledger has to be asked about, in the order they were seen. */
export const unsettled = (state: PaymentState): SeenPayment[] =>
  [...state.payments.values()].filter(({ verdict, isSettled }) => verdict !== null && !isSettled);

/** What to ask of the ledger for a payment with a verdict: the same, whenever it is asked. */
export function commandFor({ opened }: PaymentState, { seen, verdict }: SeenPayment): LedgerCommand {
  const { paymentId } = seen;
  if (verdict?.kind === 'review') {
    const { reason, money } = verdict;
    const purpose = opened?.purpose ?? 'deposit';
    return { type: 'RecordDeposit', paymentId, purpose, gamerId: opened?.gamerId ?? null, money, reason };
  }
  if (verdict === null || opened === null) throw new Error(`there is nothing to ask about payment ${paymentId}`);
  const { gamerId, amountCents, feeCents, cryptoType, quantity, roundId } = opened;
  if (opened.purpose === 'deposit') {
    return { type: 'CreditDeposit', paymentId, gamerId, money: { amountCents, feeCents, cryptoType } };
  }
  if (quantity === null) throw new Error(`the token invoice ${opened.orderId} has no quantity`);
  return { type: 'SettleInvoice', paymentId, gamerId, quantity, roundId, cryptoType };
}

/** For a gamer who is gone: the money waits for the admin to say whose it is. */
export function commandWithoutGamer(state: PaymentState, payment: SeenPayment): LedgerCommand {
  const command = commandFor(state, payment);
  const { paymentId } = payment.seen;
  if (command.type === 'RecordDeposit') return { ...command, gamerId: null, reason: 'no-gamer' };
  const { purpose, amountCents, feeCents, cryptoType } = state.opened!;
  const money = { amountCents, feeCents, cryptoType };
  return { type: 'RecordDeposit', paymentId, purpose, gamerId: null, money, reason: 'no-gamer' };
}

/** Of a deposit the 5 % on top are the house's: floor(value / 1.05) is the gamer's (decision 28). Tokens bear no fee. */
export function moneyOf(valueCents: number, purpose: 'deposit' | 'tokens'): { amountCents: number; feeCents: number } {
  if (purpose === 'tokens') return { amountCents: valueCents, feeCents: 0 };
  const amountCents = Math.floor((valueCents * 100) / (100 + DEPOSIT_FEE_PERCENT));
  return { amountCents, feeCents: valueCents - amountCents };
}

/** Whether what was seen is enough for a verdict. Dust that is worth no cent stays in its stream without one. */
export const canBeJudged = (
  { status, valueCents }: Pick<PaymentSeen['data'], 'status' | 'valueCents'>,
  purpose: 'deposit' | 'tokens',
): boolean => isDone(status) && valueCents !== null && moneyOf(valueCents, purpose).amountCents > 0;

/** What the gateway says now that it did not say when the payment was judged; null when that is still all. */
export function changeSince({ seen, judgedOn }: SeenPayment): PaymentChange | null {
  if (judgedOn === null || (seen.status === judgedOn.status && seen.actuallyPaid === judgedOn.actuallyPaid))
    return null;
  const { status, actuallyPaid, payCurrency } = seen;
  return {
    status,
    actuallyPaid,
    payCurrency,
    before: { status: judgedOn.status, actuallyPaid: judgedOn.actuallyPaid },
  };
}

/** Amounts are decimal text in coins. */
export interface PaymentChange {
  status: string;
  actuallyPaid: string;
  payCurrency: string;
  /** When the payment was judged. */
  before: { status: string; actuallyPaid: string };
}

/** The gateway has done what it will do by itself: what arrived by now can be judged. */
export const isDone = (status: string): boolean => DONE.has(status);

const DONE: ReadonlySet<string> = new Set(['finished', 'partially_paid', 'expired', 'failed', 'cancelled']);
const GIVEN_UP: ReadonlySet<string> = new Set(['expired', 'failed', 'refunded', 'cancelled']);

function see(state: PaymentState, seen: PaymentSeen['data']): SeenPayment {
  const before = state.payments.get(seen.paymentId);
  const wasExpired = before?.wasExpired === true;
  const verdict = before?.verdict ?? judge(state, seen, wasExpired);
  return {
    seen,
    wasExpired: wasExpired || seen.status === 'expired',
    verdict,
    judgedOn: before?.judgedOn ?? (verdict && seen),
    isSettled: before?.isSettled ?? false,
  };
}

function judge(state: PaymentState, seen: PaymentSeen['data'], wasExpired: boolean): Verdict | null {
  const { opened } = state;
  if (!canBeJudged(seen, opened?.purpose ?? 'deposit') || seen.valueCents === null) return null;
  const reason = whyReview(state, seen, wasExpired);
  if (reason === null) return { kind: 'credit' };
  const payCurrency = seen.payCurrency.toUpperCase();
  // A coin that we have no name for came in at the address of one that we have.
  const cryptoType = isCryptoType(payCurrency) ? payCurrency : opened?.cryptoType;
  const money = moneyOf(seen.valueCents, opened?.purpose ?? 'deposit');
  if (cryptoType === undefined) return null;
  return { kind: 'review', reason, money: { ...money, cryptoType } };
}

function whyReview(
  { opened, payments }: PaymentState,
  { status, payCurrency, payAmount, actuallyPaid, parentPaymentId, valueCents }: PaymentSeen['data'],
  wasExpired: boolean,
): ReviewReason | null {
  if (opened === null) return 'unknown-order';
  if (payCurrency.toUpperCase() !== opened.cryptoType) return 'wrong-coin';
  if (parentPaymentId !== null) return 'repeated';
  if (wasExpired || status === 'expired') return 'late';
  if (status === 'failed') return 'failed';
  const isShort = compareDecimals(actuallyPaid, payAmount) < 0;
  if (isShort || status !== 'finished') return 'underpaid';
  if (compareDecimals(actuallyPaid, payAmount) > 0) return 'overpaid';
  // Full at the gateway, yet over a price that is not the invoice's.
  if (valueCents! < opened.amountCents + opened.feeCents) return 'underpaid';
  const isFirst = [...payments.values()].every(({ verdict }) => verdict?.kind !== 'credit');
  return isFirst ? null : 'repeated';
}

/** No payment of it can still bring anything by itself, and none did. */
const isGivenUp = ({ payments }: PaymentState): boolean =>
  [...payments.values()].every(({ seen, verdict }) => GIVEN_UP.has(seen.status) && verdict === null);

const saysTheSame = (one: PaymentSeen['data'], other: PaymentSeen['data']): boolean =>
  one.status === other.status &&
  one.payCurrency === other.payCurrency &&
  one.payAmount === other.payAmount &&
  one.actuallyPaid === other.actuallyPaid;

function withPayment(state: PaymentState, payment: SeenPayment): PaymentState {
  return { ...state, payments: new Map(state.payments).set(payment.seen.paymentId, payment) };
}

/** The order of a payment that belongs to none of ours: it has a stream of its own. */
const UNKNOWN = /^unknown-([A-Za-z0-9_-]{1,64})$/;

export const unknownOrderOf = (paymentId: GatewayPaymentId): OrderId => `unknown-${paymentId}`;

/** The payment that an unknown order is about; null for an order of ours. */
export const paymentOfUnknownOrder = (orderId: OrderId): GatewayPaymentId | null => UNKNOWN.exec(orderId)?.[1] ?? null;
