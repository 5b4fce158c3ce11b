import type { ReviewReason } from '../../../../contracts/events/ledger-events.js';
import type { PaymentInReview } from '../../../../contracts/http/payments.js';
import { formatCents } from '../../../../contracts/money.js';
import type { PaymentChange } from '../../../../domain/payments.js';
import type { DepositRow, InvoiceRow, PaymentRow } from '../../../../projections/src/views/tables.entity.js';

const REVIEW_REASONS: Record<ReviewReason, string> = {
  underpaid: 'Less arrived than was due',
  overpaid: 'More arrived than was due',
  'wrong-coin': 'It was paid in another coin',
  repeated: 'It came after the invoice’s first payment',
  late: 'It came after the payment had expired',
  failed: 'The gateway could not process it',
  'unknown-order': 'It belongs to none of our invoices',
  'no-gamer': 'Its gamer was deleted',
  'over-limit': 'It is beyond the gamer’s or the operator’s deposit limit',
};

export const describeReviewReason = (reason: ReviewReason): string => REVIEW_REASONS[reason];

export function describePaymentChange({ gatewayStatus, actuallyPaid, payCurrency, before }: PaymentChange): string {
  const now = `The gateway now says ${gatewayStatus}, with ${actuallyPaid} ${payCurrency.toUpperCase()} paid`;
  return `${now}; it was ${before.gatewayStatus}, with ${before.actuallyPaid}`;
}

/** Specification §8, notices: a wrong crypto deposit amount means a 24-72 hour manual review. */
const REVIEW = 'It is being reviewed by hand, which takes 24 to 72 hours';

const describeReview = (reason: string | null): string =>
  reason === null ? `${REVIEW}.` : `${describeReviewReason(reason as ReviewReason)}. ${REVIEW}.`;

type InvoiceOutcome = Pick<PaymentRow, 'creditedCents' | 'reason'> &
  Pick<InvoiceRow, 'quantity'> & { outcome: Exclude<PaymentRow['outcome'], 'open'> };

export function describeOutcome({ outcome, creditedCents, quantity, reason }: InvoiceOutcome): string {
  const credited = formatCents(creditedCents ?? 0);
  switch (outcome) {
    case 'approved':
      return `${credited} was added to your purchase balance`;
    case 'tokens':
      return `Purchased ${quantity} Omni Token(s) successfully`;
    case 'balance':
      return `The payment came when no token could be bought: ${credited} was added to your purchase balance`;
    case 'pending':
      return describeReview(reason);
    case 'rejected':
      return REJECTED_TEXT;
  }
}

export function describeWaiting(
  state: PaymentInReview['state'],
  { reason, adminNotes }: Pick<DepositRow, 'reason' | 'adminNotes'>,
): string {
  if (state === 'refunded') return REFUNDED_TEXT;
  if (state === 'review') return describeReview(reason);
  return adminNotes ? `${REJECTED_TEXT} Note from the admin: ${adminNotes.replace(/[^.!?]$/, '$&.')}` : REJECTED_TEXT;
}

const REJECTED_TEXT = 'This payment was not credited. Please contact support.';

export const REFUNDED_TEXT =
  'It was sent back to you, so it is not credited. If it did not arrive, please contact support.';

export const EXPIRED_TEXT = 'Nothing arrived in time. Please do not pay to this address any more.';
