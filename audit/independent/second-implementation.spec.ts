/* The auditor's own chain, canonical JSON, postings and Merkle root, against those of the deciders and a library. */
import fc from 'fast-check';
import { canonicalize } from 'json-canonicalize';
import { caseCount } from '../../contracts/testing/case-count.js';
import { addLeaf, emptyTree, merkleEntryOf, rootOf } from '../../domain/ledger/merkle.js';
import { tokenPurchased } from '../../domain/testing/events.js';
import { MerkleRoot, purchaseEntry } from '../proof/merkle.js';
import { canonicalJson } from '../replay/canonical-json.js';

describe('the auditor’s canonical JSON', () => {
  it('writes any JSON as RFC 8785 requires', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 4 }), (value) => {
        const text = canonicalize(value);
        expect(canonicalJson(value)).toBe(text);
        // Members that stand in their order already take another way.
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
      { numRuns: caseCount(1_000) },
    );
  });

  it('sorts members by UTF-16 units, and leaves out members without a value', () => {
    expect(canonicalJson({ b: 1, a: { 10: 'x', 9: 'y' }, c: undefined, '\ud83d\ude00': 3, '\ufb33': 4 })).toBe(
      '{"a":{"10":"x","9":"y"},"b":1,"\ud83d\ude00":3,"\ufb33":4}',
    );
  });

  it('throws on values that JSON cannot hold', () => {
    for (const value of [Number.NaN, undefined, [undefined], 1n, '\ud800', { '\udc00': 1 }, { a: '\udc00' }]) {
      expect(() => canonicalJson(value)).toThrow('no canonical JSON');
    }
  });
});

it('the auditor’s Merkle root is that of the deciders, for every number of purchases', () => {
  const root = new MerkleRoot();
  let tree = emptyTree;
  expect(root.hex).toBe(rootOf(tree));
  for (let number = 1; number <= 40; number += 1) {
    const bought = {
      purchaseId: `p${number}`,
      buyerId: 'bob',
      quantity: number,
      jackpotCents: 0,
      purchaseBalanceCents: 0,
    };
    const { data } = tokenPurchased(bought);
    root.add(purchaseEntry(data, number));
    tree = addLeaf(tree, merkleEntryOf(data, number));
    expect(root.hex).toBe(rootOf(tree));
  }
});
