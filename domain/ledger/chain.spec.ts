import { createHash } from 'node:crypto';
import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import { adminEnrolled, BOB, funded } from '../testing/events.js';
import { canonicalJson } from './canonical-json.js';
import { CHAIN_START, chainAfter, commandHashOf, isChained } from './chain.js';

const metadata: Omit<LedgerMetadata, 'chain'> = {
  commandId: 'c1',
  commandHash: 'ab',
  actor: { id: 'system', role: 'system' },
  at: 1_767_268_800_000,
  schema: 1,
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

it('is SHA-256 over the previous chain, the type, and the hash of the id and the canonical JSON of data and metadata', () => {
  const content = [
    'e1',
    '{"gamerId":"admin","parentId":null,"slot":null,"sponsorId":null}',
    '{"actor":{"id":"system","role":"system"},"at":1767268800000,"commandHash":"ab","commandId":"c1","schema":1}',
    '',
  ].join('\n');
  const expected = sha256(`${'0'.repeat(64)}\nGamerEnrolled\n${sha256(content)}\n`);
  expect(chainAfter(CHAIN_START, 'e1', adminEnrolled(), metadata)).toBe(expected);
});

it('changes with every input', () => {
  const event = funded(BOB, 100);
  const chains = [
    chainAfter(CHAIN_START, 'e1', event, metadata),
    chainAfter('1'.repeat(64), 'e1', event, metadata),
    chainAfter(CHAIN_START, 'e2', event, metadata),
    chainAfter(CHAIN_START, 'e1', funded(BOB, 101), metadata),
    chainAfter(CHAIN_START, 'e1', { type: 'DepositorStatusSet', data: { gamerId: BOB, untilEpochMs: 100 } }, metadata),
    chainAfter(CHAIN_START, 'e1', event, { ...metadata, commandId: 'c2' }),
    chainAfter(CHAIN_START, 'e1', event, { ...metadata, commandHash: 'ac' }),
    chainAfter(CHAIN_START, 'e1', event, { ...metadata, actor: { id: 'system', role: 'admin' } }),
    chainAfter(CHAIN_START, 'e1', event, { ...metadata, actor: { id: 'bob', role: 'system' } }),
    chainAfter(CHAIN_START, 'e1', event, { ...metadata, at: metadata.at + 1 }),
    chainAfter(CHAIN_START, 'e1', event, { ...metadata, schema: 2 }),
  ];
  expect(new Set(chains).size).toBe(chains.length);
});

it('does not depend on the order of members, nor on the chain in the metadata', () => {
  const { data } = funded(BOB, 100);
  const shuffled = Object.fromEntries(Object.entries(data).reverse()) as typeof data;
  const carrying: LedgerMetadata = { ...metadata, chain: 'something' };
  expect(chainAfter(CHAIN_START, 'e1', { type: 'BalanceAdjusted', data: shuffled }, carrying)).toBe(
    chainAfter(CHAIN_START, 'e1', { type: 'BalanceAdjusted', data }, metadata),
  );
});

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
