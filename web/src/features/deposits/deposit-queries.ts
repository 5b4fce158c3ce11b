import type { PendingDeposit } from '../../../../contracts/http/deposits.js';
import { useNewestRows, usePower } from '../../shared/lists/list-queries.js';

export const depositsKey = ['/api', 'admin', 'deposits'] as const;
export const changedPaymentsKey = ['/api', 'admin', 'payments', 'changed'] as const;
/** A lookup may find that the gateway changed a payment. */
export const depositChanges = [depositsKey, changedPaymentsKey];

/** Fetched whole: the queue shows the longest waits first, which are the oldest rows. */
export const usePendingDeposits = () =>
  useNewestRows<PendingDeposit>([...depositsKey, 'pending'], {
    everyMs: 10_000,
    whole: true,
    enabled: usePower('money'),
  });
