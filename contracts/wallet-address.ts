import { createHash } from 'node:crypto';
import { bech32, bech32m, createBase58check } from '@scure/base';
import type { CryptoType } from './crypto.js';

/* For the server only: Base58's checksum needs a synchronous SHA-256, which browsers do not have. The client checks the shape. */

interface AddressRules {
  /** First byte of the decoded Base58 address, before the 20 bytes of a key's or script's hash. */
  base58Versions: readonly number[];
  /** Human-readable part of SegWit addresses, where the coin has them. */
  segwitPrefix?: string;
}

/** Prefixes from `chainparams.cpp` of each coin's own node; TRON's from its address format. */
export const ADDRESS_RULES: Record<CryptoType, AddressRules> = {
  BTC: { base58Versions: [0x00, 0x05], segwitPrefix: 'bc' },
  // 0x05 is Litecoin's old script address, identical to Bitcoin's; 0x32 replaced it.
  LTC: { base58Versions: [0x30, 0x32, 0x05], segwitPrefix: 'ltc' },
  TRX: { base58Versions: [0x41] },
  DOGE: { base58Versions: [0x1e, 0x16] },
};

const HASH_LENGTH = 20;
/** The maximum by BIP 173. */
const SEGWIT_MAX_LENGTH = 90;
const LONGEST_ADDRESS = 90;

export const base58check = createBase58check(
  (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest()),
);

export function isWalletAddress(cryptoType: CryptoType, text: string): boolean {
  if (text.length > LONGEST_ADDRESS) return false;
  const { base58Versions, segwitPrefix } = ADDRESS_RULES[cryptoType];
  if (segwitPrefix !== undefined && text.toLowerCase().startsWith(`${segwitPrefix}1`))
    return isSegwitAddress(segwitPrefix, text);
  try {
    const payload = base58check.decode(text);
    return payload.length === HASH_LENGTH + 1 && base58Versions.includes(payload[0]!);
  } catch {
    return false;
  }
}

/** Witness version 0 with Bech32 (BIP 173), version 1 with Bech32m (BIP 350). Coins sent to later versions would be lost. */
function isSegwitAddress(prefix: string, text: string): boolean {
  return isWitness(bech32, 0, [20, 32]) || isWitness(bech32m, 1, [32]);

  function isWitness(encoding: typeof bech32 | typeof bech32m, version: number, lengths: readonly number[]): boolean {
    const decoded = encoding.decodeUnsafe(text, SEGWIT_MAX_LENGTH);
    if (!decoded || decoded.prefix !== prefix || decoded.words[0] !== version) return false;
    const program = encoding.fromWordsUnsafe(decoded.words.slice(1));
    return program instanceof Uint8Array && lengths.includes(program.length);
  }
}
