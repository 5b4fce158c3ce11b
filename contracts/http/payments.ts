import type { CryptoType } from '../crypto.js';
import type { DepositId, GamerId, GatewayPaymentId } from '../ids.js';

/** POST /api/create-invoice */
export interface CreateInvoiceRequest {
  quantity: number;
  currency: CryptoType;
  userId: GamerId;
}

/** POST /api/create-deposit-invoice: whole dollars; the 5 % fee comes on top. */
export interface CreateDepositInvoiceRequest {
  amount: number;
  currency: CryptoType;
  userId: GamerId;
}

/** The response to both requests. The page at `payment_url` opens in a new tab. */
export interface InvoiceResponse {
  success: true;
  payment_url: string;
  orderId: string;
  /** Amount and fee. */
  totalCents: number;
  /** Address and amount for the QR code; the amount is decimal text in coins. */
  payAddress: string;
  payAmount: string;
  cryptoType: CryptoType;
}

/** GET /api/payments/{orderId}: the state of an invoice, for its gamer and the admin. */
export interface PaymentStatusResponse {
  orderId: string;
  purpose: 'deposit' | 'tokens';
  status: 'waiting' | 'confirming' | 'settled' | 'review' | 'rejected' | 'expired';
  /** The use of a settled payment; tokens paid after their round go to the balance. Null before that. */
  credited: 'deposit' | 'tokens' | 'balance' | null;
  /** The outcome as a sentence; null without one. */
  message: string | null;
}

/** GET /api/gamer/{id}/payments-in-review: payments that arrived and wait for the admin, newest first. */
export interface PaymentInReview {
  paymentId: GatewayPaymentId;
  /** The amount that an approval would credit. */
  amountCents: number;
  cryptoType: CryptoType;
  /** The reason, and how long a review takes, as sentences. */
  message: string;
}

/** GET /api/coin-minimums: the smallest payment that the gateway accepts in each coin, in cents. */
export type CoinMinimumsResponse = Record<CryptoType, number>;

/** Body: the gateway's callback, signed in a header that the gateway names. POST /api/payments/ipn */
export interface IpnResponse {
  received: true;
}

interface ListedDeposit {
  id: DepositId;
  paymentId: string;
  gamerTag: string | null;
  amountCents: number;
  cryptoType: CryptoType;
  /** Epoch milliseconds. */
  createdAt: number;
  /** The payment's change at the gateway since it was recorded or credited, such as a refund; null without one. */
  change: string | null;
}

/** GET /api/admin/deposits/pending */
export interface PendingDeposit extends ListedDeposit {
  purpose: 'deposit' | 'tokens';
  /** The amount of its invoice without the fee, as `amountCents` is; null for a payment of none of our invoices. */
  dueCents: number | null;
  /** The reason for the review, as a sentence. */
  reason: string;
}

/** GET /api/admin/deposits/approved */
export interface ApprovedDeposit extends ListedDeposit {
  approvedAt: number;
}

/** GET /api/admin/deposits/rejected */
export interface RejectedDeposit extends PendingDeposit {
  rejectedAt: number;
}

/** GET /api/admin/payments/changed: deposits and token invoices, latest change first. */
export interface ChangedPayment {
  paymentId: string;
  gamerTag: string | null;
  purpose: 'deposit' | 'tokens';
  /** The outcome before the change. */
  outcome: 'review' | 'rejected' | 'deposit' | 'tokens' | 'balance';
  /** The credited amount; null without a credit. */
  creditedCents: number | null;
  cryptoType: CryptoType | null;
  /** Status and amount at the gateway, now and before, as a sentence. */
  change: string;
  /** Epoch milliseconds. */
  changedAt: number;
}

/** POST /api/admin/lookup-payment */
export interface LookupPaymentRequest {
  paymentId: string;
  gamerTag?: string;
  /** Takes the payment from its recorded gamer, and gives it to another (decision 48). */
  reason?: string;
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
  paymentDetails: PaymentDetails;
  message: string;
}

/** POST /api/admin/approve-deposit */
export interface ApproveDepositRequest {
  depositId: DepositId;
}

/** POST /api/admin/reject-deposit */
export interface RejectDepositRequest {
  depositId: DepositId;
  adminNotes?: string;
}
