import { addLeaf, emptyTree, leafHash, rootOf } from '../../../../../domain/merkle.js';
import { rootFrom } from './merkle.js';

const treeOf = (entries: string[]) => entries.reduce((tree, entry) => addLeaf(tree, entry), emptyTree);
const entries = ['p0 bob 3 1767268800000', 'p1 carol 1 1767268801000', 'p2 bob 1 1767268802000'];
const root = rootOf(treeOf(entries));
const hashOf = (entry: string): string => leafHash(entry).toString('hex');

describe('a Merkle proof as a browser checks it', () => {
  it('leads from a leaf to the root, its neighbours on the side they stand', async () => {
    const [first, second, third] = entries as [string, string, string];
    const left = rootOf(treeOf([first, second]));
    expect(await rootFrom({ leaf: third, path: [{ side: 'left', hash: left }] })).toBe(root);
    const path = [
      { side: 'left' as const, hash: hashOf(first) },
      { side: 'right' as const, hash: hashOf(third) },
    ];
    expect(await rootFrom({ leaf: second, path })).toBe(root);
  });

  it('of a round of one purchase is that purchase', async () => {
    expect(await rootFrom({ leaf: 'p0 bob 1 5', path: [] })).toBe(rootOf(treeOf(['p0 bob 1 5'])));
  });

  it('leads elsewhere when a word of the leaf or a side is another', async () => {
    const [first, second, third] = entries as [string, string, string];
    const path = [
      { side: 'left' as const, hash: hashOf(first) },
      { side: 'right' as const, hash: hashOf(third) },
    ];
    expect(await rootFrom({ leaf: `${second}0`, path })).not.toBe(root);
    const turned = [{ side: 'right' as const, hash: hashOf(first) }, ...path.slice(1)];
    expect(await rootFrom({ leaf: second, path: turned })).not.toBe(root);
  });

  it('with a hash that is none is refused', async () => {
    await expect(rootFrom({ leaf: 'p', path: [{ side: 'left', hash: 'xyz' }] })).rejects.toThrow('no lower-case hex');
  });
});
