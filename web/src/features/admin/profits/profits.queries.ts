import { queryOptions, useQuery } from '@tanstack/react-query';
import type { MessageResponse } from '../../../../../contracts/http/gamers.js';
import type {
  AdminProfits,
  ProfitWithdrawal,
  UpdateWithdrawalRequest,
  WithdrawRequest,
} from '../../../../../contracts/http/withdrawals.js';
import type { WithdrawalId } from '../../../../../contracts/ids.js';
import { get } from '../../../shared/api/api-client.js';
import { useNewest } from '../lists/use-newest.js';
import { useAdminCommand } from '../use-admin-command.js';

/** Specification §9, polling: both. */
const POLLED_EVERY_MS = 30_000;
/** What is withdrawn changes what is available: both are asked for again. */
const profitsKey = ['/api', 'admin', 'profits'] as const;
const listKey = ['/api', 'admin', 'profits', 'withdrawals'] as const;

export const profitsQuery = queryOptions({
  queryKey: profitsKey,
  queryFn: ({ queryKey, signal }) => get<AdminProfits>(queryKey, signal),
  refetchInterval: POLLED_EVERY_MS,
});

export const useProfits = () => useQuery(profitsQuery);

export const useProfitWithdrawals = () => useNewest<ProfitWithdrawal>(listKey, { everyMs: POLLED_EVERY_MS });

export const useWithdrawProfit = () =>
  useAdminCommand<MessageResponse, WithdrawRequest>('POST', (body) => ({ path: '/api/admin/profits/withdraw', body }), [
    profitsKey,
  ]);

export const useUpdateProfitWithdrawal = () =>
  useAdminCommand<MessageResponse, { id: WithdrawalId; update: UpdateWithdrawalRequest }>(
    'PUT',
    ({ id, update }) => ({ path: `/api/admin/profits/withdrawals/${id}`, body: update }),
    [profitsKey],
  );
