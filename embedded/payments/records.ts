import type { DecimalText } from '../../contracts/decimal.js';

/** What the gateway remembers. Times are epoch milliseconds, coins the gateway's codes in lower case. */
export interface Invoice {
  id: string;
  tokenId: string;
  orderId: string | null;
  description: string | null;
  priceAmount: DecimalText;
  priceCurrency: string;
  /** The only coin it may be paid in; null leaves the choice to the payer. */
  payCurrency: string | null;
  callbackUrl: string | null;
  successUrl: string | null;
  cancelUrl: string | null;
  partiallyPaidUrl: string | null;
  isFixedRate: boolean;
  isFeePaidByUser: boolean;
  createdAt: number;
  updatedAt: number;
  /** Callbacks of its payments never leave the house. */
  losesCallbacks: boolean;
}

export interface Payment {
  id: string;
  invoiceId: string | null;
  purchaseId: string;
  /** The payment whose address this one came in at. */
  parentId: string | null;
  childIds: string[];
  origin: 'REPEATED' | 'WRONG_ASSET' | null;
  orderId: string | null;
  description: string | null;
  callbackUrl: string | null;
  priceAmount: DecimalText;
  priceCurrency: string;
  payAmount: DecimalText;
  payCurrency: string;
  payAddress: string;
  actuallyPaid: DecimalText;
  /** One of the gateway's words; a test may set any other. */
  status: string;
  /** Statuses yet to come, the next one at `dueAt`. */
  upcoming: string[];
  dueAt: number | null;
  validUntil: number;
  isFixedRate: boolean;
  isFeePaidByUser: boolean;
  createdAt: number;
  updatedAt: number;
}

export interface Attempt {
  at: number;
  /** `200`, or why there was no answer. */
  outcome: string;
}

/** One callback, from the moment its status was reached until it arrived or was given up. */
export interface Delivery {
  id: string;
  paymentId: string;
  url: string;
  body: string;
  signature: string;
  state: 'due' | 'delivered' | 'given-up' | 'lost';
  attempts: Attempt[];
  nextAttemptAt: number | null;
  createdAt: number;
}

/** What a person or a test may change while the gateway runs. */
export interface Settings {
  /** No callback of any invoice leaves the house. */
  losesCallbacks: boolean;
  /** Between one status and the next. */
  stepMs: number;
  callbackRepeats: number;
  callbackRepeatMs: number;
  validForMs: number;
  /** Dollars for one coin. */
  rates: Record<string, DecimalText>;
  /** The least in coins that a payment may be over. */
  minimums: Record<string, DecimalText>;
  /** As the account's dashboard has it for money that comes again, or in another coin, at a used address. */
  repeatedStatus: 'finished' | 'partially_paid';
  wrongAssetStatus: 'finished' | 'partially_paid';
  /** Whether a repeated payment carries its parent's order id; real ones are seen both ways. */
  childrenKeepOrderId: boolean;
}
