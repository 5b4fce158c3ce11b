import type { PendingDeposit } from '../../../../contracts/http/payments.js';
import type { AdminTicket } from '../../../../contracts/http/support.js';
import type { Withdrawal } from '../../../../contracts/http/withdrawals.js';

/** One row of a list that waits for the admin. */
export type Waiting =
  | { kind: 'withdrawal'; row: Withdrawal }
  | { kind: 'deposit'; row: PendingDeposit }
  | { kind: 'ticket'; row: AdminTicket };

interface Lists {
  withdrawals: readonly Withdrawal[];
  deposits: readonly PendingDeposit[];
  tickets: readonly AdminTicket[];
}

/** The rows of the three lists in one queue, the longest wait first. */
export function firstWaiting({ withdrawals, deposits, tickets }: Lists): Waiting[] {
  const all: Waiting[] = [
    ...withdrawals.map((row) => ({ kind: 'withdrawal' as const, row })),
    ...deposits.map((row) => ({ kind: 'deposit' as const, row })),
    ...tickets.map((row) => ({ kind: 'ticket' as const, row })),
  ];
  return all.sort((a, b) => a.row.createdAt - b.row.createdAt);
}
