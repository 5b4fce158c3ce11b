import { CHAIN_START, chainAfter, contentHashOf } from '../../../../domain/ledger/chain.js';
import { BOB } from '../../../../domain/testing/constants.js';
import { funded } from '../../../../domain/testing/gamers.js';
import { chainAfter as recomputed } from './recompute.js';

const metadata: Parameters<typeof chainAfter>[3] = {
  commandId: 'c1',
  commandHash: 'ab',
  actor: { id: 'system', role: 'system' },
  at: 1_767_268_800_000,
  schema: 1,
};
const event = funded(BOB, 100);
const stored = chainAfter(CHAIN_START, 'e1', event, metadata);
const recorded = { id: 'e1', type: event.type, data: { ...event.data }, metadata: { ...metadata, chain: stored } };

describe('the chain hash recomputed in the browser', () => {
  it('equals the stored hash', async () => {
    expect(await recomputed(CHAIN_START, [recorded])).toBe(stored);
  });

  it('does not depend on the order of JSON members, and covers any Unicode text', async () => {
    const words = { ...event, data: { ...event.data, reason: 'Großmutter, 10 € \u2028 “ok”' } } as typeof event;
    const written = chainAfter(CHAIN_START, 'e1', words, metadata);
    const turned = Object.fromEntries(Object.entries(words.data).reverse());
    expect(await recomputed(CHAIN_START, [{ ...recorded, data: turned }])).toBe(written);
  });

  it('is the same when an event shows only its type and content hash', async () => {
    const closed = { type: event.type, contentHash: contentHashOf('e1', event.data, metadata) };
    const next = { ...recorded, id: 'e2' };
    const after = chainAfter(stored, 'e2', event, metadata);
    for (const first of [recorded, closed]) expect(await recomputed(CHAIN_START, [first, next])).toBe(after);
  });
});
