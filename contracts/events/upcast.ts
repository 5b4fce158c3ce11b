import { compareDecimals } from '../decimal.js';
import type { RoundTerms, SecondPersonLimits, TokenTerms } from '../limits.js';
import type { Cents } from '../money.js';
import type { LedgerEvents } from './ledger-events.js';
import type { PaymentEvents, PaymentStatus } from './payment-events.js';

/*
 * What older versions of events mean. Events are upcast when they are folded, and not when they are read: the chain hashes
 * them as they were written.
 */

/** Terms of every round whose GameStarted is of version 1, which did not carry them. They never change. */
const TERMS_OF_VERSION_1: TokenTerms = {
  tokenPriceCents: 30,
  jackpotShareCents: 13,
  houseShareCents: 2,
  levelShareCents: [2, 2, 2, 2, 2, 2, 2],
  directBonusCents: 1,
  matrixWidth: 3,
};

/** The matrix's width before the first round. */
export const WIDTH_BEFORE_ROUNDS = TERMS_OF_VERSION_1.matrixWidth;

/** The terms of a round, for every version of GameStarted. Before version 3 a round was ended at its countdown's end. */
export const termsOf = ({ terms, decidingMs }: LedgerEvents['GameStarted']): RoundTerms => ({
  ...(terms ?? TERMS_OF_VERSION_1),
  decidingMs: decidingMs ?? 0,
});

/** When a purchase arrived, epoch ms. In version 1 this is its ledger time. @param at the event's ledger time */
export const receivedAtOf = ({ receivedAtEpochMs }: LedgerEvents['TokenPurchased'], at: number): number =>
  receivedAtEpochMs ?? at;

/** The limit of what one person moves alone in a day. Version 1 leaves it as it was. @param before the event */
export const limitPerDayOf = (
  { aboveCentsPerDay }: LedgerEvents['SecondPersonLimitSet'],
  before: Cents | null,
): Cents | null => (aboveCentsPerDay === undefined ? before : aboveCentsPerDay);

/** Both limits after the event. */
export const secondPersonLimitsOf = (
  data: LedgerEvents['SecondPersonLimitSet'],
  before: SecondPersonLimits,
): SecondPersonLimits => ({
  aboveCents: data.aboveCents,
  aboveCentsPerDay: limitPerDayOf(data, before.aboveCentsPerDay),
});

/** A payment as the gateway reported it, with our status and the gateway's own. */
export type GatewayReport = PaymentEvents['PaymentSeen'] & { status: PaymentStatus; gatewayStatus: string };

/** Upcasts version 1, which holds NOWPayments' own status. */
export function gatewayReport(data: PaymentEvents['PaymentSeen']): GatewayReport {
  const gatewayStatus = data.gatewayStatus ?? data.status;
  const status = data.gatewayStatus === undefined ? statusOfVersion1(data) : (data.status as PaymentStatus);
  return { ...data, status, gatewayStatus };
}

function statusOfVersion1({ status, actuallyPaid, payAmount }: PaymentEvents['PaymentSeen']): PaymentStatus {
  switch (status) {
    case 'waiting':
    case 'failed':
    case 'expired':
    case 'refunded':
      return status;
    case 'finished': {
      const difference = compareDecimals(actuallyPaid, payAmount);
      return difference === 0 ? 'paid' : difference < 0 ? 'short' : 'over';
    }
    case 'partially_paid':
      return 'short';
    case 'cancelled':
      return compareDecimals(actuallyPaid, '0') > 0 ? 'short' : 'failed';
    default:
      return 'arriving';
  }
}
