/**
 * The coins that gamers deposit with, buy with and withdraw to (product specification §9, supported coins).
 */
export const CRYPTO_TYPES = ['BTC', 'LTC', 'TRX', 'DOGE'] as const;
export type CryptoType = (typeof CRYPTO_TYPES)[number];

export interface Coin {
  name: string;
  /** The smallest unit of the coin is one over ten to this power: a satoshi, a sun. */
  decimalPlaces: number;
  /**
   * What an address looks like, before its checksum is looked at. It tells a typing person at once; whether money may
   * be sent there is decided by `isWalletAddress` of wallet-address.ts on the server.
   */
  addressShape: RegExp;
  addressExample: string;
}

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

/** Base58 forms by their first character, and SegWit in lower case or, as QR codes have it, in capitals (BIP 173). */
export const COINS: Record<CryptoType, Coin> = {
  BTC: {
    name: 'Bitcoin',
    decimalPlaces: 8,
    addressShape: new RegExp(`^([13]${BASE58}{25,33}|bc1[qp][02-9ac-hj-np-z]{38,58}|BC1[QP][02-9AC-HJ-NP-Z]{38,58})$`),
    addressExample: 'bc1q…, bc1p…, 1… or 3…',
  },
  LTC: {
    name: 'Litecoin',
    decimalPlaces: 8,
    addressShape: new RegExp(
      `^([LM3]${BASE58}{25,33}|ltc1[qp][02-9ac-hj-np-z]{38,58}|LTC1[QP][02-9AC-HJ-NP-Z]{38,58})$`,
    ),
    addressExample: 'ltc1q…, L… or M…',
  },
  TRX: {
    name: 'TRON',
    decimalPlaces: 6,
    addressShape: new RegExp(`^T${BASE58}{33}$`),
    addressExample: 'T…',
  },
  DOGE: {
    name: 'Dogecoin',
    decimalPlaces: 8,
    addressShape: new RegExp(`^[D9A]${BASE58}{25,33}$`),
    addressExample: 'D…',
  },
};

export const isCryptoType = (value: unknown): value is CryptoType =>
  CRYPTO_TYPES.some((cryptoType) => cryptoType === value);

/** True when the text has the coin's shape of an address; a mistyped letter still passes, but not on the server. */
export const looksLikeWalletAddress = (cryptoType: CryptoType, text: string): boolean =>
  COINS[cryptoType].addressShape.test(text);

const URI_SCHEMES: Partial<Record<CryptoType, string>> = { BTC: 'bitcoin', LTC: 'litecoin', DOGE: 'dogecoin' };

/**
 * What a QR code holds for a wallet to read: BIP 21's address and amount (decimal coins, no exponent). For TRX the bare
 * address: there is no standard, and wallets refuse `tron:`; show the amount beside it.
 */
export function paymentUri(cryptoType: CryptoType, address: string, amount: string): string {
  const scheme = URI_SCHEMES[cryptoType];
  return scheme === undefined ? address : `${scheme}:${address}?amount=${amount}`;
}
