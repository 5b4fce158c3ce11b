import { createHash, randomBytes } from 'node:crypto';
import { bech32, createBase58check } from '@scure/base';
import { COINS, CRYPTO_TYPES, type CryptoType } from '../../contracts/crypto.js';
import { type DecimalText, fromUnits, mulDivCeil, mulDivFloor } from '../../contracts/decimal.js';
import type { Settings } from './records.js';

/** The gateway's codes for the coins that this account accepts. */
export const CURRENCIES: readonly string[] = CRYPTO_TYPES.map((cryptoType) => cryptoType.toLowerCase());

/** @param currency one of them */
export const cryptoTypeOf = (currency: string): CryptoType => currency.toUpperCase() as CryptoType;

export const placesOf = (currency: string): number => COINS[cryptoTypeOf(currency)].decimalPlaces;

/** Converts dollars to coins, rounded up to the coin's smallest unit, so that the payer never pays less than the price. */
export const inCoins = ({ rates }: Settings, dollars: DecimalText, currency: string): DecimalText =>
  fromUnits(mulDivCeil(dollars, '1', rates[currency]!, placesOf(currency)), placesOf(currency));

/** Converts coins to dollars, rounded down to eight decimal places like the real gateway. */
export const inDollars = ({ rates }: Settings, amount: DecimalText, currency: string): DecimalText =>
  fromUnits(mulDivFloor(amount, rates[currency]!, '1', 8), 8);

/** Returns a percentage of an amount, rounded down to the coin's smallest unit. */
export const shareOf = (amount: DecimalText, percent: number, currency: string): DecimalText =>
  fromUnits(mulDivFloor(amount, String(percent), '100', placesOf(currency)), placesOf(currency));

const base58check = createBase58check(
  (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest()),
);
const segwit = (prefix: string, hash: Uint8Array): string => bech32.encode(prefix, [0, ...bech32.toWords(hash)]);
const base58 = (version: number, hash: Uint8Array): string => base58check.encode(Uint8Array.from([version, ...hash]));

const ADDRESSES: Record<CryptoType, (hash: Uint8Array) => string> = {
  BTC: (hash) => segwit('bc', hash),
  LTC: (hash) => segwit('ltc', hash),
  TRX: (hash) => base58(0x41, hash),
  DOGE: (hash) => base58(0x1e, hash),
};

/** An address in the coin's format with a wrong last character: its checksum fails, so no wallet pays to it. */
export function practiceAddress(cryptoType: CryptoType): string {
  const address = ADDRESSES[cryptoType](new Uint8Array(randomBytes(20)));
  // Both alphabets have `2` and `3`, and every checksum detects a changed last character.
  return address.slice(0, -1) + (address.endsWith('2') ? '3' : '2');
}
