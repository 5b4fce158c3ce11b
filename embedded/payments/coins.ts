import { randomBytes } from 'node:crypto';
import { bech32 } from '@scure/base';
import { COINS, CRYPTO_TYPES, type CryptoType } from '../../contracts/crypto.js';
import { type DecimalText, fromUnits, mulDivCeil, mulDivFloor } from '../../contracts/decimal.js';
import { BASE58_VERSIONS, base58check } from '../../contracts/wallet-address.js';

/** Dollars for one coin: invented, and constant so that tests can compute amounts. */
const RATES: Record<CryptoType, DecimalText> = { BTC: '110000', LTC: '95', TRX: '0.32', DOGE: '0.2' };

/** The gateway's codes for the coins that this account accepts. */
export const CURRENCIES: readonly string[] = CRYPTO_TYPES.map((cryptoType) => cryptoType.toLowerCase());

/** @param currency one of them */
export const cryptoTypeOf = (currency: string): CryptoType => currency.toUpperCase() as CryptoType;

const rateOf = (currency: string): DecimalText => RATES[cryptoTypeOf(currency)];
const placesOf = (currency: string): number => COINS[cryptoTypeOf(currency)].decimalPlaces;

/** Converts dollars to coins, rounded up to the coin's smallest unit, so that the payer never pays less than the price. */
export const inCoins = (dollars: DecimalText, currency: string): DecimalText =>
  fromUnits(mulDivCeil(dollars, '1', rateOf(currency), placesOf(currency)), placesOf(currency));

/** Converts coins to dollars, rounded down to eight decimal places like the real gateway. */
export const inDollars = (amount: DecimalText, currency: string): DecimalText =>
  fromUnits(mulDivFloor(amount, rateOf(currency), '1', 8), 8);

/** Returns a percentage of an amount, rounded down to the coin's smallest unit. */
export const shareOf = (amount: DecimalText, percent: number, currency: string): DecimalText =>
  fromUnits(mulDivFloor(amount, String(percent), '100', placesOf(currency)), placesOf(currency));

/** An address in the coin's format with a wrong last character: its checksum fails, so no wallet pays to it. */
export function practiceAddress(cryptoType: CryptoType): string {
  const { segwitPrefix } = COINS[cryptoType];
  const hash = randomBytes(20);
  const address =
    segwitPrefix === null
      ? base58check.encode(Uint8Array.of(BASE58_VERSIONS[cryptoType][0]!, ...hash))
      : bech32.encode(segwitPrefix, [0, ...bech32.toWords(hash)]);
  // Both alphabets have `2` and `3`, and every checksum detects a changed last character.
  return address.slice(0, -1) + (address.endsWith('2') ? '3' : '2');
}
