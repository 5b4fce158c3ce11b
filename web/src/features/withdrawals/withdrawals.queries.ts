import type { Withdrawal, WithdrawalList } from '../../../../contracts/http/withdrawals.js';
import { POLLED_EVERY_MS, useNewestRows } from '../../shared/lists/list-queries.js';

export const withdrawalsKey = ['/api', 'admin', 'withdrawals'] as const;

export const useWithdrawals = (listed: WithdrawalList) =>
  useNewestRows<Withdrawal>(withdrawalsKey, {
    everyMs: POLLED_EVERY_MS,
    filter: { listed },
    queue: listed === 'pending',
    power: 'money',
  });
