import type { WithdrawalStatus } from '../../../../../contracts/http/withdrawals.js';
import { formatCents } from '../../../../../contracts/money.js';

export type NewStatus = Exclude<WithdrawalStatus, 'pending'>;

/** A request for a payout. Without a gamer it is the admin's own, of profit. */
export interface Payout {
  amountCents: number;
  status: WithdrawalStatus;
  gamerTag: string | null;
}

export const statusNames: Record<WithdrawalStatus, string> = {
  pending: 'Pending',
  processing: 'Processing',
  completed: 'Completed',
  returned: 'Returned',
};

/** What it may become (decision 12). Completed and returned are final; profit knows no processing. */
export function nextStatuses({ status, gamerTag }: Payout): NewStatus[] {
  if (status === 'pending' && gamerTag !== null) return ['processing', 'completed', 'returned'];
  return status === 'pending' || status === 'processing' ? ['completed', 'returned'] : [];
}

/** What will happen to the money, before it does. */
export function settlementText(status: NewStatus, { amountCents, gamerTag }: Payout): string {
  const amount = formatCents(amountCents);
  const owner = gamerTag ?? 'the house';
  switch (status) {
    case 'processing':
      return `${owner} reads that the payout is on its way. ${amount} stays reserved; it can still be completed or returned.`;
    case 'completed':
      return gamerTag === null
        ? `Final: ${amount} counts as withdrawn profit. Nothing is sent by this, so send the coins first.`
        : `Final: ${amount} counts as paid to ${gamerTag}. Nothing is sent by this, so send the coins first.`;
    case 'returned':
      return gamerTag === null
        ? `Final: ${amount} goes back to the profit available. Nothing is sent.`
        : `Final: ${amount} goes back to ${gamerTag}’s winnings, to the cent. Nothing is sent.`;
  }
}

/** The words on the button that does it. */
export function settlementAction(status: NewStatus | null, { amountCents }: Payout): string {
  const amount = formatCents(amountCents);
  if (status === 'processing') return 'Mark as processing';
  if (status === 'completed') return `Mark ${amount} as paid`;
  return status === 'returned' ? `Return ${amount}` : 'Update';
}

/** Notes and transaction as they are sent: trimmed, and left out when there are none. */
export function updateBody(status: NewStatus, notes: string, txid: string) {
  return {
    status,
    ...(notes.trim() === '' ? {} : { adminNotes: notes.trim() }),
    ...(txid.trim() === '' || status !== 'completed' ? {} : { txid: txid.trim() }),
  };
}
