import type { CryptoType } from './crypto.js';
import { isStaff, type Role } from './ids.js';
import * as limits from './limits.js';
import { depositTotalCents } from './money.js';
import type { PlainRefusalCode, Refusal } from './refusals.js';

/* Rules that the client's forms and the server share. A `…Refusal` returns the code of the first broken rule, or null. */

/** The server also refuses reserved tags. */
export const gamerTagRefusal = (gamerTag: string): 'invalid-gamer-tag' | null =>
  limits.GAMER_TAG_PATTERN.test(gamerTag) ? null : 'invalid-gamer-tag';

/** The server also refuses the most common passwords. @param role of the account that gets the password */
export function passwordRefusal(password: string, role: Role = 'gamer') {
  if (password.length < limits.PASSWORD_MIN_LENGTH) return 'password-too-short';
  if (isStaff(role) && password.length < limits.STAFF_PASSWORD_MIN_LENGTH) return 'staff-password-too-short';
  return password.length > limits.PASSWORD_MAX_LENGTH ? 'password-too-long' : null;
}

const isPositive = (amount: number | null): amount is number => Number.isSafeInteger(amount) && (amount as number) > 0;

/** @param quantity null when the text is not a number */
export function quantityRefusal(quantity: number | null): PlainRefusalCode | null {
  if (!isPositive(quantity)) return 'invalid-quantity';
  return quantity > limits.MAX_TOKENS_PER_PURCHASE ? 'too-many-tokens' : null;
}

/** @param dollars null when the text is not a whole number */
export function depositRefusal(dollars: number | null): PlainRefusalCode | null {
  if (dollars === null || dollars < limits.MIN_DEPOSIT_DOLLARS) return 'deposit-below-minimum';
  return dollars > limits.MAX_DEPOSIT_DOLLARS ? 'invalid-deposit-amount' : null;
}

/** @param amountCents null for a text that is not an amount */
export function withdrawalRefusal(amountCents: number | null): PlainRefusalCode | null {
  if (!isPositive(amountCents)) return 'invalid-withdrawal-amount';
  return amountCents < limits.MIN_WITHDRAWAL_CENTS ? 'withdrawal-below-minimum' : null;
}

/** @param amountCents null for a text that is not an amount */
export function transferRefusal(amountCents: number | null, winningsCents: number): PlainRefusalCode | null {
  if (!isPositive(amountCents)) return 'invalid-transfer-amount';
  return amountCents > winningsCents ? 'transfer-exceeds-winnings' : null;
}

export const fewestTokens = (minimumCents: number, priceCents: number): number =>
  Math.max(1, Math.ceil(minimumCents / priceCents));

/** The smallest deposit in this coin, in whole dollars. The fee comes on top, so the payment itself is larger. */
export const fewestDollars = (minimumCents: number): number =>
  Math.max(limits.MIN_DEPOSIT_DOLLARS, Math.ceil(minimumCents / depositTotalCents(100)));

/** Why a payment is too small for its coin (decision 30). @param tokenPriceCents null for a deposit */
export function belowMinimum(cryptoType: CryptoType, cents: number, tokenPriceCents: number | null): Refusal {
  if (tokenPriceCents === null)
    return { code: 'deposit-below-coin-minimum', parameters: { cryptoType, dollars: fewestDollars(cents) } };
  const quantity = fewestTokens(cents, tokenPriceCents);
  return { code: 'below-coin-minimum', parameters: { cryptoType, quantity, cents } };
}
