import { CHAIN_START, chainAfter } from '../../../../../domain/chain.js';
import { BOB, funded } from '../../../../../domain/testing/events.js';
import { recomputedChain } from './chain.js';

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

describe('the chain as a browser works it out', () => {
  it('is the one the server wrote', async () => {
    expect(await recomputedChain({ recorded, chain })).toBe(stored);
  });

  it('is it in whatever order the members came, with words of any language', async () => {
    const words = { ...event, data: { ...event.data, reason: 'Großmutter, 10 € \u2028 “ok”' } } as typeof event;
    const written = chainAfter(CHAIN_START, 'e1', words, metadata);
    const turned = Object.fromEntries(Object.entries(words.data).reverse());
    expect(await recomputedChain({ recorded: { ...recorded, data: turned }, chain })).toBe(written);
  });

  it.each([
    ['another event before it', { recorded, chain: { ...chain, before: '1'.repeat(64) } }],
    ['another id', { recorded: { ...recorded, id: 'e2' }, chain }],
    ['another type', { recorded: { ...recorded, type: 'GameReset' }, chain }],
    ['other data', { recorded: { ...recorded, data: { ...event.data, x: 1 } }, chain }],
    ['another time', { recorded: { ...recorded, metadata: { ...metadata, at: 1 } }, chain }],
    ['another actor', { recorded: { ...recorded, metadata: { ...metadata, actor: { id: 'bob' } } }, chain }],
  ])('is another with %s', async (_, changed) => {
    expect(await recomputedChain(changed)).not.toBe(stored);
  });
});
