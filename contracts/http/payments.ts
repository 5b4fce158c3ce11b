import type { CryptoType } from '../crypto.js';
import type { PaymentPurpose } from '../events/ledger-events.js';
import type { Credit } from '../events/payment-events.js';
import type { GamerId, GatewayPaymentId, OrderId, RoundId } from '../ids.js';

/** POST /api/create-invoice */
export type CreateInvoiceRequest = { quantity: number; currency: CryptoType; userId: GamerId };

/** POST /api/create-deposit-invoice: whole dollars; the 5 % fee comes on top. */
export type CreateDepositInvoiceRequest = { amount: number; currency: CryptoType; userId: GamerId };

/** The response to both requests. The page at `payment_url` opens in a new tab. */
export interface InvoiceResponse {
  success: true;
  payment_url: string;
  orderId: string;
  /** The number that support asks for. */
  paymentId: GatewayPaymentId;
  /** The round whose tokens it buys; a payment after that round is credited to the balance. Null for a deposit. */
  roundId: RoundId | null;
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
  purpose: PaymentPurpose;
  status: 'waiting' | 'confirming' | 'settled' | 'review' | 'rejected' | 'expired' | 'failed';
  /** The use of a settled payment; tokens paid after their round go to the balance. Null before that. */
  credited: Credit | null;
  /** The outcome as a sentence; null without one. */
  message: string | null;
}

/** GET /api/gamer/{id}/open-invoices: the invoices that may still be paid, are on their way or expired in the last day, newest first; at most ten. */
export interface OpenInvoice extends InvoiceResponse, Pick<PaymentStatusResponse, 'orderId' | 'purpose' | 'status'> {}

/** GET /api/gamer/{id}/payments-in-review: payments that wait for the admin, or were rejected in the last 14 days; newest first. */
export interface PaymentInReview {
  paymentId: GatewayPaymentId;
  /** The invoice; null when it belongs to none. */
  orderId: OrderId | null;
  /** The amount that an approval would credit. */
  amountCents: number;
  /** The invoice's amount without its fee; null for a payment of none of our invoices. */
  dueCents: number | null;
  cryptoType: CryptoType;
  /** `refunded`: sent back while it waited. */
  state: 'review' | 'refunded' | 'rejected';
  /** The reason, and how long a review takes, as sentences; for a rejected payment with the admin's notes. */
  message: string;
}

/** GET /api/coin-minimums: the smallest payment that the gateway accepts in each coin, in cents. */
export type CoinMinimumsResponse = Record<CryptoType, number>;

/** Body: the gateway's callback, signed in a header that the gateway names. POST /api/payments/ipn */
export type IpnResponse = { received: true };
