import {
  DIRECT_BONUS_CENTS,
  JACKPOT_SHARE_CENTS,
  LEVEL_SHARE_CENTS,
  MATRIX_DEPTH,
  TOKEN_PRICE_CENTS,
} from '../../../../contracts/limits.js';

/** Whole percents are rounded down where they are good news, so that no promise is too high. */
export function oddsOf(purchases: number) {
  const matrixCents = LEVEL_SHARE_CENTS * MATRIX_DEPTH + DIRECT_BONUS_CENTS;
  const jackpotPercent = Math.floor((100 * JACKPOT_SHARE_CENTS) / TOKEN_PRICE_CENTS);
  return {
    /** Percent of the money played that comes back to the winners. */
    jackpotPercent,
    /** Percent that goes to uplines at most. */
    matrixPercent: Math.floor((100 * matrixCents) / TOKEN_PRICE_CENTS),
    /** Average loss of a gamer without a downline who plays $100.00, in cents. */
    lossOfHundredDollarsCents: Math.ceil(10_000 * (1 - JACKPOT_SHARE_CENTS / TOKEN_PRICE_CENTS)),
    /** Percent of a round's purchases that win nothing. */
    losingPercent: (100 * (purchases - 1)) / purchases,
  };
}
