import type { ReviewReason } from '../../../contracts/events/ledger-events.js';
import { formatCents } from '../../../contracts/money.js';
import type { PaymentChange } from '../../../domain/payments.js';

/** Why a payment waits, as the admin reads it. */
const REASONS: Record<ReviewReason, string> = {
  underpaid: 'Less arrived than was due',
  overpaid: 'More arrived than was due',
  'wrong-coin': 'It came in another coin',
  repeated: 'It came after the invoice’s first payment',
  late: 'It came after the payment had expired',
  failed: 'The gateway could not process it',
  'unknown-order': 'It belongs to no invoice of ours',
  'no-gamer': 'Its gamer is gone',
};

export const reasonInWords = (reason: ReviewReason): string => REASONS[reason];

/** A refund, or more money, after the payment was acted on: for the admin, who acts on it by hand. */
export function changeInWords({ status, actuallyPaid, payCurrency, before }: PaymentChange): string {
  const now = `The gateway now says ${status}, with ${actuallyPaid} ${payCurrency.toUpperCase()} paid`;
  return `${now}; it was ${before.status}, with ${before.actuallyPaid}`;
}

/** §8, notices: a wrong crypto deposit amount means a 24-72 hour manual review. */
const REVIEW = 'It is being reviewed by hand, which takes 24 to 72 hours';

/** What became of an invoice's payment, as its gamer reads it. */
export interface Became {
  outcome: 'review' | 'rejected' | 'deposit' | 'tokens' | 'balance';
  creditedCents: number | null;
  quantity: number | null;
  reason: string | null;
}

export function becameInWords({ outcome, creditedCents, quantity, reason }: Became): string {
  const credited = formatCents(creditedCents ?? 0);
  switch (outcome) {
    case 'deposit':
      return `${credited} was added to your purchase balance`;
    case 'tokens':
      return `Purchased ${quantity} Omni Token(s) successfully`;
    case 'balance':
      return `The round was over when your payment arrived: ${credited} was added to your purchase balance`;
    case 'review':
      return reason !== null && reason in REASONS ? `${REASONS[reason as ReviewReason]}. ${REVIEW}.` : `${REVIEW}.`;
    case 'rejected':
      return 'This payment was not credited. Please contact support.';
  }
}

export const EXPIRED_IN_WORDS = 'Nothing arrived in time. Please do not pay to this address any more.';
