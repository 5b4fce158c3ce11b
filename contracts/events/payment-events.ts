import type { CryptoType } from '../crypto.js';
import type { DepositId, GamerId, GatewayPaymentId, OrderId, PurchaseId, RoundId } from '../ids.js';
import type { Cents } from '../money.js';
import type { ReviewReason } from './ledger-events.js';

/** The events of a stream `payment-{order}`: one invoice at the gateway, from its creation to the cents it became. */

/** Invoice and payment exist at the gateway. `quantity` and `roundId` are a token invoice's. */
export interface PaymentOpened {
  type: 'PaymentOpened';
  data: {
    orderId: OrderId;
    purpose: 'deposit' | 'tokens';
    gamerId: GamerId;
    /** What is credited when it is paid in full: the deposit without its fee, or the tokens' price. */
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
}

/** A callback whose signature was right, as received. A hint only. */
export interface CallbackReceived {
  type: 'CallbackReceived';
  data: { orderId: OrderId; body: string };
}

/** What the gateway said when asked. Written when it says something new. Amounts are decimal text in coins. */
export interface PaymentSeen {
  type: 'PaymentSeen';
  data: {
    orderId: OrderId;
    paymentId: GatewayPaymentId;
    parentPaymentId: GatewayPaymentId | null;
    status: string;
    payCurrency: string;
    payAmount: string;
    actuallyPaid: string;
    /** What arrived is worth, once the gateway is done with it; null before, and when nothing arrived. */
    valueCents: Cents | null;
    seenBy: 'callback' | 'poller' | 'admin';
  };
}

/** The ledger has it: as a credited deposit, as tokens, or as a credit to the balance. */
export interface PaymentSettled {
  type: 'PaymentSettled';
  data: {
    orderId: OrderId;
    paymentId: GatewayPaymentId;
    outcome: 'deposit' | 'tokens' | 'balance';
    depositId: DepositId | null;
    purchaseId: PurchaseId | null;
  };
}

/** The ledger has it as a deposit waiting for the admin. */
export interface PaymentParked {
  type: 'PaymentParked';
  data: { orderId: OrderId; paymentId: GatewayPaymentId; depositId: DepositId; reason: ReviewReason };
}

/** Nothing arrived in its time, or the gateway gave it up. It is still polled for a while: late money is parked. */
export interface PaymentExpired {
  type: 'PaymentExpired';
  data: { orderId: OrderId; status: string };
}

export type PaymentEvent =
  | PaymentOpened
  | CallbackReceived
  | PaymentSeen
  | PaymentSettled
  | PaymentParked
  | PaymentExpired;
