import type { PaymentDetails, PendingDeposit } from '../../../../../contracts/http/payments.js';
import { formatCents } from '../../../../../contracts/money.js';

/** What approving a deposit does (decisions 8, 28), before it is done. */
export function approvalText({ amountCents, gamerTag, purpose }: PendingDeposit): string {
  const credited = `${formatCents(amountCents)} goes to ${gamerTag}’s purchase balance`;
  const status = purpose === 'deposit' ? ', and makes them a depositor for 30 days from now' : '';
  return `${credited}${status}. The ledger keeps it: only an adjustment can take it back.`;
}

/** What rejecting one does. */
export function rejectionText({ amountCents, gamerTag, paymentId }: PendingDeposit): string {
  const who = gamerTag === null ? 'Nobody is' : `${gamerTag} is not`;
  return `${who} credited ${formatCents(amountCents)}, and payment ${paymentId} leaves this list for good. The coins stay where they arrived: if they are to go back, send them by hand.`;
}

/** "$7.00 in TRX, finished" */
export const paymentText = ({ amount, cryptoType, status }: PaymentDetails): string =>
  `$${amount} in ${cryptoType}, ${status}`;
