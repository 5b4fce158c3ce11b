import { base58 } from '@scure/base';
import { type CryptoType, isSegwit, looksLikeWalletAddress } from './crypto.js';

const CHECKSUM_LENGTH = 4;
/** Litecoin's script addresses: the old version, identical to Bitcoin's, and the one that replaced it. */
const LITECOIN_SCRIPTS = [0x05, 0x32];

/** Identifies the script that an address pays, for comparisons. It checks no checksum (`isWalletAddress` does), so it works in browsers. */
export function paidScript(cryptoType: CryptoType, text: string): string {
  // Case counts in all others.
  if (isSegwit(cryptoType, text)) return text.toLowerCase();
  if (cryptoType !== 'LTC' || !looksLikeWalletAddress(cryptoType, text)) return text;
  const [version = 0, ...hash] = base58.decode(text).slice(0, -CHECKSUM_LENGTH);
  return LITECOIN_SCRIPTS.includes(version) ? `script ${base58.encode(Uint8Array.from(hash))}` : text;
}
