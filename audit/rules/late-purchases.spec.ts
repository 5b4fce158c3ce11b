import type { LateEvent } from '../../contracts/events/late-events.js';
import type { Recorded } from '../../contracts/events/recorded.js';
import { LatePurchases } from './late-purchases.js';

const END = 1_000_000;
const ended = [{ roundId: 7, winnerId: 'bob', jackpotCents: 13, endedAtMs: END }];
const data = { roundId: 7, gamerId: 'alice', quantity: 1, receivedAtEpochMs: END + 41, endedAtMs: END };

interface Changes extends Partial<typeof data> {
  stream?: string;
  actorId?: string;
  role?: 'gamer' | 'operator';
  atMs?: number;
}

function findings(changes: Changes[], lastRoundId = 8, losses: number[] = []): string[] {
  const late = new LatePurchases();
  for (const [
    index,
    { stream = 'late-7', actorId = 'alice', role = 'gamer', atMs = END + 345, ...changed },
  ] of changes.entries()) {
    const event: LateEvent = { type: 'PurchaseCameLate', data: { ...data, ledgerSize: 90, ...changed } };
    const metadata = { commandId: `c${index}`, actor: { id: actorId, role }, at: atMs, schema: 1 } as const;
    late.take({ id: 'e', stream, revision: index, position: '1', event, metadata } satisfies Recorded);
  }
  expect(late.count).toBe(changes.length);
  const all = late.findings(ended, lastRoundId, losses);
  expect(all.every(({ revision }) => revision === 89)).toBe(true);
  return all.map(({ message }) => message);
}

it('finds nothing wrong with purchases that came at zero or up to ten seconds after it', () => {
  expect(findings([{ receivedAtEpochMs: END }, {}, { receivedAtEpochMs: END + 10_000 }])).toEqual([]);
});

it.each<[string, Changes]>([
  ['came 1 ms before zero: it should have counted', { receivedAtEpochMs: END - 1 }],
  ['says that the round ended at 1000050, not at 1000000', { endedAtMs: END + 50, receivedAtEpochMs: END + 60 }],
  ['came 10001 ms after zero, later than such purchases are recorded', { receivedAtEpochMs: END + 10_001 }],
  ['stands in late-6', { stream: 'late-6' }],
  ['was sent by gamer bob', { actorId: 'bob' }],
  ['was sent by operator alice', { role: 'operator' }],
])('finds one that %s', (message, changed) => {
  expect(findings([changed])).toEqual([`the late purchase c0 of alice in round 7 ${message}`]);
});

it('finds more than three of one gamer', () => {
  expect(findings([{}, {}, {}, { gamerId: 'bob', actorId: 'bob' }])).toEqual([]);
  expect(findings([{}, {}, {}, {}])).toEqual([
    'the late purchase c3 of alice in round 7 is number 4, and 3 are recorded at most',
  ]);
});

it('finds a late purchase of a reset round, and skips a round that may have ended since', () => {
  const stream = 'late-6';
  expect(findings([{ roundId: 6, stream }])).toEqual([
    'the late purchase c0 of alice in round 6 missed the end of a round that has none',
  ]);
  expect(findings([{ roundId: 6, stream }], 6)).toEqual([]);
  expect(findings([{ actorId: 'bob' }], 7)).toHaveLength(1);
});

it('does not compare a late purchase whose round’s end was lost', () => {
  const lost = { endedAtMs: END - 500, receivedAtEpochMs: END - 400, atMs: END };
  expect(findings([lost], 8, [END])).toEqual([]);
  expect(findings([{ actorId: 'bob' }], 8, [END + 345])).toHaveLength(1);
  expect(findings([lost], 8, [END - 1])).toHaveLength(2);
});
