import type { CryptoType } from '../../../../contracts/crypto.js';
import type { DecimalText } from '../../../../contracts/decimal.js';

/**
 * What we ask of whoever takes coins for us. Ids are text, coin amounts decimal text, fiat amounts integer US cents.
 * Every call ends within 4.5 seconds, with an answer, `GatewayRefused` or `GatewayUnavailable`.
 */
export interface PaymentGateway {
  /** Makes an invoice with a checkout page. It has no payment yet: that comes from `createPayment`. */
  createInvoice(order: InvoiceOrder): Promise<GatewayInvoice>;

  /**
   * Opens an invoice's payment in one coin: an address and the amount that is due there. Called twice it makes two.
   * After a `GatewayUnavailable` whose `mayHaveHappened`, look with `listPaymentsOfInvoice` before asking again.
   */
  createPayment(invoiceId: string, cryptoType: CryptoType): Promise<GatewayPayment>;

  /** Null when the gateway knows no payment of ours by this id, which a person may have typed. */
  getPayment(paymentId: string): Promise<GatewayPayment | null>;

  /** All payments of an invoice, oldest first: also those a person began on the checkout page, repeated and wrong ones. */
  listPaymentsOfInvoice(invoiceId: string): Promise<GatewayPayment[]>;

  /** The least the gateway takes in this coin just now. It moves with network fees; kept for a minute. */
  minimumAmount(cryptoType: CryptoType): Promise<MinimumAmount>;

  /** What an amount of a coin, by the gateway's code (`btc`), is worth now: US cents, rounded down. */
  estimateCents(amount: DecimalText, currency: string): Promise<number>;

  /**
   * Reads a callback, or null when it is not signed with our secret. Take the bytes as they arrived.
   * A callback is a hint that can be late, repeated or out of order: fetch the payment and act on that.
   */
  verifyCallback(rawBody: Uint8Array, signature: string | undefined): VerifiedCallback | null;
}

export interface InvoiceOrder {
  /** Ours; it comes back on every payment of the invoice. */
  orderId: string;
  amountCents: number;
  /** The coin the gamer chose; the checkout page offers no other. */
  cryptoType: CryptoType;
  description: string;
  callbackUrl: string;
  successUrl: string;
  cancelUrl: string;
}

export interface GatewayInvoice {
  invoiceId: string;
  /** The page on which the gamer pays. */
  checkoutUrl: string;
}

/**
 * The gateway's words. In good order: waiting, confirming, confirmed, sending, then finished or partially_paid; or
 * expired after waiting. None is final for certain: partially_paid may be finished by hand, an expired address may
 * still receive. `pending` stands for any word we do not know.
 */
export const PAYMENT_STATUSES = [
  'waiting',
  'confirming',
  'confirmed',
  'sending',
  'finished',
  'partially_paid',
  'failed',
  'refunded',
  'expired',
  'cancelled',
  'pending',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** One address in one coin, and what came in there. */
export interface GatewayPayment {
  paymentId: string;
  status: PaymentStatus;
  /** The status in the gateway's own word. */
  statusWord: string;
  invoiceId: string | null;
  /** Ours, from the invoice. Null on some repeated payments: then the parent or the invoice tells whose it is. */
  orderId: string | null;
  /** The payment whose address was used again, by a second transfer or with a wrong coin. */
  parentPaymentId: string | null;
  /** Payments that came in at this payment's address later. */
  childPaymentIds: string[];
  priceAmount: DecimalText | null;
  /** Lower case: `usd`. */
  priceCurrency: string | null;
  /** Due. On a payment with a parent this is just what arrived, so it never looks underpaid. */
  payAmount: DecimalText | null;
  /** Arrived; '0' when nothing did, or when nothing is said. */
  actuallyPaid: DecimalText;
  /** The gateway's code of the coin, lower case: `btc`. */
  payCurrency: string;
  /** The same as one of our coins; null when it is none. */
  cryptoType: CryptoType | null;
  payAddress: string | null;
  /** Until when the amount due holds; null where the gateway does not say, as when a payment is read again. */
  validUntilEpochMs: number | null;
  createdAtEpochMs: number | null;
  updatedAtEpochMs: number | null;
}

export interface MinimumAmount {
  coinAmount: DecimalText;
  /** Rounded up. */
  cents: number;
}

export interface VerifiedCallback {
  /** Everything as it was sent, to be kept. */
  body: Record<string, unknown>;
  /** What it says of a payment, to be checked by `getPayment`; null when it is about something else, such as a payout. */
  payment: GatewayPayment | null;
}

/** The gateway understood and said no: its 4xx, with its own code and words. Asking again will not help. */
export class GatewayRefused extends Error {
  override readonly name = 'GatewayRefused';

  constructor(
    readonly httpStatus: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export type UnavailableReason = 'timeout' | 'unreachable' | 'rate-limited' | 'server-error' | 'unreadable';

/** No usable answer. It may be there again in a moment. */
export class GatewayUnavailable extends Error {
  override readonly name = 'GatewayUnavailable';

  constructor(
    readonly reason: UnavailableReason,
    /** False only when it is certain that the gateway did nothing. */
    readonly mayHaveHappened: boolean,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
