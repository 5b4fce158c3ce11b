import { createHash, randomBytes } from 'node:crypto';
import { bech32, createBase58check } from '@scure/base';
import type { CryptoType } from '../../contracts/crypto.js';

const base58check = createBase58check(
  (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest()),
);

/**
 * An address of the coin's own form whose last letter is wrong, so that its checksum fails: it looks like the real
 * thing, and no wallet sends money there, whoever scans the code.
 */
export function practiceAddress(cryptoType: CryptoType): string {
  const hash = new Uint8Array(randomBytes(20));
  switch (cryptoType) {
    case 'BTC':
      return withWrongEnd(segwit('bc', hash));
    case 'LTC':
      return withWrongEnd(segwit('ltc', hash));
    case 'TRX':
      return withWrongEnd(base58(0x41, hash));
    case 'DOGE':
      return withWrongEnd(base58(0x1e, hash));
  }
}

const segwit = (prefix: string, hash: Uint8Array): string => bech32.encode(prefix, [0, ...bech32.toWords(hash)]);
const base58 = (version: number, hash: Uint8Array): string => base58check.encode(Uint8Array.from([version, ...hash]));

/** `2` and `3` are letters of both alphabets; a checksum notices that its last letter is another. */
const withWrongEnd = (address: string): string => address.slice(0, -1) + (address.endsWith('2') ? '3' : '2');
