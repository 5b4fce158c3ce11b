import type { ChangedPayment, PaymentDetails, PendingDeposit } from '../../../../contracts/http/deposits.js';
import { formatCents } from '../../../../contracts/money.js';

type Deposit<Fields extends keyof PendingDeposit> = Pick<PendingDeposit, 'amountCents' | 'gamerTag' | Fields>;

/** Describes the effect of approving a deposit (decisions 8, 28). */
export function describeApproval({ amountCents, gamerTag, purpose }: Deposit<'purpose'>): string {
  const credit = `${formatCents(amountCents)} goes to ${gamerTag}’s purchase balance`;
  const status = purpose === 'deposit' ? ', and makes them a depositor for 30 days from now' : '';
  return `${credit}${status}. The ledger keeps it: only an adjustment can take it back.`;
}

type SumRow = readonly [term: string, value: string];

/** Why the deposit waits, what was due, and what arrived. */
export function reviewRows({
  amountCents,
  dueCents,
  purpose,
  reason,
}: Deposit<'dueCents' | 'purpose' | 'reason'>): SumRow[] {
  const fee = purpose === 'deposit' ? ', without the fee' : '';
  return [
    ['Reason', reason],
    ...(dueCents === null ? [] : [[`Due${fee}`, formatCents(dueCents)] as const]),
    [`Arrived${fee}`, formatCents(amountCents)],
  ];
}

export function describeRejection({ amountCents, gamerTag, paymentId }: Deposit<'paymentId'>): string {
  const nobody = gamerTag === null ? 'Nobody is' : `${gamerTag} is not`;
  return `${nobody} credited ${formatCents(amountCents)}, and payment ${paymentId} leaves this list for good. The coins stay where they arrived. To return them, send them by hand.`;
}

/** "$7.00 in TRX, finished" */
export const describePayment = ({ amount, cryptoType, status }: PaymentDetails): string =>
  `$${amount} in ${cryptoType}, ${status}`;

export const describePurpose = (purpose: PendingDeposit['purpose']): string =>
  purpose === 'deposit' ? 'Deposit' : 'Tokens';

const outcomes: Record<ChangedPayment['outcome'], string> = {
  deposit: 'to the balance',
  balance: 'to the balance',
  tokens: 'as tokens',
  review: 'waits for a decision',
  rejected: 'rejected',
};

/** How a payment was settled before the gateway changed it. */
export const describeOutcome = (outcome: ChangedPayment['outcome']): string => outcomes[outcome];

export const describeCredit = ({ creditedCents }: Pick<ChangedPayment, 'creditedCents'>): string =>
  creditedCents === null ? 'nothing' : formatCents(creditedCents);

/** False while the payment waits under Pending, where it is approved or rejected. */
export const canBeAdjusted = (outcome: ChangedPayment['outcome']): boolean => outcome !== 'review';
