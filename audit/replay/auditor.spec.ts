import type { LedgerEvent, LedgerEvents, LedgerEventType } from '../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import {
  ALICE,
  BOB,
  bought,
  CAROL,
  DAY,
  depositorUntil,
  enrolledGamers,
  funded,
  gameStarted,
  liveStarted,
  SECOND,
  T0,
  TERMS,
  timeExtended,
  tokenPurchased,
} from '../../domain/testing/events.js';
import { type Happened, recorded } from '../testing/histories.js';
import { Auditor } from './auditor.js';

function audited(events: readonly RecordedLedgerEvent[]): Auditor {
  const auditor = new Auditor();
  for (const event of events) auditor.take(event);
  return auditor;
}

const findingsIn = (happened: readonly Happened[]): string[] =>
  audited(recorded(happened)).findings.map(({ says }) => says);

/** A copy of the history in which the first event of this type is changed. */
const changed =
  <T extends LedgerEventType>(type: T, change: (data: Extract<LedgerEvent, { type: T }>['data']) => void) =>
  (happened: readonly Happened[]): Happened[] => {
    const copy = structuredClone(happened) as Happened[];
    const found = copy.find(({ event }) => event.type === type);
    if (!found) throw new Error(`no ${type} to change`);
    change(found.event.data as never);
    return copy;
  };

const without = (happened: readonly Happened[], type: LedgerEventType): Happened[] =>
  happened.toSpliced(
    happened.findIndex(({ event }) => event.type === type),
    1,
  );

const followedBy =
  (event: LedgerEvent) =>
  (happened: readonly Happened[]): Happened[] => [...happened, { at: (happened.at(-1) as Happened).at, event }];

/** The history with its first purchase decided at this time, and Carol's left out. */
function decidedAt(happened: readonly Happened[], at: number): Happened[] {
  return happened.slice(0, -3).map((one) => (one.at === T0 + SECOND ? { ...one, at } : one));
}

/** Bob, whom Alice referred, buys two tokens; Carol buys one and wins $0.39. */
function round(): Happened[] {
  const END = T0 + 120 * SECOND;
  const paidToAlice = [
    { gamerId: ALICE, level: 1, direct: true, cents: 6 },
  ] satisfies LedgerEvents['TokenPurchased']['allocations'];
  const at = (time: number, ...events: LedgerEvent[]): Happened[] => events.map((event) => ({ event, at: time }));
  return [
    ...at(T0 - 180 * SECOND, ...enrolledGamers(), funded(BOB, 1_000), funded(CAROL, 1_000)),
    ...at(T0 - 180 * SECOND, depositorUntil(ALICE, T0 - 180 * SECOND + 30 * DAY), gameStarted(1, T0)),
    ...at(T0, liveStarted(1, END)),
    ...at(
      T0 + SECOND,
      tokenPurchased({
        purchaseId: 'p1',
        buyerId: BOB,
        quantity: 2,
        allocations: paidToAlice,
        jackpotCents: 26,
        purchaseBalanceCents: 940,
      }),
      timeExtended('p1', BOB, 60, END + 60 * SECOND),
    ),
    ...at(
      T0 + 2 * SECOND,
      ...bought('p2', CAROL, { jackpotCents: 39, balanceCents: 970, endsAtEpochMs: END + 90 * SECOND }),
    ),
    ...at(END + 90 * SECOND + 300, {
      type: 'RoundEnded',
      data: {
        roundId: 1,
        winner: { gamerId: CAROL, purchaseId: 'p2' },
        jackpotCents: 39,
        endedAtEpochMs: END + 90 * SECOND,
        nextRoundAtEpochMs: END + (90 + 14_400) * SECOND + 300,
        purchaseCount: 2,
        merkleRoot: ROOT,
      },
    }),
  ];
}
/** Merkle root of p1 and p2 by RFC 6962: SHA-256 over 0x01 and the hashes of 0x00 and each leaf. */
const ROOT = '9b11e88e41cc001341ba2003598697fa75d40e4158c757f3c6cbf4650bd76888';

describe('the auditor', () => {
  it('proves a round: the last buyer wins the jackpot, to the cent', () => {
    const auditor = audited(recorded(round()));
    expect(auditor.findings).toEqual([]);
    expect(auditor.rounds.ended).toMatchObject([{ roundId: 1, winnerId: CAROL, jackpotCents: 39 }]);
    expect(auditor.accounts.of(`gamer:${CAROL}:winnings`)).toBe(39);
    expect(auditor.accounts.of(`gamer:${ALICE}:winnings`)).toBe(6);
  });

  // A person with write access to the log can also compute matching chains: the rules must find such changes.
  it.each<[string, string, (happened: Happened[]) => Happened[]]>([
    [
      'another winner',
      'names bob',
      changed('RoundEnded', (data) => (data.winner = { gamerId: BOB, purchaseId: 'p1' })),
    ],
    ['no winner', 'names nobody', changed('RoundEnded', (data) => (data.winner = null))],
    [
      'a cent less for the winner',
      'ends with $0.38 of $0.39',
      changed('RoundEnded', (data) => (data.jackpotCents = 38)),
    ],
    [
      'an end before the countdown',
      'ends before its countdown',
      (all) => {
        const copy = structuredClone(all);
        (copy.at(-1) as Happened).at -= 301;
        return copy;
      },
    ],
    ['another Merkle root', 'Merkle root', changed('RoundEnded', (data) => (data.merkleRoot = '0'.repeat(64)))],
    [
      'a cent of the uplines’ share as profit',
      'gives the operator $0.05 for 2 tokens',
      changed('TokenPurchased', (data) => {
        data.houseShareCents += 1;
        data.unclaimedCents -= 1;
      }),
    ],
    ['a missing cent', 'sum to', changed('TokenPurchased', (data) => (data.unclaimedCents -= 1))],
    [
      'an upline who was not entitled',
      'owes nothing',
      changed('TokenPurchased', (data) => {
        data.allocations.push({ gamerId: CAROL, level: 2, direct: false, cents: 4 });
        data.unclaimedCents -= 4;
      }),
    ],
    [
      'an upline who was not paid',
      'owes $0.06 to alice',
      changed('TokenPurchased', (data) => {
        data.unclaimedCents += 6;
        data.allocations = [];
      }),
    ],
    [
      'a token for 29 cents',
      'costs $0.58',
      changed('TokenPurchased', (data) => {
        data.costCents = 58;
        data.unclaimedCents -= 2;
      }),
    ],
    [
      'a purchase by other terms than those of its round',
      'costs $0.60 for 2 tokens at 31 cents',
      changed('GameStarted', (data) => (data.terms = { ...TERMS, tokenPriceCents: 31, jackpotShareCents: 14 })),
    ],
    [
      'terms that give away more than the price',
      'has terms that split $0.31 of $0.30',
      changed('GameStarted', (data) => (data.terms = { ...TERMS, jackpotShareCents: 14 })),
    ],
    [
      'a matrix that becomes narrower',
      'narrows the matrix from 3 to 2',
      changed('GameStarted', (data) => (data.terms = { ...TERMS, matrixWidth: 2 })),
    ],
    [
      'more seconds than were bought',
      'adds 90 s of 60 s',
      changed('TimeExtended', (data) => {
        data.addedSeconds = 90;
        data.endsAtEpochMs += 30 * SECOND;
      }),
    ],
    [
      'a wrong balance after a purchase',
      'states $9.41',
      changed('TokenPurchased', (data) => (data.purchaseBalanceCents += 1)),
    ],
    [
      'a purchase beyond the balance',
      'is at −$',
      changed('BalanceAdjusted', (data) => {
        data.purchaseCents = 0;
        data.purchaseBalanceCents = 0;
      }),
    ],
    [
      'a purchase that arrived at zero',
      'is bought when nothing could be bought',
      (all) =>
        changed(
          'TokenPurchased',
          (data) => (data.receivedAtEpochMs = T0 + 120 * SECOND),
        )(decidedAt(all, T0 + 121 * SECOND)),
    ],
    [
      'a purchase that was decided before it arrived',
      'arrived after its decision',
      changed('TokenPurchased', (data) => (data.receivedAtEpochMs = T0 + 2 * SECOND)),
    ],
    [
      'a purchase that was decided long after its arrival',
      'was decided 6001 ms after its arrival',
      (all) => changed('TokenPurchased', (data) => (data.receivedAtEpochMs = T0 + 3_000))(decidedAt(all, T0 + 9_001)),
    ],
    [
      'a round that ended within the time for decisions',
      'ends before purchases that were on their way could be decided',
      (all) => all.map((one) => (one.event.type === 'RoundEnded' ? { ...one, at: one.at - 1 } : one)),
    ],
    ['a missing purchase', 'extends for p1', (all) => without(all, 'TokenPurchased')],
    ['a missing start of the round', 'while no round is open', (all) => without(all, 'GameStarted')],
    [
      'a place in the matrix that is taken',
      'slot 2 of admin was the first free one',
      followedBy({ type: 'GamerEnrolled', data: { gamerId: 'dan', sponsorId: null, parentId: 'admin', slot: 0 } }),
    ],
    [
      'the return of a withdrawal that was never requested',
      'is not open',
      followedBy({
        type: 'WithdrawalReturned',
        data: { withdrawalId: 'w', gamerId: CAROL, amountCents: 1, adminNotes: null, txid: null },
      }),
    ],
  ])('finds %s', (_name, says, sabotage) => {
    expect(findingsIn(sabotage(round())).join('\n')).toContain(says);
  });

  it.each<[string, string | null, Partial<LedgerEvents['LiveResumed']>, number?]>([
    ['finds no fault in a true outage', null, {}],
    ['finds an outage after zero', 'began after zero', { lastAliveAtEpochMs: T0 + 120 * SECOND }],
    ['finds an event in an outage', 'in which an event was appended', { lastAliveAtEpochMs: T0 - 1 }],
    ['finds a stall that was no outage', 'was no outage', {}, T0 + 118 * SECOND],
    ['finds a wrong length', 'says 51 s of an outage of 50 s', { outageSeconds: 51 }],
    ['finds a wrong rest', 'leaves 40001 ms of 40000 ms', { endsAtEpochMs: T0 + 170 * SECOND + 1 }],
  ])('%s', (_name, says, wrong, at = T0 + 130 * SECOND) => {
    const lastAliveAtEpochMs = T0 + (at < T0 + 120 * SECOND ? 115 : 80) * SECOND;
    const data = { roundId: 1, outageSeconds: 50, endsAtEpochMs: T0 + 170 * SECOND, lastAliveAtEpochMs, ...wrong };
    const start = round().slice(
      0,
      round().findIndex(({ event }) => event.type === 'TokenPurchased'),
    );
    const findings = findingsIn([...start, { at, event: { type: 'LiveResumed', data } }]);
    if (says === null) expect(findings).toEqual([]);
    else expect(findings.join('\n')).toContain(says);
  });

  it.each<[string, (events: RecordedLedgerEvent[]) => RecordedLedgerEvent[]]>([
    [
      'edited',
      (events) =>
        events.map((one, at) => (at === 4 ? { ...one, metadata: { ...one.metadata, at: one.metadata.at + 1 } } : one)),
    ],
    ['dropped', (events) => events.filter((_, at) => at !== 4)],
    [
      'swapped with the next',
      (events) => events.map((_, at) => events[at === 4 ? 5 : at === 5 ? 4 : at] as RecordedLedgerEvent),
    ],
    ['there twice', (events) => events.flatMap((one, at) => (at === 4 ? [one, one] : [one]))],
  ])('finds by the chain that an event was %s', (_name, sabotage) => {
    const findings = audited(sabotage(recorded(round()))).findings;
    expect(findings.map(({ says }) => says).join('\n')).toContain('has a chain that does not follow');
  });

  it('counts findings beyond the limit of kept ones', () => {
    const broken = recorded(round())[0] as RecordedLedgerEvent;
    const auditor = audited(new Array<RecordedLedgerEvent>(2_000).fill(broken));
    expect(auditor.findings).toHaveLength(1_000);
    expect(auditor.findingCount).toBeGreaterThan(2_000);
  });
});
