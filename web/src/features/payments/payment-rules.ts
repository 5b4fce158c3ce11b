import { CRYPTO_TYPES, type CryptoType } from '../../../../contracts/crypto.js';
import type * as http from '../../../../contracts/http/payments.js';
import type { RoundId } from '../../../../contracts/ids.js';
import { depositTotalCents, splitDeposit } from '../../../../contracts/money.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { belowMinimum, depositRefusal } from '../../../../contracts/validation.js';
import { ApiError, reasonOf } from '../../shared/api/api-client.js';
import { commaProblem, wholeFromInput } from '../../shared/format.js';

export type Purpose = http.PaymentStatusResponse['purpose'];
type Status = http.PaymentStatusResponse['status'];

export const WRONG_AMOUNT = 'A wrong crypto deposit amount means a 24-72 hour manual review.';

/** The order for a typed deposit: whole dollars from $7 on, and the fee on top (specification §5). */
export function depositOf(text: string) {
  const typed = text.trim().replace(/^\$/, '');
  const dollars = wholeFromInput(typed);
  const code = depositRefusal(dollars);
  const totalCents = depositTotalCents((dollars ?? 0) * 100);
  const refusal = /^-?\d*$/.test(typed) ? code && refusalText({ code }) : 'Whole dollars only';
  return { dollars, ...splitDeposit(totalCents), totalCents, problem: commaProblem(text) ?? refusal };
}

/** The coin in which a payment of this amount is possible, else the coin with the smallest minimum. */
export function startingCoin(minimums: http.CoinMinimumsResponse, cents: number): CryptoType {
  const cheapestFirst = CRYPTO_TYPES.toSorted((one, other) => minimums[one] - minimums[other]);
  return CRYPTO_TYPES.find((coin) => minimums[coin] <= cents) ?? (cheapestFirst[0] as CryptoType);
}

/** Why a payment is too small for its coin, in the server's words; null when it is not. */
export const coinProblem = (coin: CryptoType, cents: number, minimumCents: number, priceCents: number | null) =>
  cents >= minimumCents ? null : refusalText(belowMinimum(coin, minimumCents, priceCents));

type Progress = Pick<http.PaymentStatusResponse, 'purpose' | 'status' | 'credited'>;

export function paymentSteps({ purpose, status, credited }: Progress) {
  const { done } = STATUSES[status];
  const last = credited === 'balance' ? 'Added to your purchase balance' : PURPOSES[purpose].lastStep;
  return ['Waiting for your payment', 'Seen on the network', last].map((text, place) => ({
    text,
    state: (['later', 'now', 'done'] as const)[Math.sign(done - place) + 1] ?? 'later',
  }));
}

/** Whether a payment now comes after the round of its invoice, so that its value goes to the purchase balance. */
export const isTooLate = (
  { roundId }: Pick<http.InvoiceResponse, 'roundId'>,
  liveRoundId: RoundId | null | undefined,
): boolean => roundId !== null && liveRoundId !== undefined && roundId !== liveRoundId;

export const isOver = (status: Status): boolean => ['settled', 'expired', 'failed', 'rejected'].includes(status);

/** An amount with its coin. Amounts may have eight places and are never rounded: '0.07740000 LTC' becomes '0.0774 LTC'. */
export const coinText = (amount: string, coin: string): string =>
  `${amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount} ${coin}`;

interface StatusTexts {
  heading: string | null;
  done: number;
  /** The notice's text is shown when the server sent no message. */
  notice?: { tone: 'bad' | 'time' | 'plain'; title: string; text: string };
}

const SEND_NO_MORE =
  'Please do not send to this address any more. Coins that you have already sent will still be credited.';

export const STATUSES: Record<Status, StatusTexts> = {
  waiting: { heading: null, done: 0 },
  confirming: { heading: 'Payment on its way', done: 1 },
  settled: {
    heading: 'Payment received',
    done: 3,
    notice: { tone: 'plain', title: 'Payment received.', text: 'It has been credited.' },
  },
  review: {
    heading: 'Payment under review',
    done: 1,
    notice: { tone: 'time', title: 'Someone is reviewing this payment.', text: WRONG_AMOUNT },
  },
  rejected: {
    heading: 'Payment rejected',
    done: 1,
    notice: {
      tone: 'bad',
      title: 'This payment was rejected.',
      text: 'This payment was not credited. Please contact support.',
    },
  },
  expired: {
    heading: 'Payment expired',
    done: 0,
    notice: { tone: 'bad', title: 'This payment has expired.', text: SEND_NO_MORE },
  },
  failed: {
    heading: 'Payment failed',
    done: 0,
    notice: { tone: 'bad', title: 'This payment failed.', text: SEND_NO_MORE },
  },
};

export const PURPOSES = {
  tokens: {
    title: 'Buy Omni Tokens',
    path: '/api/create-invoice',
    lastStep: 'Your tokens are bought',
    loginCode: 'login-to-create-invoice',
    unreached: 'Failed to create invoice',
    footnote:
      'Your tokens are bought when the network confirms the payment, which takes minutes. If the round is over by then, its full value goes to your purchase balance. A wrong amount means a 24-72 hour manual review.',
  },
  deposit: {
    title: 'Deposit Crypto',
    path: '/api/create-deposit-invoice',
    lastStep: 'Credited to your purchase balance',
    loginCode: 'login-to-create-deposit',
    unreached: 'Failed to create deposit invoice',
    footnote: `Send the exact amount. ${WRONG_AMOUNT}`,
  },
} as const;

export const notLoggedIn = (purpose: Purpose) => ({
  title: 'Authentication Error',
  text: refusalText({ code: PURPOSES[purpose].loginCode }),
});

/** The toast of a failed invoice. Specification §8: a 400 shows the server's text; a lost connection has its own text. */
export function paymentFailure(error: unknown, purpose: Purpose): { title: string; text: string } {
  if (error instanceof ApiError) {
    if (error.status === 401) return notLoggedIn(purpose);
    const text = reasonOf(error, 'Failed to create payment');
    return { title: error.status === 400 ? 'Invalid Request' : 'Error', text };
  }
  if (error instanceof TypeError) return { title: 'Error', text: PURPOSES[purpose].unreached };
  return { title: 'Error', text: 'An unexpected error occurred' };
}

/** A response must never make the browser run `javascript:`. */
export const isWebPage = (url: string): boolean => /^https?:\/\//.test(url);
