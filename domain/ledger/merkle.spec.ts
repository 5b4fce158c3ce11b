import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { caseCount } from '../../contracts/testing/case-count.js';
import {
  addLeaf,
  emptyTree,
  leafHash,
  type MerkleTree,
  type ProofPath,
  ProvenTree,
  rootFromProof,
  rootOf,
} from './merkle.js';

const sha256 = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const treeOf = (entries: string[]): MerkleTree => entries.reduce((tree, entry) => addLeaf(tree, entry), emptyTree);

/** The recursive definition of RFC 6962 §2.1. */
function mth(entries: string[]): Buffer {
  if (entries.length === 0) return sha256('');
  if (entries.length === 1) return sha256(Buffer.from([0]), entries[0] as string);
  const k = splitOf(entries.length);
  return sha256(Buffer.from([1]), mth(entries.slice(0, k)), mth(entries.slice(k)));
}

/** The audit path of entry `m` by the definition of RFC 6962 §2.1.1. */
function path(m: number, entries: string[]): Buffer[] {
  if (entries.length === 1) return [];
  const k = splitOf(entries.length);
  const [left, right] = [entries.slice(0, k), entries.slice(k)];
  return m < k ? [...path(m, left), mth(right)] : [...path(m - k, right), mth(left)];
}

/** The largest power of two smaller than `size`. */
const splitOf = (size: number): number => 2 ** Math.floor(Math.log2(size - 1));

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
  ].map((hex) => Buffer.from(hex, 'hex').toString('latin1'));
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
    expect(rootOf(treeOf(entries.slice(0, size)))).toBe(root);
  });
});

it('has the root of the definition for any number of entries', () => {
  const entries: string[] = [];
  let tree = emptyTree;
  for (let size = 0; size <= 130; size += 1) {
    expect({ size, root: rootOf(tree) }).toEqual({ size, root: mth(entries).toString('hex') });
    entries.push(`p${size} bob ${size} 1767268800000`);
    tree = addLeaf(tree, entries.at(-1) as string);
  }
});

describe('a proof', () => {
  const entries = Array.from({ length: 70 }, (_, i) => `p${i} bob ${i} 1767268800000`);

  function proofOf(list: readonly string[], index: number): ProofPath {
    const tree = new ProvenTree();
    for (const [at, entry] of list.entries()) tree.add(entry, at === index);
    expect(tree).toMatchObject({ size: list.length, index });
    return tree.finish();
  }

  it('is the path of the definition and leads to the root, for every entry of small trees and around powers of two', () => {
    const sizes = [...Array(20).keys()].map((size) => size + 1).concat(31, 32, 33, 63, 64, 65);
    for (const size of sizes) {
      const list = entries.slice(0, size);
      const root = rootOf(treeOf(list));
      for (const [index, entry] of list.entries()) {
        const proof = proofOf(list, index);
        expect(proof.map(({ hash }) => hash)).toEqual(path(index, list).map((hash) => hash.toString('hex')));
        expect(rootFromProof(leafHash(entry), proof)).toBe(root);
      }
    }
  });

  it('proves only its own entry, and only complete', () => {
    const list = fc.uniqueArray(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 300 });
    fc.assert(
      fc.property(list, fc.nat(), fc.nat(), (list, pick, other) => {
        const index = pick % list.length;
        const leaf = leafHash(list[index] as string);
        const proof = proofOf(list, index);
        const root = rootOf(treeOf(list));
        expect(rootFromProof(leaf, proof)).toBe(root);
        const wrong = other % list.length;
        if (wrong !== index) expect(rootFromProof(leafHash(list[wrong] as string), proof)).not.toBe(root);
        const turned = proof.map(({ side, hash }) => ({ side: side === 'left' ? 'right' : 'left', hash }) as const);
        expect(rootFromProof(leaf, turned)).not.toBe(root);
        expect(rootFromProof(leaf, proof.slice(1))).not.toBe(root);
      }),
      { numRuns: caseCount(100) },
    );
  });
});
