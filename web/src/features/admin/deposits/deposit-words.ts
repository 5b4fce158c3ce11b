import type { ChangedPayment, PaymentDetails, PendingDeposit } from '../../../../../contracts/http/payments.js';
import { formatCents } from '../../../../../contracts/money.js';

type Told<Also extends keyof PendingDeposit> = Pick<PendingDeposit, 'amountCents' | 'gamerTag' | Also>;

/** What approving a deposit does (decisions 8, 28), before it is done. */
export function approvalText({ amountCents, gamerTag, purpose }: Told<'purpose'>): string {
  const credited = `${formatCents(amountCents)} goes to ${gamerTag}’s purchase balance`;
  const status = purpose === 'deposit' ? ', and makes them a depositor for 30 days from now' : '';
  return `${credited}${status}. The ledger keeps it: only an adjustment can take it back.`;
}

/** What rejecting one does. */
export function rejectionText({ amountCents, gamerTag, paymentId }: Told<'paymentId'>): string {
  const who = gamerTag === null ? 'Nobody is' : `${gamerTag} is not`;
  return `${who} credited ${formatCents(amountCents)}, and payment ${paymentId} leaves this list for good. The coins stay where they arrived: if they are to go back, send them by hand.`;
}

/** "$7.00 in TRX, finished" */
export const paymentText = ({ amount, cryptoType, status }: PaymentDetails): string =>
  `$${amount} in ${cryptoType}, ${status}`;

export const purposeText = (purpose: PendingDeposit['purpose']): string =>
  purpose === 'deposit' ? 'Deposit' : 'Tokens';

const became: Record<ChangedPayment['outcome'], string> = {
  deposit: 'to the balance',
  balance: 'to the balance',
  tokens: 'as tokens',
  review: 'waits for a decision',
  rejected: 'rejected',
};

/** What was made of a payment before the gateway said something else of it. */
export const becameText = (outcome: ChangedPayment['outcome']): string => became[outcome];

export const creditedText = ({ creditedCents }: Pick<ChangedPayment, 'creditedCents'>): string =>
  creditedCents === null ? 'nothing' : formatCents(creditedCents);

/** What waits is approved or rejected instead. */
export const canBeAdjusted = (outcome: ChangedPayment['outcome']): boolean => outcome !== 'review';
