import { CHAIN_START, chainAfter } from '../../../../domain/ledger/chain.js';
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

it('the chain hash recomputed in the browser does not depend on the order of members, and covers any text', async () => {
  const words = { ...event, data: { ...event.data, reason: 'Großmutter, 10 € \u2028 “ok”' } } as typeof event;
  const stored = chainAfter(CHAIN_START, 'e1', words, metadata);
  const turned = Object.fromEntries(Object.entries(words.data).reverse());
  const recorded = { id: 'e1', type: event.type, data: turned, metadata: { ...metadata, chain: stored } };
  expect(await recomputed(CHAIN_START, [recorded])).toBe(stored);
});
