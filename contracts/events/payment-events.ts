import type { CryptoType } from '../crypto.js';
import type { DepositId, GamerId, GatewayPaymentId, OrderId, PurchaseId, RoundId } from '../ids.js';
import type { Cents } from '../money.js';
import type { ReviewReason } from './ledger-events.js';
import type { EventOf } from './metadata.js';

/**
 * A payment's status in the gateway port, the same for every gateway. No status is certainly final: a short
 * payment may be completed by hand, and an expired address may still receive coins.
 */
export type PaymentStatus = 'waiting' | 'arriving' | 'paid' | 'short' | 'over' | 'failed' | 'expired' | 'refunded';

/** The use of a credited payment: an approved deposit, tokens, or, paid too late for tokens, a credit to the balance. */
export type Credit = 'approved' | 'tokens' | 'balance';

/** The events of a stream `payment-{order}`: one invoice at the gateway, from its creation to the cents it became. */
export interface PaymentEvents {
  /** Invoice and payment exist at the gateway. `quantity` and `roundId` are null for a deposit. */
  PaymentOpened: {
    orderId: OrderId;
    purpose: 'deposit' | 'tokens';
    gamerId: GamerId;
    /** The credit for a full payment: the deposit without its fee, or the tokens' price. */
    amountCents: Cents;
    feeCents: Cents;
    cryptoType: CryptoType;
    quantity: number | null;
    /** The round that was live when the invoice was made. */
    roundId: RoundId | null;
    invoiceId: string;
    paymentId: GatewayPaymentId;
    paymentUrl: string;
    /** Where to pay, and how much: decimal text in coins. */
    payAddress: string;
    payAmount: string;
  };

  /** A correctly signed callback, as received. It is only a hint to fetch the payment. */
  CallbackReceived: { orderId: OrderId; body: string };

  /** A payment as the gateway reported it, written when something has changed. Amounts are decimal text in coins. */
  PaymentReported: {
    orderId: OrderId;
    paymentId: GatewayPaymentId;
    parentPaymentId: GatewayPaymentId | null;
    status: PaymentStatus;
    /** The gateway's own status. */
    gatewayStatus: string;
    payCurrency: string;
    payAmount: string;
    actuallyPaid: string;
    /** Value of the received coins once the gateway finished; null before, and when nothing arrived. */
    valueCents: Cents | null;
    reportedBy: 'callback' | 'poller' | 'admin';
  };

  /** The ledger credited the payment. */
  PaymentSettled: {
    orderId: OrderId;
    paymentId: GatewayPaymentId;
    outcome: Credit;
    depositId: DepositId | null;
    purchaseId: PurchaseId | null;
  };

  /** The ledger recorded the payment as a deposit that waits for the admin. */
  PaymentParked: { orderId: OrderId; paymentId: GatewayPaymentId; depositId: DepositId; reason: ReviewReason };
  /** Nothing arrived in time, or the gateway gave up. Polling goes on for a while: late money is parked for review. */
  PaymentExpired: { orderId: OrderId; status: string };
}

export type GatewayReport = PaymentEvents['PaymentReported'];

export type PaymentEvent = EventOf<PaymentEvents>;
