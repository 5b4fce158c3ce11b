import type { CryptoType } from '../../../../../contracts/crypto.js';
import { compareDecimals, type DecimalText, mulDivFloor } from '../../../../../contracts/decimal.js';
import type { PaymentStatus } from '../../../../../contracts/events/payment-events.js';

/**
 * The port to a payment gateway, in our terms. Ids are text, coin amounts decimal text, fiat amounts integer US cents.
 * Every call, and each page of a list, ends within 4.5 seconds with a result, `GatewayRefused` or `GatewayUnavailable`.
 */
export abstract class PaymentGateway {
  /** Creates an invoice with a checkout page. Its payment is created by `createPayment`. */
  abstract createInvoice(order: InvoiceOrder): Promise<GatewayInvoice>;

  /** Not idempotent: after a `GatewayUnavailable`, check `listPaymentsOfInvoice` first. */
  abstract createPayment(invoiceId: string, cryptoType: CryptoType): Promise<GatewayPayment>;

  /** The payment as the gateway reports it now; null when the gateway does not know the id, which a person may have typed. */
  abstract getPayment(paymentId: string): Promise<GatewayPayment | null>;

  /** All payments of an invoice, oldest first, including those that the payer started on the checkout page. */
  abstract listPaymentsOfInvoice(invoiceId: string): Promise<GatewayPayment[]>;

  /** All payments created since then, and perhaps up to a day before, oldest first. */
  abstract listPaymentsSince(epochMs: number): Promise<GatewayPayment[]>;

  /** All payouts created since then, and perhaps some before, whoever made them. */
  abstract listPayoutsSince(epochMs: number): Promise<GatewayPayout[]>;

  /** Creates a batch that sends nothing until `verifyPayouts`. Not idempotent: look in `listPayoutsSince` first. */
  abstract createPayouts(instructions: readonly PayoutInstruction[]): Promise<GatewayPayout[]>;

  /** Sends a created batch. GatewayRefused when the code is wrong, or the batch is unknown or no longer waits for one. */
  abstract verifyPayouts(batchId: string, code: string): Promise<void>;

  /** The payouts of a batch as they are now; null when the gateway does not know the batch. */
  abstract getPayouts(batchId: string): Promise<GatewayPayout[] | null>;

  /** The smallest amount the gateway accepts in this coin, in US cents, rounded up. Cached for a minute. */
  abstract minimumCents(cryptoType: CryptoType): Promise<number>;

  /** The current value of a coin amount in US cents, rounded down. `currency` is the gateway's code (`btc`). */
  abstract estimateCents(amount: DecimalText, currency: string): Promise<number>;

  /** The amount of a coin that is now worth these US cents. */
  abstract estimateCoins(amountCents: number, cryptoType: CryptoType): Promise<DecimalText>;

  /** '0' when the gateway does not tell this account. */
  abstract minimumPayout(cryptoType: CryptoType): Promise<DecimalText>;

  /** Null when not signed with our secret. A callback may be late or repeated: fetch the payment and act on that. */
  abstract verifyCallback(rawBody: Uint8Array, signature: string | undefined): VerifiedCallback | null;
}

export interface InvoiceOrder {
  /** Our id; the gateway returns it with every payment of the invoice. */
  orderId: string;
  amountCents: number;
  /** The coin the gamer chose; the checkout page offers no other. */
  cryptoType: CryptoType;
  description: string;
}

export type GatewayInvoice = { invoiceId: string; checkoutUrl: string };

/** One address in one coin, and the amount that arrived there. */
export interface GatewayPayment {
  paymentId: string;
  status: PaymentStatus;
  /** The gateway's own status, for the admin. */
  gatewayStatus: string;
  invoiceId: string | null;
  /** Our id, from the invoice. Null on some repeated payments: their order is the parent payment's or the invoice's. */
  orderId: string | null;
  /** The payment whose address this one reused, by a second transfer or with a wrong coin. */
  parentPaymentId: string | null;
  childPaymentIds: string[];
  priceAmount: DecimalText | null;
  /** Lower case: `usd`. */
  priceCurrency: string | null;
  /** The amount due. A payment with a parent has the arrived amount here, so it never looks underpaid. */
  payAmount: DecimalText | null;
  /** The amount that arrived; '0' when none did or the gateway does not say. */
  actuallyPaid: DecimalText;
  /** The gateway's code for the coin, lower case: `btc`. */
  payCurrency: string;
  payAddress: string | null;
}

export interface PayoutInstruction {
  /** Our id; the gateway returns it with the payout. It may accept the same id twice. */
  externalId: string;
  cryptoType: CryptoType;
  address: string;
  /** Decimal text with at most six places. */
  amount: DecimalText;
}

/** Coins that left, or may leave. All but the id may be missing. */
export interface GatewayPayout {
  payoutId: string;
  batchId: string | null;
  /** Our id; null for a payout that a person made. */
  externalId: string | null;
  /** The gateway's own status, in capitals. */
  status: string | null;
  /** The gateway's code for the coin, lower case: `btc`. */
  currency: string | null;
  amount: DecimalText | null;
  address: string | null;
  /** The transaction, once it was sent. */
  hash: string | null;
  createdAtMs: number | null;
}

/** The statuses of payouts that never leave. Of any other, the coins may have left or may still leave. */
export const NEVER_SENT_STATUSES: readonly (string | null)[] = ['FAILED', 'REJECTED'];
/** The statuses of payouts whose batch waits for its code. */
export const UNVERIFIED_STATUSES: readonly (string | null)[] = ['CREATING', 'WAITING'];

export interface VerifiedCallback {
  /** The payment in the callback, to be checked with `getPayment`; null when the callback is about a payout or such. */
  payment: GatewayPayment | null;
  /** The batch of the payout in the callback, to be checked with `getPayouts`. */
  payoutBatchId: string | null;
}

/** The gateway refused the request: its 4xx, with its own code and message. A retry will not help. */
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

/** The gateway gave no usable response, and may have acted on the request. A later retry may succeed. */
export class GatewayUnavailable extends Error {
  override readonly name = 'GatewayUnavailable';

  constructor(
    readonly reason: 'timeout' | 'unreachable' | 'rate-limited' | 'server-error' | 'unreadable',
    message: string,
  ) {
    super(message);
  }
}

export const isGatewayError = (error: unknown): error is GatewayRefused | GatewayUnavailable =>
  error instanceof GatewayUnavailable || error instanceof GatewayRefused;

const unavailable = (): Promise<never> =>
  Promise.reject(new GatewayUnavailable('unreachable', 'no payment gateway is configured'));

export const absentGateway: PaymentGateway = {
  createInvoice: unavailable,
  createPayment: unavailable,
  getPayment: unavailable,
  listPaymentsOfInvoice: unavailable,
  listPaymentsSince: unavailable,
  listPayoutsSince: unavailable,
  createPayouts: unavailable,
  verifyPayouts: unavailable,
  getPayouts: unavailable,
  minimumCents: unavailable,
  estimateCents: unavailable,
  estimateCoins: unavailable,
  minimumPayout: unavailable,
  verifyCallback: () => null,
};

/** The received coins in US cents, rounded down, at the quoted rate; null without a quote, as with another payment's address. */
export function receivedCents(payment: GatewayPayment): number | null {
  const { priceAmount, priceCurrency, payAmount, actuallyPaid, parentPaymentId } = payment;
  if (parentPaymentId !== null || priceCurrency !== 'usd' || priceAmount === null || payAmount === null) return null;
  if (compareDecimals(payAmount, '0') <= 0) return null;
  return Number(mulDivFloor(priceAmount, actuallyPaid, payAmount, 2));
}
