import { CHAIN_START, chainAfter } from '../../../../domain/ledger/chain.js';
import { BOB, funded } from '../../../../domain/testing/events.js';
import { recomputeChain } from './recompute.js';

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
