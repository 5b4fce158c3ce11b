/** The supported coins: for deposits, token invoices and withdrawals (product specification §9). */
export const CRYPTO_TYPES = ['BTC', 'LTC', 'TRX', 'DOGE'] as const;
export type CryptoType = (typeof CRYPTO_TYPES)[number];

export interface Coin {
  name: string;
  /** The smallest unit of the coin is one over ten to this power: a satoshi, a sun. */
  decimalPlaces: number;
  /** The shape of an address while a person types. The server also verifies the checksum (wallet-address.ts). */
  addressShape: RegExp;
  addressExample: string;
  /** The scheme of the coin's payment links by BIP 21; null where there is no standard. */
  uriScheme: string | null;
}

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

/** Base58 forms by their first character; SegWit in lower case or, as in QR codes, in capitals (BIP 173). */
export const COINS: Record<CryptoType, Coin> = {
  BTC: {
    name: 'Bitcoin',
    decimalPlaces: 8,
    addressShape: new RegExp(`^([13]${BASE58}{25,33}|bc1[qp][02-9ac-hj-np-z]{38,58}|BC1[QP][02-9AC-HJ-NP-Z]{38,58})$`),
    addressExample: 'bc1q…, bc1p…, 1… or 3…',
    uriScheme: 'bitcoin',
  },
  LTC: {
    name: 'Litecoin',
    decimalPlaces: 8,
    addressShape: new RegExp(
      `^([LM3]${BASE58}{25,33}|ltc1[qp][02-9ac-hj-np-z]{38,58}|LTC1[QP][02-9AC-HJ-NP-Z]{38,58})$`,
    ),
    addressExample: 'ltc1q…, L… or M…',
    uriScheme: 'litecoin',
  },
  TRX: {
    name: 'TRON',
    decimalPlaces: 6,
    addressShape: new RegExp(`^T${BASE58}{33}$`),
    addressExample: 'T…',
    uriScheme: null,
  },
  DOGE: {
    name: 'Dogecoin',
    decimalPlaces: 8,
    addressShape: new RegExp(`^[D9A]${BASE58}{25,33}$`),
    addressExample: 'D…',
    uriScheme: 'dogecoin',
  },
};

export const isCryptoType = (value: unknown): value is CryptoType =>
  CRYPTO_TYPES.some((cryptoType) => cryptoType === value);

export const looksLikeWalletAddress = (cryptoType: CryptoType, text: string): boolean =>
  COINS[cryptoType].addressShape.test(text);

/** The content of a payment QR code: address and amount by BIP 21, only the address for TRX, whose wallets refuse `tron:`. */
export function paymentUri(cryptoType: CryptoType, address: string, amount: string): string {
  const { uriScheme } = COINS[cryptoType];
  return uriScheme === null ? address : `${uriScheme}:${address}?amount=${amount}`;
}
