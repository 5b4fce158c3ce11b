import type { CryptoType } from '../crypto.js';
import type { PaymentPurpose } from '../events/ledger-events.js';
import type { Credit } from '../events/payment-events.js';
import type { DepositId, GamerId } from '../ids.js';

interface ListedDeposit {
  id: DepositId;
  paymentId: string;
  gamerId: GamerId | null;
  gamerTag: string | null;
  amountCents: number;
  cryptoType: CryptoType;
  createdAt: number;
  /** The payment's change at the gateway since it was recorded or credited, such as a refund; null without one. */
  change: string | null;
}

/** GET /api/admin/deposits/pending */
export interface PendingDeposit extends ListedDeposit {
  purpose: PaymentPurpose;
  /** The amount of its invoice without the fee, as `amountCents` is; null for a payment of none of our invoices. */
  dueCents: number | null;
  /** The reason for the review, as a sentence. */
  reason: string;
}

/** GET /api/admin/deposits/approved */
export interface ApprovedDeposit extends ListedDeposit {
  /** The GamerTag of the person who approved it; null for a payment that needed no review. */
  settledBy: string | null;
  approvedAt: number;
}

/** GET /api/admin/deposits/rejected */
export interface RejectedDeposit extends PendingDeposit {
  settledBy: string | null;
  rejectedAtMs: number;
}

/** GET /api/admin/payments/changed: deposits and token invoices, latest change first. */
export interface ChangedPayment extends Pick<PendingDeposit, 'paymentId' | 'gamerId' | 'gamerTag' | 'purpose'> {
  outcome: 'pending' | 'rejected' | Credit;
  creditedCents: number | null;
  cryptoType: CryptoType | null;
  /** Status and amount at the gateway, now and before, as a sentence. */
  change: string;
  changedAtMs: number;
}

/** POST /api/admin/lookup-payment */
export interface LookupPaymentRequest {
  paymentId: string;
  gamerTag?: string;
  /** Takes the payment from its recorded gamer, and gives it to another (decision 48). */
  reason?: string;
  /** The `change` of the last response; absent for none. With another one the parked payment waits. */
  change?: string | null;
}

export interface PaymentDetails {
  /** Dollars, as decimal text. */
  amount: string;
  cryptoType: CryptoType;
  status: string;
}

/** `success` means credited now. */
export interface LookupPaymentResponse {
  success: boolean;
  requiresGamerTag: boolean;
  /** The recorded gamer, when another one was named without a reason: nothing was credited. Else null. */
  recordedGamerTag: string | null;
  /** The parked payment's change at the gateway since the verdict; null without one. */
  change: string | null;
  paymentDetails: PaymentDetails;
  message: string;
}
