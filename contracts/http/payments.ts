import type { CryptoType } from '../crypto.js';
import type { DepositId, GamerId } from '../ids.js';

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

/** The answer of both. The page at `payment_url` opens in a new tab. */
export interface InvoiceResponse {
  success: true;
  payment_url: string;
  orderId: string;
  /** What to pay in all, in cents. */
  totalCents: number;
  /** Where to pay it, for the QR code: the amount is decimal text in coins. */
  payAddress: string;
  payAmount: string;
  cryptoType: CryptoType;
}

/** GET /api/payments/{orderId}: how an invoice is doing; its gamer's and the admin's. */
export interface PaymentStatusResponse {
  orderId: string;
  purpose: 'deposit' | 'tokens';
  status: 'waiting' | 'confirming' | 'settled' | 'review' | 'expired';
  /** What became of it, in words, once it is known. */
  message: string | null;
}

/** Body: the gateway's callback, signed in the header `x-nowpayments-sig`. POST /api/payments/ipn */
export interface IpnResponse {
  received: true;
}

/** GET /api/admin/deposits/pending */
export interface PendingDeposit {
  id: DepositId;
  paymentId: string;
  gamerTag: string | null;
  amountCents: number;
  cryptoType: CryptoType;
  /** Epoch milliseconds. */
  createdAt: number;
  purpose: 'deposit' | 'tokens';
  /** Why it waits, in words. */
  reason: string;
  /** What the gateway says of it now, if that is not what it said when it was recorded: a refund, more money. */
  change: string | null;
}

/** GET /api/admin/deposits/approved */
export interface ApprovedDeposit {
  id: DepositId;
  paymentId: string;
  gamerTag: string | null;
  amountCents: number;
  cryptoType: CryptoType;
  createdAt: number;
  approvedAt: number;
  /** What the gateway says of it now, if that is not what it said when it was credited. */
  change: string | null;
}

/** GET /api/admin/deposits/rejected */
export interface RejectedDeposit extends PendingDeposit {
  rejectedAt: number;
}

/** GET /api/admin/payments/changed: of deposits and token invoices alike, latest change first. */
export interface ChangedPayment {
  paymentId: string;
  gamerTag: string | null;
  purpose: 'deposit' | 'tokens';
  /** What became of it before. */
  outcome: 'review' | 'rejected' | 'deposit' | 'tokens' | 'balance';
  /** What was credited; null when nothing was. */
  creditedCents: number | null;
  cryptoType: CryptoType | null;
  /** What the gateway says now, and what it said before, in words. */
  change: string;
  /** Epoch milliseconds. */
  changedAt: number;
}

/** POST /api/admin/lookup-payment */
export interface LookupPaymentRequest {
  paymentId: string;
  gamerTag?: string;
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
