import type { MessageResponse } from '../../../../../contracts/http/gamers.js';
import type {
  ApproveDepositRequest,
  ApprovedDeposit,
  ChangedPayment,
  LookupPaymentRequest,
  LookupPaymentResponse,
  PendingDeposit,
  RejectDepositRequest,
  RejectedDeposit,
} from '../../../../../contracts/http/payments.js';
import { type ApiKey, get } from '../../../shared/api/api-client.js';
import { dailyTotalsKey } from '../chart/daily-totals.queries.js';
import { useNewest } from '../lists/use-newest.js';
import { useAdminCommand } from '../use-admin-command.js';

/** Specification §9, polling. */
const PENDING_POLLED_EVERY_MS = 10_000;
const SETTLED_POLLED_EVERY_MS = 30_000;
const depositsKey = ['/api', 'admin', 'deposits'] as const;
const changedPaymentsKey = ['/api', 'admin', 'payments', 'changed'] as const;
/** What is credited counts among today's totals; a lookup may find what the gateway says otherwise now. */
const changed = [depositsKey, changedPaymentsKey, dailyTotalsKey];

export const usePendingDeposits = () =>
  useNewest<PendingDeposit>([...depositsKey, 'pending'], { everyMs: PENDING_POLLED_EVERY_MS });

export const useApprovedDeposits = () =>
  useNewest<ApprovedDeposit>([...depositsKey, 'approved'], { everyMs: SETTLED_POLLED_EVERY_MS });

export const useRejectedDeposits = () =>
  useNewest<RejectedDeposit>([...depositsKey, 'rejected'], { everyMs: SETTLED_POLLED_EVERY_MS });

export interface ChangedPaymentRow extends ChangedPayment {
  id: string;
}

const changedPayments = async (key: ApiKey, signal?: AbortSignal): Promise<ChangedPaymentRow[]> =>
  (await get<ChangedPayment[]>(key, signal)).map((payment) => ({ ...payment, id: payment.paymentId }));

export const useChangedPayments = () =>
  useNewest(changedPaymentsKey, { everyMs: SETTLED_POLLED_EVERY_MS, ask: changedPayments });

export const useLookupPayment = () =>
  useAdminCommand<LookupPaymentResponse, LookupPaymentRequest>(
    'POST',
    (body) => ({ path: '/api/admin/lookup-payment', body }),
    changed,
  );

export const useApproveDeposit = () =>
  useAdminCommand<MessageResponse, ApproveDepositRequest>(
    'POST',
    (body) => ({ path: '/api/admin/approve-deposit', body }),
    changed,
  );

export const useRejectDeposit = () =>
  useAdminCommand<MessageResponse, RejectDepositRequest>(
    'POST',
    (body) => ({ path: '/api/admin/reject-deposit', body }),
    changed,
  );
