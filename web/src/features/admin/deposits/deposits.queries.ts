import type { MessageResponse } from '../../../../../contracts/http/gamers.js';
import type {
  ApproveDepositRequest,
  ApprovedDeposit,
  LookupPaymentRequest,
  LookupPaymentResponse,
  PendingDeposit,
  RejectDepositRequest,
} from '../../../../../contracts/http/payments.js';
import { useNewest } from '../lists/use-newest.js';
import { useAdminCommand } from '../use-admin-command.js';

/** Specification §9, polling. */
const PENDING_POLLED_EVERY_MS = 10_000;
const APPROVED_POLLED_EVERY_MS = 30_000;
const depositsKey = ['/api', 'admin', 'deposits'] as const;

export const usePendingDeposits = () => useNewest<PendingDeposit>([...depositsKey, 'pending'], PENDING_POLLED_EVERY_MS);

export const useApprovedDeposits = () =>
  useNewest<ApprovedDeposit>([...depositsKey, 'approved'], APPROVED_POLLED_EVERY_MS);

export const useLookupPayment = () =>
  useAdminCommand<LookupPaymentResponse, LookupPaymentRequest>(
    'POST',
    (body) => ({ path: '/api/admin/lookup-payment', body }),
    [depositsKey],
  );

export const useApproveDeposit = () =>
  useAdminCommand<MessageResponse, ApproveDepositRequest>(
    'POST',
    (body) => ({ path: '/api/admin/approve-deposit', body }),
    [depositsKey],
  );

export const useRejectDeposit = () =>
  useAdminCommand<MessageResponse, RejectDepositRequest>(
    'POST',
    (body) => ({ path: '/api/admin/reject-deposit', body }),
    [depositsKey],
  );
