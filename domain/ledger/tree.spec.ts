import { createHash } from 'node:crypto';
import { addEntry, addLeaf, EMPTY_TREE, rootOf } from './tree.js';

const sha256 = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const leafHash = (entry: Buffer): string => sha256(Buffer.of(0), entry).toString('hex');

/** The recursive definition of RFC 6962 §2.1. */
function mth(entries: readonly Buffer[]): Buffer {
  if (entries.length === 0) return sha256();
  if (entries.length === 1) return Buffer.from(leafHash(entries[0] as Buffer), 'hex');
  const largestPowerBelow = 2 ** Math.floor(Math.log2(entries.length - 1));
  return sha256(Buffer.of(1), mth(entries.slice(0, largestPowerBelow)), mth(entries.slice(largestPowerBelow)));
}

describe('the roots of the test vectors of Certificate Transparency', () => {
  // Entries and roots as in the reference implementation's merkle tree tests, as bytes in hex.
  const entries = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ].map((hex) => Buffer.from(hex, 'hex'));
  const roots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];

  it.each(roots.map((root, size) => [size, root] as const))('of %i entries', (size, root) => {
    expect(rootOf(entries.slice(0, size).map(leafHash).reduce(addLeaf, EMPTY_TREE))).toBe(root);
  });
});

it('has the root of the definition for any number of chain hashes, and leaves smaller trees as they were', () => {
  const chains = Array.from({ length: 300 }, (_, number) => sha256(Buffer.from(`event ${number}`)));
  const trees = [EMPTY_TREE];
  for (const chain of chains) trees.push(addEntry(trees.at(-1)!, chain.toString('hex')));
  for (const [size, tree] of trees.entries()) {
    expect([tree.size, rootOf(tree)]).toEqual([size, mth(chains.slice(0, size)).toString('hex')]);
    expect(tree.peaks).toHaveLength(size.toString(2).replaceAll('0', '').length);
  }
});
