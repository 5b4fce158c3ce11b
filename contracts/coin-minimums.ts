import type { CryptoType } from './crypto.js';
import { MIN_DEPOSIT_DOLLARS } from './limits.js';
import { depositTotalCents } from './money.js';
import type { Refusal } from './refusals.js';

export const fewestTokens = (minimumCents: number, priceCents: number): number =>
  Math.max(1, Math.ceil(minimumCents / priceCents));

/** The smallest deposit in this coin, in whole dollars. The fee comes on top, so the payment itself is larger. */
export const fewestDollars = (minimumCents: number): number =>
  Math.max(MIN_DEPOSIT_DOLLARS, Math.ceil(minimumCents / depositTotalCents(100)));

/**
 * Why a payment is too small for its coin, with the smallest quantity or amount that the gateway accepts in it (decision
 * 30). @param tokenPriceCents null for a deposit
 */
export function belowMinimum(cryptoType: CryptoType, cents: number, tokenPriceCents: number | null): Refusal {
  if (tokenPriceCents === null)
    return { code: 'deposit-below-coin-minimum', parameters: { cryptoType, dollars: fewestDollars(cents) } };
  const quantity = fewestTokens(cents, tokenPriceCents);
  return { code: 'below-coin-minimum', parameters: { cryptoType, quantity, cents } };
}
