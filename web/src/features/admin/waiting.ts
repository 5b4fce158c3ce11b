import type { WaitingRequest } from '../../../../contracts/http/admin.js';
import type { PendingDeposit } from '../../../../contracts/http/payments.js';
import type { AdminTicket } from '../../../../contracts/http/support.js';
import type { Withdrawal } from '../../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { canConfirm, requestedAt } from './second-person-rules.js';

/** One row of a list that waits for the viewer. */
export type Waiting = { id: string; sinceMs: number } & (
  | { kind: 'withdrawal'; row: Withdrawal; requestedBy: string | null }
  | { kind: 'deposit'; row: PendingDeposit }
  | { kind: 'ticket'; row: AdminTicket }
  | { kind: 'adjustment'; row: WaitingRequest }
);

interface Lists {
  withdrawals: readonly Withdrawal[];
  deposits: readonly PendingDeposit[];
  tickets: readonly AdminTicket[];
  requests: readonly WaitingRequest[];
}

/** The rows of the lists in one queue, the longest wait first. Requests that only another person can confirm are left out. */
export function firstWaiting(
  { withdrawals, deposits, tickets, requests }: Lists,
  viewer: GamerId | undefined,
): Waiting[] {
  const all: Waiting[] = [
    ...withdrawals.flatMap((row) => {
      const request = requests.find(({ withdrawalId }) => withdrawalId === row.id);
      if (request !== undefined && !canConfirm(request, viewer)) return [];
      return { kind: 'withdrawal' as const, row, ...sinceOf(row), requestedBy: request?.requestedBy ?? null };
    }),
    ...deposits.map((row) => ({ kind: 'deposit' as const, row, ...sinceOf(row) })),
    ...tickets.map((row) => ({ kind: 'ticket' as const, row, ...sinceOf(row) })),
    ...requests
      .filter((row) => row.kind === 'adjustment' && canConfirm(row, viewer))
      .map((row) => ({
        kind: 'adjustment' as const,
        row,
        id: `${row.gamerId} ${row.until}`,
        sinceMs: requestedAt(row),
      })),
  ];
  return all.sort((a, b) => a.sinceMs - b.sinceMs);
}

const sinceOf = ({ id, createdAt }: { id: string; createdAt: number }) => ({ id, sinceMs: createdAt });
