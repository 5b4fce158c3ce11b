import { leafOf, sha256, treeHash, VECTOR_ENTRIES, VECTOR_ROOTS } from '../../contracts/testing/rfc6962.js';
import { addEntry, addLeaf, EMPTY_TREE, rootOf } from './tree.js';

it.each(VECTOR_ROOTS.map((root, size) => [size, root] as const))(
  'has the root of the published test vectors for %i entries',
  (size, root) => {
    const leaves = VECTOR_ENTRIES.slice(0, size).map((entry) => leafOf(entry).toString('hex'));
    expect(rootOf(leaves.reduce(addLeaf, EMPTY_TREE))).toBe(root);
  },
);

it('has the root of the definition for any number of chain hashes, and leaves smaller trees as they were', () => {
  const chains = Array.from({ length: 300 }, (_, number) => sha256(Buffer.from(`event ${number}`)));
  const trees = [EMPTY_TREE];
  for (const chain of chains) trees.push(addEntry(trees.at(-1)!, chain.toString('hex')));
  for (const [size, tree] of trees.entries()) {
    if (size > 70 && size % 23 > 0) continue; // Each shape of a small tree, and some of the larger ones.
    expect([tree.size, rootOf(tree)]).toEqual([size, treeHash(chains.slice(0, size).map(leafOf)).toString('hex')]);
    expect(tree.peaks).toHaveLength(size.toString(2).replaceAll('0', '').length);
  }
});
