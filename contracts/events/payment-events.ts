import type { CryptoType } from '../crypto.js';
import { type DataByType, int, nullable, text, textOf } from './fields.js';
import type { PaymentPurpose, ReviewReason } from './ledger-events.js';
import type { EventOf } from './metadata.js';

/** A payment's status, the same for every gateway. None is certainly final: an expired address may still receive coins. */
export type PaymentStatus = 'waiting' | 'arriving' | 'paid' | 'short' | 'over' | 'failed' | 'expired' | 'refunded';

/** The use of a credited payment: an approved deposit, tokens, or, paid too late for tokens, a credit to the balance. */
export type Credit = 'approved' | 'tokens' | 'balance';

/** The events of a stream `payment-{order}`: one invoice at the gateway, from its creation to the cents it became. */
export const PAYMENT_EVENT_FIELDS = {
  /** Invoice and payment exist at the gateway. `quantity` and `roundId` are null for a deposit. */
  PaymentOpened: {
    orderId: text,
    purpose: textOf<PaymentPurpose>(),
    gamerId: text,
    /** The credit for a full payment: the deposit without its fee, or the tokens' price. */
    amountCents: int,
    feeCents: int,
    cryptoType: textOf<CryptoType>(),
    quantity: nullable(int),
    roundId: nullable(int),
    invoiceId: text,
    paymentId: text,
    paymentUrl: text,
    /** Where to pay, and how much: decimal text in coins. */
    payAddress: text,
    payAmount: text,
  },

  /** A correctly signed callback, as received. It is only a hint to fetch the payment. */
  CallbackReceived: { orderId: text, body: text },

  /** A payment as the gateway reported it, written when something has changed. Amounts are decimal text in coins. */
  PaymentReported: {
    orderId: text,
    paymentId: text,
    parentPaymentId: nullable(text),
    status: textOf<PaymentStatus>(),
    gatewayStatus: text,
    payCurrency: text,
    payAmount: text,
    actuallyPaid: text,
    /** Value of the received coins once the gateway finished; null before, and when nothing arrived. */
    valueCents: nullable(int),
    reportedBy: textOf<'callback' | 'poller' | 'admin'>(),
  },

  /** The ledger credited the payment. */
  PaymentSettled: {
    orderId: text,
    paymentId: text,
    outcome: textOf<Credit>(),
    depositId: nullable(text),
    purchaseId: nullable(text),
  },

  /** The ledger recorded the payment as a deposit that waits for the admin. */
  PaymentParked: { orderId: text, paymentId: text, depositId: text, reason: textOf<ReviewReason>() },
  /** Nothing arrived in time, or the gateway gave up. Polling goes on for a while: late money is parked for review. */
  PaymentExpired: { orderId: text, status: text },
};

export type PaymentEvents = DataByType<typeof PAYMENT_EVENT_FIELDS>;

export type GatewayReport = PaymentEvents['PaymentReported'];

export type PaymentEvent = EventOf<PaymentEvents>;
