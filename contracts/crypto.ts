/** The supported coins: for deposits, token invoices and withdrawals (product specification §9). */
export const CRYPTO_TYPES = ['BTC', 'LTC', 'TRX', 'DOGE'] as const;
export type CryptoType = (typeof CRYPTO_TYPES)[number];

export interface Coin {
  name: string;
  /** The smallest unit of the coin is one over ten to this power: a satoshi, a sun. */
  decimalPlaces: number;
  /** The shape of the coin's Base58 addresses by their first character. The server also verifies the checksum (wallet-address.ts). */
  base58Shape: RegExp;
  /** Human-readable part of the coin's SegWit addresses (BIP 173); null where it has none. */
  segwitPrefix: string | null;
  addressExample: string;
  /** The scheme of the coin's payment links by BIP 21; null where there is no standard. */
  uriScheme: string | null;
}

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

export const COINS: Record<CryptoType, Coin> = {
  BTC: {
    name: 'Bitcoin',
    decimalPlaces: 8,
    base58Shape: new RegExp(`^[13]${BASE58}{25,33}$`),
    segwitPrefix: 'bc',
    addressExample: 'bc1q…, bc1p…, 1… or 3…',
    uriScheme: 'bitcoin',
  },
  LTC: {
    name: 'Litecoin',
    decimalPlaces: 8,
    base58Shape: new RegExp(`^[LM3]${BASE58}{25,33}$`),
    segwitPrefix: 'ltc',
    addressExample: 'ltc1q…, L… or M…',
    uriScheme: 'litecoin',
  },
  TRX: {
    name: 'TRON',
    decimalPlaces: 6,
    base58Shape: new RegExp(`^T${BASE58}{33}$`),
    segwitPrefix: null,
    addressExample: 'T…',
    uriScheme: null,
  },
  DOGE: {
    name: 'Dogecoin',
    decimalPlaces: 8,
    base58Shape: new RegExp(`^[D9A]${BASE58}{25,33}$`),
    segwitPrefix: null,
    addressExample: 'D…',
    uriScheme: 'dogecoin',
  },
};

export const isCryptoType = (value: unknown): value is CryptoType => CRYPTO_TYPES.includes(value as CryptoType);

/** Whether a text can only be a SegWit address of the coin, in lower case or, as in QR codes, in capitals (BIP 173). */
export function isSegwit(cryptoType: CryptoType, text: string): boolean {
  const { segwitPrefix } = COINS[cryptoType];
  return segwitPrefix !== null && text.toLowerCase().startsWith(`${segwitPrefix}1`);
}

const SEGWIT_SHAPE = /^([a-z]+1[qp][02-9ac-hj-np-z]{38,58}|[A-Z]+1[QP][02-9AC-HJ-NP-Z]{38,58})$/;

/** Whether a text has the shape of an address, while a person types. */
export const looksLikeWalletAddress = (cryptoType: CryptoType, text: string): boolean =>
  (isSegwit(cryptoType, text) ? SEGWIT_SHAPE : COINS[cryptoType].base58Shape).test(text);

/** The content of a payment QR code: address and amount by BIP 21, only the address for TRX, whose wallets refuse `tron:`. */
export function paymentUri(cryptoType: CryptoType, address: string, amount: string): string {
  const { uriScheme } = COINS[cryptoType];
  return uriScheme === null ? address : `${uriScheme}:${address}?amount=${amount}`;
}
