import { isCryptoType } from '../contracts/crypto.js';
import { compareDecimals } from '../contracts/decimal.js';
import type { PaymentPurpose, ReviewReason } from '../contracts/events/ledger-events.js';
import type { GatewayReport, PaymentEvent, PaymentEvents, PaymentStatus } from '../contracts/events/payment-events.js';
import type { GatewayPaymentId, OrderId } from '../contracts/ids.js';
import { splitDeposit } from '../contracts/money.js';
import type { DepositMoney, LedgerCommand } from './ledger/ledger-commands.js';

/*
 * One invoice at the gateway, and the payments that came in for it. The verdict on a payment is decided by its stream alone, once, by
 * the first event that shows money the gateway has finished processing. So every attempt to settle it, also after a crash, sends the
 * ledger the same command. The first payment that arrived in time, in the invoice's coin, with exactly the amount due, is credited;
 * any other money is parked for review (decision 28). What the gateway reports after the verdict is shown to the admin.
 */

type PaymentVerdict = { kind: 'credit' } | { kind: 'review'; reason: ReviewReason; money: DepositMoney };

export interface ReportedPayment {
  readonly report: GatewayReport;
  /** True if the payment was expired once: money that arrives later is late. */
  readonly wasExpired: boolean;
  /** Null until the gateway has finished processing the payment, and when nothing arrived. */
  readonly verdict: PaymentVerdict | null;
  readonly verdictReport: GatewayReport | null;
  readonly isSettled: boolean;
}

export interface PaymentState {
  /** Null for an unknown order. */
  readonly invoice: PaymentEvents['PaymentOpened'] | null;
  readonly payments: ReadonlyMap<GatewayPaymentId, ReportedPayment>;
  readonly isExpired: boolean;
  readonly callbackCount: number;
}

export const initialPayment: PaymentState = {
  invoice: null,
  payments: new Map(),
  isExpired: false,
  callbackCount: 0,
};

export function evolvePayment(state: PaymentState, event: PaymentEvent): PaymentState {
  switch (event.type) {
    case 'PaymentOpened':
      return { ...state, invoice: event.data };
    case 'CallbackReceived':
      return { ...state, callbackCount: state.callbackCount + 1 };
    case 'PaymentReported':
      return withPayment(state, withReport(state, event.data));
    case 'PaymentSettled':
    case 'PaymentParked': {
      const before = state.payments.get(event.data.paymentId);
      if (!before) throw new Error(`${event.type} of ${event.data.paymentId}, which was never reported`);
      return withPayment(state, { ...before, isSettled: true });
    }
    case 'PaymentExpired':
      return { ...state, isExpired: true };
  }
}

/** The events of the gateway's report: none when it reports nothing new. */
export function recordReport(state: PaymentState, report: GatewayReport): PaymentEvent[] {
  const before = state.payments.get(report.paymentId);
  const isValuedNow = before !== undefined && lacksValue(before) && report.valueCents !== null;
  const isNew = !before || isValuedNow || !isSameReport(before.report, report);
  const events: PaymentEvent[] = isNew ? [{ type: 'PaymentReported', data: report }] : [];
  const after = events.reduce(evolvePayment, state);
  if (after.invoice && !after.isExpired && isGivenUp(after)) {
    events.push({ type: 'PaymentExpired', data: { orderId: report.orderId, status: report.status } });
  }
  return events;
}

/** True when money arrived that could not be valued. The verdict waits until a later report has its value. */
export const lacksValue = ({ report, verdict }: ReportedPayment): boolean =>
  verdict === null &&
  isDone(report.status) &&
  report.valueCents === null &&
  compareDecimals(report.actuallyPaid, '0') > 0;

/** Payments whose command must be sent to the ledger, in the order they were reported. */
export const unsettled = (state: PaymentState): ReportedPayment[] =>
  [...state.payments.values()].filter(({ verdict, isSettled }) => verdict !== null && !isSettled);

/** The ledger's command for a payment with a verdict. Deterministic: the same at every call. */
export function commandFor({ invoice }: PaymentState, { report, verdict }: ReportedPayment): LedgerCommand {
  const { paymentId } = report;
  if (verdict?.kind === 'review') {
    const { reason, money } = verdict;
    const purpose = invoice?.purpose ?? 'deposit';
    return { type: 'RecordDeposit', paymentId, purpose, gamerId: invoice?.gamerId ?? null, money, reason };
  }
  if (verdict === null || invoice === null) throw new Error(`payment ${paymentId} has no command for the ledger`);
  const { gamerId, amountCents, feeCents, cryptoType, quantity, roundId } = invoice;
  if (invoice.purpose === 'deposit')
    return { type: 'CreditDeposit', paymentId, gamerId, money: { amountCents, feeCents, cryptoType } };
  if (quantity === null) throw new Error(`the token invoice ${invoice.orderId} has no quantity`);
  return { type: 'SettleInvoice', paymentId, gamerId, quantity, amountCents, roundId, cryptoType };
}

/** The command when the gamer was removed: it parks the payment until the admin names its gamer. */
export function commandWithoutGamer(state: PaymentState, payment: ReportedPayment): LedgerCommand {
  const command = commandFor(state, payment);
  const { paymentId } = payment.report;
  if (command.type === 'RecordDeposit') return { ...command, gamerId: null, reason: 'no-gamer' };
  const { purpose, amountCents, feeCents, cryptoType } = state.invoice!;
  const money = { amountCents, feeCents, cryptoType };
  return { type: 'RecordDeposit', paymentId, purpose, gamerId: null, money, reason: 'no-gamer' };
}

/** Splits a payment's value into the gamer's amount and the fee. Tokens have no fee. */
export const moneyOf = (valueCents: number, purpose: PaymentPurpose) =>
  purpose === 'deposit' ? splitDeposit(valueCents) : { amountCents: valueCents, feeCents: 0 };

/** True when the report is enough for a verdict. A payment worth less than a cent never gets one. */
export const canDecideVerdict = (
  { status, valueCents }: Pick<GatewayReport, 'status' | 'valueCents'>,
  purpose: PaymentPurpose,
): boolean => isDone(status) && valueCents !== null && moneyOf(valueCents, purpose).amountCents > 0;

/** The change at the gateway since the verdict; null without a change or a verdict. */
export function changeSince({ report, verdictReport }: ReportedPayment): PaymentChange | null {
  if (verdictReport === null) return null;
  const { gatewayStatus, actuallyPaid, payCurrency } = report;
  const before = { gatewayStatus: verdictReport.gatewayStatus, actuallyPaid: verdictReport.actuallyPaid };
  const isSame = gatewayStatus === before.gatewayStatus && actuallyPaid === before.actuallyPaid;
  return isSame ? null : { gatewayStatus, actuallyPaid, payCurrency, before };
}

/** Amounts are decimal text in coins. */
export interface PaymentChange extends Pick<GatewayReport, 'gatewayStatus' | 'actuallyPaid' | 'payCurrency'> {
  /** The gateway's report at the verdict. */
  before: Pick<GatewayReport, 'gatewayStatus' | 'actuallyPaid'>;
}

export const isDone = (status: PaymentStatus): boolean => DONE_STATUSES.has(status);

const DONE_STATUSES = new Set<PaymentStatus>(['paid', 'short', 'over', 'expired', 'failed']);
const GIVEN_UP_STATUSES = new Set<PaymentStatus>(['expired', 'failed', 'refunded']);

function withReport(state: PaymentState, report: GatewayReport): ReportedPayment {
  const before = state.payments.get(report.paymentId);
  const wasExpired = before?.wasExpired === true;
  const verdict = before?.verdict ?? decideVerdict(state, report, wasExpired);
  return {
    report,
    wasExpired: wasExpired || report.status === 'expired',
    verdict,
    verdictReport: before?.verdictReport ?? (verdict && report),
    isSettled: before?.isSettled ?? false,
  };
}

function decideVerdict(state: PaymentState, report: GatewayReport, wasExpired: boolean): PaymentVerdict | null {
  const { invoice } = state;
  if (!canDecideVerdict(report, invoice?.purpose ?? 'deposit') || report.valueCents === null) return null;
  const reason = reviewReasonOf(state, report, wasExpired);
  if (reason === null) return { kind: 'credit' };
  const payCurrency = report.payCurrency.toUpperCase();
  // A coin that the product does not support is recorded as the invoice's coin.
  const cryptoType = isCryptoType(payCurrency) ? payCurrency : invoice?.cryptoType;
  const money = moneyOf(report.valueCents, invoice?.purpose ?? 'deposit');
  if (cryptoType === undefined) return null;
  return { kind: 'review', reason, money: { ...money, cryptoType } };
}

function reviewReasonOf(
  { invoice, payments }: PaymentState,
  { status, payCurrency, parentPaymentId, valueCents }: GatewayReport,
  wasExpired: boolean,
): ReviewReason | null {
  if (invoice === null) return 'unknown-order';
  if (payCurrency.toUpperCase() !== invoice.cryptoType) return 'wrong-coin';
  if (parentPaymentId !== null) return 'repeated';
  if (wasExpired || status === 'expired') return 'late';
  if (status === 'failed') return 'failed';
  if (status === 'short') return 'underpaid';
  if (status === 'over') return 'overpaid';
  // Paid in full at the gateway, but for a lower price than the invoice's.
  if (valueCents! < invoice.amountCents + invoice.feeCents) return 'underpaid';
  const isFirst = [...payments.values()].every(({ verdict }) => verdict?.kind !== 'credit');
  return isFirst ? null : 'repeated';
}

/** True when no payment of the invoice got a verdict, and none waits for one: the gateway gave it up, or it is worth nothing. */
const isGivenUp = ({ invoice, payments }: PaymentState): boolean =>
  [...payments.values()].every(
    ({ report, verdict }) =>
      verdict === null && (GIVEN_UP_STATUSES.has(report.status) || isWorthless(report, invoice?.purpose ?? 'deposit')),
  );

const isWorthless = (report: GatewayReport, purpose: PaymentPurpose): boolean =>
  isDone(report.status) && report.valueCents !== null && !canDecideVerdict(report, purpose);

const isSameReport = (one: GatewayReport, other: GatewayReport): boolean =>
  one.gatewayStatus === other.gatewayStatus &&
  one.payCurrency === other.payCurrency &&
  one.payAmount === other.payAmount &&
  one.actuallyPaid === other.actuallyPaid;

function withPayment(state: PaymentState, payment: ReportedPayment): PaymentState {
  return { ...state, payments: new Map(state.payments).set(payment.report.paymentId, payment) };
}

/** The order id of a payment without an invoice, which has a stream of its own. */
const UNKNOWN = /^unknown-([A-Za-z0-9_-]{1,64})$/;

export const unknownOrderOf = (paymentId: GatewayPaymentId): OrderId => `unknown-${paymentId}`;

/** The payment of an unknown order; null for any other order. */
export const paymentOfUnknownOrder = (orderId: OrderId): GatewayPaymentId | null => UNKNOWN.exec(orderId)?.[1] ?? null;
