import { CRYPTO_TYPES, type CryptoType } from '../../../../contracts/crypto.js';
import type {
  CoinMinimumsResponse,
  InvoiceResponse,
  PaymentStatusResponse,
} from '../../../../contracts/http/payments.js';
import { MAX_DEPOSIT_DOLLARS, MIN_DEPOSIT_DOLLARS } from '../../../../contracts/limits.js';
import { depositTotalCents, splitDeposit } from '../../../../contracts/money.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { depositRefusal } from '../../../../contracts/validation.js';
import { ApiError, reasonOf } from '../../shared/api/api-client.js';
import { commaProblem, wholeFromInput } from '../../shared/format.js';

export type Purpose = PaymentStatusResponse['purpose'];
type Status = PaymentStatusResponse['status'];

export interface ShownInvoice extends InvoiceResponse {
  /** False when the browser blocked the payment page. */
  pageOpened: boolean;
}

/** The order for a typed deposit: whole dollars from $7 on, and the fee on top (specification §5). */
export function depositOf(text: string) {
  const dollars = wholeFromInput(text);
  const code = depositRefusal(dollars);
  const totalCents = depositTotalCents((dollars ?? 0) * 100);
  const refusal = /^\s*\d+[.,]\d*\s*$/.test(text) ? 'Whole dollars only' : code && refusalText({ code });
  return { dollars, ...splitDeposit(totalCents), totalCents, problem: commaProblem(text) ?? refusal };
}

/** The coin in which a payment of this amount is possible, else the coin with the smallest minimum. */
export function startingCoin(minimums: CoinMinimumsResponse, cents: number): CryptoType {
  const cheapestFirst = CRYPTO_TYPES.toSorted((one, other) => minimums[one] - minimums[other]);
  return CRYPTO_TYPES.find((coin) => minimums[coin] <= cents) ?? (cheapestFirst[0] as CryptoType);
}

export const fewestTokens = (minimumCents: number, priceCents: number): number =>
  Math.max(1, Math.ceil(minimumCents / priceCents));

/** How many dollars a deposit in the coin has at least: the fee comes on top, so the payment itself is larger. */
export const fewestDollars = (minimumCents: number): number =>
  Math.max(MIN_DEPOSIT_DOLLARS, Math.ceil(minimumCents / depositTotalCents(100)));

/** Why a payment is too small for its coin, in the server's words; null when it is not. */
export function coinProblem(
  cryptoType: CryptoType,
  totalCents: number,
  minimumCents: number,
  tokenPriceCents: number | null,
): string | null {
  if (totalCents >= minimumCents) return null;
  if (tokenPriceCents !== null) {
    const parameters = { cryptoType, quantity: fewestTokens(minimumCents, tokenPriceCents), cents: minimumCents };
    return refusalText({ code: 'below-coin-minimum', parameters });
  }
  const parameters = { cryptoType, dollars: fewestDollars(minimumCents) };
  return refusalText({ code: 'deposit-below-coin-minimum', parameters });
}

/** The text that replaces a typed deposit when the field loses the focus: whole dollars within the limits. A comma between thousands stays. */
export function clampedDeposit(text: string): string {
  if (commaProblem(text) !== null) return text;
  const dollars = Number(/^\s*\$?(\d{1,9})(?:[.,]\d*)?\s*$/.exec(text)?.[1] ?? 0);
  return String(Math.min(Math.max(dollars, MIN_DEPOSIT_DOLLARS), MAX_DEPOSIT_DOLLARS));
}

type Progress = Pick<PaymentStatusResponse, 'purpose' | 'status' | 'credited'>;

export function paymentSteps({
  purpose,
  status,
  credited,
}: Progress): { text: string; state: 'done' | 'now' | 'later' }[] {
  const reached = { waiting: 0, expired: 0, confirming: 1, review: 1, rejected: 1, settled: 3 }[status];
  return ['Waiting for your payment', 'Seen on the network', lastStep(purpose, credited)].map((text, place) => ({
    text,
    state: (['later', 'now', 'done'] as const)[Math.sign(reached - place) + 1] ?? 'later',
  }));
}

function lastStep(purpose: Purpose, credited: Progress['credited']): string {
  if (purpose === 'deposit') return 'Credited to your purchase balance';
  return credited === 'balance' ? 'Added to your purchase balance' : 'Your tokens are bought';
}

/** True when the status will not change by itself. */
export const isOver = (status: Status): boolean =>
  status === 'settled' || status === 'expired' || status === 'rejected';

export const isOpen = (status: Status): boolean => status === 'waiting' || status === 'confirming';

/** An amount with its coin. Amounts may have eight places and are never rounded: '0.07740000 LTC' becomes '0.0774 LTC'. */
export const coinText = (amount: string, coin: string): string =>
  `${amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount} ${coin}`;

export const paymentHeadings: Record<Status, string | null> = {
  waiting: null,
  confirming: 'Payment on its way',
  settled: 'Payment received',
  review: 'Payment under review',
  rejected: 'Payment rejected',
  expired: 'Payment expired',
};

const failures = {
  tokens: { login: 'login-to-create-invoice', unreached: 'Failed to create invoice' },
  deposit: { login: 'login-to-create-deposit', unreached: 'Failed to create deposit invoice' },
} as const;

export const notLoggedIn = (purpose: Purpose) => ({
  title: 'Authentication Error',
  text: refusalText({ code: failures[purpose].login }),
});

/** The toast of a failed invoice. Specification §8: a 400 shows the server's text; a lost connection has its own text. */
export function paymentFailure(error: unknown, purpose: Purpose): { title: string; text: string } {
  if (error instanceof ApiError) {
    if (error.status === 401) return notLoggedIn(purpose);
    const text = reasonOf(error, 'Failed to create payment');
    return { title: error.status === 400 ? 'Invalid Request' : 'Error', text };
  }
  if (error instanceof TypeError) return { title: 'Error', text: failures[purpose].unreached };
  return { title: 'Error', text: 'An unexpected error occurred' };
}

/** The address if it is a web page, else null: an answer must never make the browser run `javascript:`. */
export function paymentPageUrl(url: string): string | null {
  try {
    const { protocol } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
}
