import type { PendingDeposit } from '../../../../contracts/http/deposits.js';
import type { AdminGamerRow } from '../../../../contracts/http/gamers.js';
import type { AdminTicket, TicketStatus } from '../../../../contracts/http/support.js';
import type { Withdrawal, WithdrawalList } from '../../../../contracts/http/withdrawals.js';
import type { Power } from '../../../../contracts/ids.js';
import { useSession } from '../session.queries.js';
import { useNewestRows } from './list-queries.js';

// The keys of queries that commands of several panels reload

export const changedPaymentsKey = ['/api', 'admin', 'payments', 'changed'] as const;
export const dailyTotalsKey = ['/api', 'admin', 'daily-totals'] as const;
export const depositsKey = ['/api', 'admin', 'deposits'] as const;
export const gamersKey = ['/api', 'admin', 'mini', 'gamers'] as const;
/** Also the start of the key of the gamers' feed: hiding a post reloads both. */
export const postsKey = ['/api', 'community', 'posts'] as const;
/** Also the start of the key of the profit withdrawals, which change the profit available. */
export const profitsKey = ['/api', 'admin', 'profits'] as const;
export const ticketsKey = ['/api', 'admin', 'support', 'tickets'] as const;
export const withdrawalsKey = ['/api', 'admin', 'withdrawals'] as const;

/** A credited deposit counts in today's totals. A lookup may find that the gateway changed a payment. */
export const depositChanges = [depositsKey, changedPaymentsKey, dailyTotalsKey];

/** Whether the session's gamer is the admin, or an operator with one of the powers. The server decides anew. */
export function usePower(...powers: readonly Power[]): boolean {
  const session = useSession();
  if (session?.role !== 'operator') return session?.role === 'admin';
  return powers.some((power) => session.powers.includes(power));
}

// The lists that the navigation counts. They are fetched whole: the queue shows the longest waits first, which are the oldest rows.

export const usePendingDeposits = () =>
  useNewestRows<PendingDeposit>([...depositsKey, 'pending'], {
    everyMs: 10_000,
    whole: true,
    enabled: usePower('money'),
  });

/** Reloaded when the socket reports a new or changed ticket, and not polled. */
export const useTickets = (status: TicketStatus) =>
  useNewestRows<AdminTicket>(ticketsKey, {
    everyMs: false,
    filter: { status },
    whole: status === 'open',
    enabled: usePower('support'),
  });

export const useWithdrawals = (listed: WithdrawalList) =>
  useNewestRows<Withdrawal>(withdrawalsKey, {
    filter: { listed },
    whole: listed === 'pending',
    enabled: usePower('money'),
  });

/** The path of a command about a gamer. */
export const gamerPath = ({ id }: AdminGamerRow, action: string): string => `/api/admin/mini/gamers/${id}/${action}`;
