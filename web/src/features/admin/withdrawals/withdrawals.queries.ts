import type { MessageResponse } from '../../../../../contracts/http/gamers.js';
import type { UpdateWithdrawalRequest, Withdrawal, WithdrawalList } from '../../../../../contracts/http/withdrawals.js';
import type { WithdrawalId } from '../../../../../contracts/ids.js';
import { useNewest } from '../lists/use-newest.js';
import { useAdminCommand } from '../use-admin-command.js';

/** Specification §9, polling. */
const POLLED_EVERY_MS = 30_000;
const listKey = ['/api', 'admin', 'withdrawals'] as const;

export const useWithdrawals = (listed: WithdrawalList) =>
  useNewest<Withdrawal>(listKey, { everyMs: POLLED_EVERY_MS, filter: { listed } });

export const useUpdateWithdrawal = () =>
  useAdminCommand<MessageResponse, { id: WithdrawalId; update: UpdateWithdrawalRequest }>(
    'PUT',
    ({ id, update }) => ({ path: `/api/admin/withdrawals/${id}`, body: update }),
    [listKey],
  );
