import { createHash } from 'node:crypto';
import { bech32, bech32m, createBase58check } from '@scure/base';
import { COINS, type CryptoType, isSegwit } from './crypto.js';

/* For the server only: Base58's checksum needs a synchronous SHA-256, which browsers do not have. The client checks the shape. */

/** First byte of a decoded Base58 address, before a key's or script's hash: by `chainparams.cpp` of each coin's own node; TRON's by its address format. */
export const BASE58_VERSIONS: Record<CryptoType, readonly number[]> = {
  BTC: [0x00, 0x05],
  // 0x05 is Litecoin's old script address, identical to Bitcoin's; 0x32 replaced it.
  LTC: [0x30, 0x32, 0x05],
  TRX: [0x41],
  DOGE: [0x1e, 0x16],
};

const HASH_LENGTH = 20;
/** The maximum by BIP 173, which the decoder checks too. */
const LONGEST_ADDRESS = 90;

export const base58check = createBase58check(
  (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest()),
);

export function isWalletAddress(cryptoType: CryptoType, text: string): boolean {
  if (text.length > LONGEST_ADDRESS) return false;
  if (isSegwit(cryptoType, text)) return isSegwitAddress(cryptoType, text);
  try {
    const payload = base58check.decode(text);
    return payload.length === HASH_LENGTH + 1 && BASE58_VERSIONS[cryptoType].includes(payload[0]!);
  } catch {
    return false;
  }
}

/** Witness version 0 with Bech32 (BIP 173), version 1 with Bech32m (BIP 350). Coins sent to later versions would be lost. */
function isSegwitAddress(cryptoType: CryptoType, text: string): boolean {
  return isWitness(bech32, 0, [20, 32]) || isWitness(bech32m, 1, [32]);

  function isWitness(encoding: typeof bech32 | typeof bech32m, version: number, lengths: readonly number[]): boolean {
    const decoded = encoding.decodeUnsafe(text);
    if (!decoded || decoded.prefix !== COINS[cryptoType].segwitPrefix || decoded.words[0] !== version) return false;
    const program = encoding.fromWordsUnsafe(decoded.words.slice(1));
    return program instanceof Uint8Array && lengths.includes(program.length);
  }
}
