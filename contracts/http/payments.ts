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
}

export interface ApprovedDeposit {
  id: DepositId;
  paymentId: string;
  gamerTag: string | null;
  amountCents: number;
  cryptoType: CryptoType;
  createdAt: number;
  approvedAt: number;
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
