import type { CryptoType } from '../../contracts/crypto.js';
import type { DecimalText } from '../../contracts/decimal.js';

/** The gateway's records, as in its file. Times are epoch milliseconds; currencies are its codes in lower case. */
interface Order {
  orderId: string | null;
  callbackUrl: string | null;
  /** The price in dollars. */
  priceAmount: DecimalText;
}

export interface Invoice extends Order {
  id: string;
  description: string | null;
  /** The only coin that pays this invoice: the merchant lets its gamer choose. */
  payCurrency: string;
  successUrl: string | null;
  cancelUrl: string | null;
}

export interface Payment extends Order {
  id: string;
  invoiceId: string;
  /** The payment whose address received this one's money. */
  parentId: string | null;
  childIds: string[];
  payAmount: DecimalText;
  payCurrency: string;
  payAddress: string;
  actuallyPaid: DecimalText;
  /** One of the gateway's statuses; a test may set any other text. */
  status: string;
  /** The statuses that follow; `dueAt` is the time of the first. */
  upcoming: string[];
  dueAtMs: number | null;
  createdAtMs: number;
}

/** A payout in the API's own fields. One without a batch was made by a person or a test, and keeps its status. */
export interface Payout {
  id: string;
  batch_withdrawal_id?: string;
  unique_external_id?: string | null;
  status: string;
  currency: string;
  amount: DecimalText;
  address: string | null;
  /** The transfer that sent the coins: one at most for a payout. */
  hash: string | null;
  ipn_callback_url?: string | null;
  created_at: string;
  updated_at: string;
}

export interface Delivery {
  id: string;
  url: string;
  body: string;
  signature: string;
  state: 'due' | 'delivered' | 'lost';
}

/** Settings that a person or a test may change while the gateway runs, until its end. */
export interface Settings {
  losesCallbacks: boolean;
  /** Time between two statuses of a paid payment. */
  stepMs: number;
  callbackRepeatMs: number;
  /** Smallest payment in coins; none for a coin that is left out. */
  minimums: Record<string, DecimalText>;
  /** The final status of a transfer in another coin. The real gateway's dashboard has this setting. */
  wrongAssetStatus: 'finished' | 'partially_paid';
  /** Whether a child payment carries its parent's order id; the real gateway has been observed to do both. */
  childrenKeepOrderId: boolean;
}

/** About $18.70, $1.90, $1.60 and $2, like the real gateway's in 2026, which vary with network fees. */
export const REAL_MINIMUMS: Record<Lowercase<CryptoType>, DecimalText> = {
  btc: '0.00017',
  ltc: '0.02',
  trx: '5',
  doge: '10',
};

/** Like the real gateway's, except for the steps, which are short because a person waits for them, and the minimums. */
export const DEFAULT_SETTINGS: Settings = {
  losesCallbacks: false,
  stepMs: 1_500,
  callbackRepeatMs: 60_000,
  minimums: {},
  wrongAssetStatus: 'finished',
  childrenKeepOrderId: true,
};

// JSON shapes of the API and its callbacks, without fields that the merchant ignores. As at the real gateway, a new id is a
// string, and later a number.

export const createdPaymentJson = (payment: Payment) => ({
  payment_id: payment.id,
  order_id: payment.orderId,
  pay_address: payment.payAddress,
  pay_amount: Number(payment.payAmount),
  pay_currency: payment.payCurrency,
  payment_status: payment.status,
  price_amount: Number(payment.priceAmount),
  price_currency: 'usd',
});

export const paymentJson = (payment: Payment) => ({
  ...createdPaymentJson(payment),
  payment_id: Number(payment.id),
  invoice_id: Number(payment.invoiceId),
  parent_payment_id: payment.parentId === null ? null : Number(payment.parentId),
  payment_extra_ids: payment.childIds.length === 0 ? null : payment.childIds.map(Number),
  actually_paid: Number(payment.actuallyPaid),
});

export const callbackJson = (payment: Payment) => ({
  ...paymentJson(payment),
  actually_paid_at_fiat: 0, // The real gateway sends zero too, so the merchant must not rely on it.
  fee: { currency: payment.payCurrency, depositFee: 0, serviceFee: 0, withdrawalFee: 0 },
});
