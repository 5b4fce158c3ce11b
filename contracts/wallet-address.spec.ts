import { createHash } from 'node:crypto';
import { bech32, bech32m, createBase58check } from '@scure/base';
import fc from 'fast-check';
import { CRYPTO_TYPES, type CryptoType, looksLikeWalletAddress } from './crypto.js';
import { paidScript } from './paid-script.js';
import { isWalletAddress } from './wallet-address.js';

const base58check = createBase58check(
  (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest()),
);
const base58 = (version: number, hash: Uint8Array) => base58check.encode(Uint8Array.from([version, ...hash]));
const segwit = (prefix: string, version: 0 | 1, program: Uint8Array) => {
  const encoding = version === 0 ? bech32 : bech32m;
  return encoding.encode(prefix, [version, ...encoding.toWords(program)]);
};

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const addresses: Record<CryptoType, fc.Arbitrary<string>> = {
  BTC: fc.oneof(
    ...[0x00, 0x05].map((version) => bytes(20).map((hash) => base58(version, hash))),
    bytes(20).map((hash) => segwit('bc', 0, hash)),
    bytes(32).map((hash) => segwit('bc', 0, hash)),
    bytes(32).map((hash) => segwit('bc', 1, hash)),
  ),
  LTC: fc.oneof(
    ...[0x30, 0x32, 0x05].map((version) => bytes(20).map((hash) => base58(version, hash))),
    bytes(20).map((hash) => segwit('ltc', 0, hash)),
    bytes(32).map((hash) => segwit('ltc', 0, hash)),
    bytes(32).map((hash) => segwit('ltc', 1, hash)),
  ),
  TRX: bytes(20).map((hash) => base58(0x41, hash)),
  DOGE: fc.oneof(...[0x1e, 0x16].map((version) => bytes(20).map((hash) => base58(version, hash)))),
};

/** Addresses from the BIPs, the coins' own documentation and well-known public wallets. */
const KNOWN: [CryptoType, string][] = [
  ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['BTC', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['BTC', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  ['BTC', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['TRX', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
];

describe.each(CRYPTO_TYPES)('a %s address', (cryptoType) => {
  it('is accepted by its shape and by its checksum', () => {
    fc.assert(
      fc.property(addresses[cryptoType], (address) => {
        expect([address, isWalletAddress(cryptoType, address)]).toEqual([address, true]);
        expect([address, looksLikeWalletAddress(cryptoType, address)]).toEqual([address, true]);
      }),
    );
  });

  it('is refused with any one character mistyped', () => {
    const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0';
    fc.assert(
      fc.property(addresses[cryptoType], fc.nat(), fc.nat(), (address, where, what) => {
        const at = where % address.length;
        const letter = alphabet[what % alphabet.length]!;
        fc.pre(letter !== address[at]);
        const mistyped = address.slice(0, at) + letter + address.slice(at + 1);
        expect([mistyped, isWalletAddress(cryptoType, mistyped)]).toEqual([mistyped, false]);
      }),
    );
  });
});

it.each(KNOWN)('knows the %s address %s', (cryptoType, address) => {
  expect(isWalletAddress(cryptoType, address)).toBe(true);
  expect(looksLikeWalletAddress(cryptoType, address)).toBe(true);
});

it.each<[CryptoType, string, string]>([
  ['BTC', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'testnet'],
  ['BTC', 'bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'mixed case'],
  ['BTC', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 'a later witness version'],
  ['BTC', 'BC1SW50QGDZ25J', 'a later witness version, short'],
  ['BTC', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'version 1 with the checksum of version 0'],
  ['BTC', ' 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'a space before'],
  ['BTC', '', 'nothing'],
  ['LTC', 'ltcmweb1qqw508d6qejxtdg4y5r3zarvary0c5xw7k', 'an extension block'],
  ['LTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'Bitcoin SegWit'],
  ['LTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'Bitcoin'],
  ['BTC', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TRON'],
  ['TRX', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'Bitcoin'],
  ['DOGE', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'a script of Bitcoin'],
  ['TRX', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'hexadecimal'],
  ['DOGE', `D${'1'.repeat(200)}`, 'far too long'],
])('refuses for %s %s: %s', (cryptoType, address) => {
  expect(isWalletAddress(cryptoType, address)).toBe(false);
});

it('are the same when they pay the same script: SegWit in capitals, a Litecoin script with either version', () => {
  const script = new Uint8Array(20).fill(7);
  expect(paidScript('BTC', 'BC1SW50QGDZ25J')).toBe('bc1sw50qgdz25j');
  expect(paidScript('LTC', base58(0x05, script))).toBe(paidScript('LTC', base58(0x32, script)));
  const others = [base58(0x30, script), base58(0x32, script.with(0, 8)), base58(0x32, script), 'erased'];
  expect(new Set(others.map((text) => paidScript('LTC', text))).size).toBe(4);
  expect(paidScript('BTC', base58(0x05, script))).toBe(base58(0x05, script));
});
