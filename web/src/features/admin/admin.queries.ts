import { useQueryClient } from '@tanstack/react-query';
import type { AdminGamerRow, MoneyMoved, SecondPersonResponse } from '../../../../contracts/http/admin.js';
import type { PendingDeposit } from '../../../../contracts/http/payments.js';
import type { AdminTicket, TicketStatus } from '../../../../contracts/http/support.js';
import type { Withdrawal, WithdrawalList } from '../../../../contracts/http/withdrawals.js';
import type { Power } from '../../../../contracts/ids.js';
import { type ApiKey, reasonOf } from '../../shared/api/api-client.js';
import { useApi } from '../../shared/api/use-api.js';
import { type Command, useCommand } from '../../shared/api/use-command.js';
import { useSession } from '../../shared/session.queries.js';
import { type ToastContent, toast, toastProblem } from '../../shared/ui/toasts.js';
import { POLLED_EVERY_MS, useNewestRows } from './lists/list-queries.js';

// The keys of queries that commands of several panels reload

export const changedPaymentsKey = ['/api', 'admin', 'payments', 'changed'] as const;
export const dailyTotalsKey = ['/api', 'admin', 'daily-totals'] as const;
export const depositsKey = ['/api', 'admin', 'deposits'] as const;
export const gamersKey = ['/api', 'admin', 'mini', 'gamers'] as const;
/** Also the start of the key of the gamers' feed: hiding a post reloads both. */
export const postsKey = ['/api', 'community', 'posts'] as const;
/** Also the start of the key of the profit withdrawals, which change the profit available. */
export const profitsKey = ['/api', 'admin', 'profits'] as const;
/** Money that waits for a second person. */
export const secondPersonKey = ['/api', 'admin', 'second-person'] as const;
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

/** The requests that wait for a second person, and the limits. */
export const useSecondPerson = () =>
  useApi<SecondPersonResponse>(secondPersonKey, { refetchInterval: POLLED_EVERY_MS, enabled: usePower('money') });

/**
 * A command whose input is the request's body. It stays busy until the queries in `changes` are reloaded. They are
 * reloaded after a refusal too, because a refusal usually means that the list was out of date.
 *
 * @param path below /api/admin
 * @param failed the toast's title of a failure, and what failed: it completes "Failed to …" when the server gave no reason,
 * and "You want to …" when the command needs a step-up
 */
export function useAdminCommand<Input, Answer = unknown>(
  method: Command['method'],
  path: string,
  failed: string | { title: string; what: string },
  ...changes: readonly ApiKey[]
) {
  const client = useQueryClient();
  const { title, what } = typeof failed === 'string' ? { title: 'Update Failed', what: failed } : failed;
  const { mutateAsync: send, isPending: isBusy } = useCommand<Answer, Input>(method, `/api/admin/${path}`, {
    what,
    onSettled: () => Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  /** Sends the command and shows its outcome as a toast. Returns null on success, otherwise the reason of the failure. */
  const run = async (input: Input, done: ToastContent | ((answer: Answer) => ToastContent)): Promise<string | null> => {
    try {
      const answer = await send(input);
      toast(typeof done === 'function' ? done(answer) : done);
      return null;
    } catch (error) {
      return toastProblem(title, reasonOf(error, `Failed to ${what}`));
    }
  };
  return { run, send, isBusy };
}

/** A command to `/api/admin/mini/gamers/{id}/{action}`. `what` completes "Failed to …". */
export const useGamerCommand = <Input, Answer = unknown>(
  method: 'POST' | 'PATCH',
  { id }: AdminGamerRow,
  action: string,
  what: string,
) => useAdminCommand<Input, Answer>(method, `mini/gamers/${id}/${action}`, what, gamersKey, secondPersonKey);

/** The toast of an act that may need a second person (decision 50). */
export const toastOf = ({ isDone = true, message }: Partial<MoneyMoved>, done: ToastContent): ToastContent =>
  isDone ? done : { title: 'Second Person Needed', text: message ?? '' };
