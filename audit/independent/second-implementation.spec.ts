/* The auditor's own canonical JSON and Merkle tree, against those of the deciders and a library. */
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { canonicalize } from 'json-canonicalize';
import { caseCount } from '../../contracts/testing/case-count.js';
import { addEntry, EMPTY_TREE, rootOf } from '../../domain/ledger/tree.js';
import { LedgerTree } from '../proof/tree.js';
import { canonicalJson } from '../replay/chain.js';

it('writes any JSON as RFC 8785 requires', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 4 }), (value) => {
      const text = canonicalize(value);
      expect(canonicalJson(value)).toBe(text);
      // Members that stand in their order already take another way.
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
    { numRuns: caseCount(100, 10_000) },
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

it('the auditor’s Merkle tree is that of the nodes, for every number of events', () => {
  const own = new LedgerTree();
  let tree = EMPTY_TREE;
  for (let size = 0; size <= 40; size += 1) {
    expect(own.root).toBe(rootOf(tree));
    const chain = hash('sha256', `event ${size}`);
    own.add(chain);
    tree = addEntry(tree, chain);
  }
});
