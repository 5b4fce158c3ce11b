import type { CryptoType } from '../../../contracts/crypto.js';
import type { ReviewReason } from '../../../contracts/events/ledger-events.js';
import type { DepositId, GamerId, GatewayPaymentId, PurchaseId } from '../../../contracts/ids.js';

/** What the ledger made of a gateway payment. */
export interface LedgerPayment {
  paymentId: GatewayPaymentId;
  outcome: 'pending' | 'approved' | 'rejected' | 'tokens' | 'balance';
  gamerId: GamerId | null;
  depositId: DepositId | null;
  purchaseId: PurchaseId | null;
  /** Of one that was recorded for review, also after that. */
  reason: ReviewReason | null;
  amountCents: number;
  /** Null of tokens that were bought: their purchase does not say. */
  cryptoType: CryptoType | null;
}

/** Where to ask about payments that the ledger had before. */
export interface LedgerPayments {
  /** Null when the ledger has none. As new as the ledger itself; throws Unavailable when that cannot be had now. */
  find(paymentId: GatewayPaymentId): Promise<LedgerPayment | null>;
}

export const LEDGER_PAYMENTS = Symbol('LedgerPayments');
export const PAYMENT_GATEWAY = Symbol('PaymentGateway');
