import { COINS, CRYPTO_TYPES, type CryptoType } from '../../contracts/crypto.js';
import { type DecimalText, fromUnits, mulDivCeil, mulDivFloor } from '../../contracts/decimal.js';
import type { Settings } from './records.js';

/** Invented, and fixed so that a test can compute with them: dollars for one coin. */
export const INVENTED_RATES: Record<string, DecimalText> = { btc: '110000', ltc: '95', trx: '0.32', doge: '0.2' };

/** Of the size seen in 2026 for a payout in the same coin: $18.70, $1.90, $1.60, $2. The real ones move with network fees. */
export const USUAL_MINIMUMS: Record<string, DecimalText> = { btc: '0.00017', ltc: '0.02', trx: '5', doge: '10' };

/** The gateway's codes of the coins this account takes. */
export const CURRENCIES: readonly string[] = CRYPTO_TYPES.map((cryptoType) => cryptoType.toLowerCase());

export const cryptoTypeOf = (currency: string): CryptoType => {
  const cryptoType = CRYPTO_TYPES.find((candidate) => candidate.toLowerCase() === currency);
  if (cryptoType === undefined) throw new Error(`no coin of ours: ${currency}`);
  return cryptoType;
};

export const placesOf = (currency: string): number => COINS[cryptoTypeOf(currency)].decimalPlaces;

const rateOf = ({ rates }: Settings, currency: string): DecimalText => {
  const rate = rates[currency];
  if (rate === undefined) throw new Error(`no rate for ${currency}`);
  return rate;
};

/** Dollars in coins, rounded up to the coin's smallest unit: the gateway never asks for less than the price. */
export const inCoins = (settings: Settings, dollars: DecimalText, currency: string): DecimalText =>
  fromUnits(mulDivCeil(dollars, '1', rateOf(settings, currency), placesOf(currency)), placesOf(currency));

/** Coins in dollars, to eight places as the gateway has them. */
export const inDollars = (settings: Settings, amount: DecimalText, currency: string): DecimalText =>
  fromUnits(mulDivFloor(amount, rateOf(settings, currency), '1', 8), 8);

/** A share of an amount, in percent, down to the coin's smallest unit. */
export const shareOf = (amount: DecimalText, percent: number, currency: string): DecimalText =>
  fromUnits(mulDivFloor(amount, String(percent), '100', placesOf(currency)), placesOf(currency));
