import { CHAIN_START, chainAfter } from '../../../../domain/ledger/chain.js';
import { addLeaf, emptyTree, leafHash, rootOf } from '../../../../domain/ledger/merkle.js';
import { BOB, funded } from '../../../../domain/testing/events.js';
import { recomputeChain, recomputeRoot } from './recompute.js';

const metadata: Parameters<typeof chainAfter>[3] = {
  commandId: 'c1',
  commandHash: 'ab',
  actor: { id: 'system', role: 'system' },
  at: 1_767_268_800_000,
  schema: 1,
};
const event = funded(BOB, 100);
const stored = chainAfter(CHAIN_START, 'e1', event, metadata);
const chain = { before: CHAIN_START, stored, recomputed: stored };
const recorded = {
  id: 'e1',
  stream: 'ledger',
  revision: 0,
  position: '12',
  type: event.type,
  data: event.data as object,
  metadata: { ...metadata, chain: stored } as object,
};

describe('the chain hash recomputed in the browser', () => {
  it('equals the stored hash', async () => {
    expect(await recomputeChain({ recorded, chain })).toBe(stored);
  });

  it('does not depend on the order of JSON members, and covers any Unicode text', async () => {
    const words = { ...event, data: { ...event.data, reason: 'Großmutter, 10 € \u2028 “ok”' } } as typeof event;
    const written = chainAfter(CHAIN_START, 'e1', words, metadata);
    const turned = Object.fromEntries(Object.entries(words.data).reverse());
    expect(await recomputeChain({ recorded: { ...recorded, data: turned }, chain })).toBe(written);
  });

  it.each([
    ['another event before it', { recorded, chain: { ...chain, before: '1'.repeat(64) } }],
    ['another id', { recorded: { ...recorded, id: 'e2' }, chain }],
    ['another type', { recorded: { ...recorded, type: 'GameReset' }, chain }],
    ['other data', { recorded: { ...recorded, data: { ...event.data, x: 1 } }, chain }],
    ['another time', { recorded: { ...recorded, metadata: { ...metadata, at: 1 } }, chain }],
    ['another actor', { recorded: { ...recorded, metadata: { ...metadata, actor: { id: 'bob' } } }, chain }],
  ])('differs for %s', async (_, changed) => {
    expect(await recomputeChain(changed)).not.toBe(stored);
  });
});

const treeOf = (entries: string[]) => entries.reduce((tree, entry) => addLeaf(tree, entry), emptyTree);
const entries = ['p0 bob 3 1767268800000', 'p1 carol 1 1767268801000', 'p2 bob 1 1767268802000'];
const root = rootOf(treeOf(entries));
const hashOf = (entry: string): string => leafHash(entry).toString('hex');

describe('the Merkle root recomputed in the browser', () => {
  it('equals the stored root, with each sibling hashed on its side', async () => {
    const [first, second, third] = entries as [string, string, string];
    const left = rootOf(treeOf([first, second]));
    expect(await recomputeRoot({ leaf: third, path: [{ side: 'left', hash: left }] })).toBe(root);
    const path = [
      { side: 'left' as const, hash: hashOf(first) },
      { side: 'right' as const, hash: hashOf(third) },
    ];
    expect(await recomputeRoot({ leaf: second, path })).toBe(root);
  });

  it('of a single purchase is the hash of its entry', async () => {
    expect(await recomputeRoot({ leaf: 'p0 bob 1 5', path: [] })).toBe(rootOf(treeOf(['p0 bob 1 5'])));
  });

  it('differs for another entry or another side', async () => {
    const [first, second, third] = entries as [string, string, string];
    const path = [
      { side: 'left' as const, hash: hashOf(first) },
      { side: 'right' as const, hash: hashOf(third) },
    ];
    expect(await recomputeRoot({ leaf: `${second}0`, path })).not.toBe(root);
    const turned = [{ side: 'right' as const, hash: hashOf(first) }, ...path.slice(1)];
    expect(await recomputeRoot({ leaf: second, path: turned })).not.toBe(root);
  });

  it('refuses a path with a malformed hash', async () => {
    await expect(recomputeRoot({ leaf: 'p', path: [{ side: 'left', hash: 'xyz' }] })).rejects.toThrow(
      'no lower-case hex',
    );
  });
});
