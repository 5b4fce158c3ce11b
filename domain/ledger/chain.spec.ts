import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import { BOB } from '../testing/constants.js';
import { funded } from '../testing/gamers.js';
import { canonicalJson } from './canonical-json.js';
import { CHAIN_START, chainAfter, commandHashOf, isChained } from './chain.js';

const metadata: Omit<LedgerMetadata, 'chain'> = {
  commandId: 'c1',
  commandHash: 'ab',
  actor: { id: 'system', role: 'system' },
  at: 1_767_268_800_000,
  schema: 1,
};

describe('the hash of a command', () => {
  const buy = { type: 'BuyTokens', buyerId: BOB, quantity: 1 } as const;

  it('is the same for the same command and actor', () => {
    expect(commandHashOf({ quantity: 1, buyerId: BOB, type: 'BuyTokens' }, BOB)).toBe(commandHashOf(buy, BOB));
  });

  it('differs for another command or another actor', () => {
    const hashes = [
      commandHashOf(buy, BOB),
      commandHashOf({ ...buy, quantity: 2 }, BOB),
      commandHashOf({ ...buy, buyerId: 'alice' }, BOB),
      commandHashOf(buy, 'alice'),
      commandHashOf({ type: 'StartGame' }, BOB),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('throws on commands that JSON cannot hold', () => {
    expect(() => commandHashOf({ ...buy, quantity: Number.NaN }, BOB)).toThrow();
    expect(() => commandHashOf({ type: 'ResetGame', reason: '\ud800' }, BOB)).toThrow();
  });
});

describe('a recorded event', () => {
  const event = funded(BOB, 100);
  const chain = chainAfter(CHAIN_START, 'e1', event, metadata);
  const recorded = { id: 'e1', stream: 'ledger', revision: 0, position: '1', event, metadata: { ...metadata, chain } };

  it('is chained by its data, whatever text the log holds', () => {
    expect(isChained(CHAIN_START, recorded)).toBe(true);
    expect(isChained(CHAIN_START, { ...recorded, dataText: canonicalJson(event.data) })).toBe(true);
    expect(isChained(CHAIN_START, { ...recorded, dataText: JSON.stringify(event.data, null, 2) })).toBe(true);
  });

  it('is not chained when its data, metadata or the event before it changed', () => {
    const changed = funded(BOB, 101);
    const texts = [undefined, canonicalJson(changed.data), JSON.stringify(changed.data)];
    for (const dataText of texts) expect(isChained(CHAIN_START, { ...recorded, event: changed, dataText })).toBe(false);
    const dataText = canonicalJson(event.data);
    const later = { ...recorded.metadata, at: metadata.at + 1 };
    expect(isChained(CHAIN_START, { ...recorded, metadata: later, dataText })).toBe(false);
    expect(isChained('1'.repeat(64), { ...recorded, dataText })).toBe(false);
  });
});
