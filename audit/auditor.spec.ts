import fc from 'fast-check';
import type { LedgerEvent, LedgerEventType, TokenPurchased } from '../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../contracts/events/recorded.js';
import {
  ALICE,
  BOB,
  bought,
  CAROL,
  depositorUntil,
  funded,
  gameStarted,
  liveStarted,
  people,
  SECOND,
  T0,
  timeExtended,
  tokenPurchased,
} from '../domain/testing/events.js';
import { Auditor } from './auditor.js';
import { type Happened, histories, recorded } from './testing/histories.js';

function audited(events: readonly RecordedLedgerEvent[]): Auditor {
  const auditor = new Auditor();
  for (const event of events) auditor.take(event);
  return auditor;
}

const findingsIn = (happened: readonly Happened[]): string[] =>
  audited(recorded(happened)).findings.map(({ says }) => says);

const changed = <T extends LedgerEventType>(
  happened: readonly Happened[],
  type: T,
  change: (data: Extract<LedgerEvent, { type: T }>['data']) => void,
): Happened[] => {
  const copy = structuredClone(happened) as Happened[];
  const found = copy.find(({ event }) => event.type === type);
  if (!found) throw new Error(`no ${type} to change`);
  change(found.event.data as never);
  return copy;
};

const without = (happened: readonly Happened[], type: LedgerEventType): Happened[] => {
  const index = happened.findIndex(({ event }) => event.type === type);
  return happened.filter((_, at) => at !== index);
};

/** Bob, whom Alice referred, buys two tokens; Carol buys one and wins $0.39. */
function round(): Happened[] {
  const END = T0 + 120 * SECOND;
  const paidToAlice = [
    { gamerId: ALICE, level: 1, direct: true, cents: 6 },
  ] satisfies TokenPurchased['data']['allocations'];
  const at = (time: number, ...events: LedgerEvent[]): Happened[] => events.map((event) => ({ event, at: time }));
  return [
    ...at(T0, ...people(), funded(BOB, 1_000), funded(CAROL, 1_000), depositorUntil(ALICE, END)),
    ...at(T0, gameStarted(1, T0)),
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
    ...at(END + 90 * SECOND, {
      type: 'RoundEnded',
      data: {
        roundId: 1,
        winner: { gamerId: CAROL, purchaseId: 'p2' },
        jackpotCents: 39,
        endedAtEpochMs: END + 90 * SECOND,
        nextRoundAtEpochMs: END + 990 * SECOND,
        purchaseCount: 2,
        merkleRoot: ROOT,
      },
    }),
  ];
}
/** Of p1 and p2, by RFC 6962: SHA-256 over 0x01 and the hashes of 0x00 and each leaf. */
const ROOT = '9b11e88e41cc001341ba2003598697fa75d40e4158c757f3c6cbf4650bd76888';

describe('the auditor', () => {
  it('finds nothing in any history that the deciders made', () => {
    fc.assert(
      fc.property(histories, (happened) => {
        expect(findingsIn(happened)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('proves a round: who bought last has won, to the cent', () => {
    const auditor = audited(recorded(round()));
    expect(auditor.findings).toEqual([]);
    expect(auditor.rounds.ended).toMatchObject([{ roundId: 1, winnerId: CAROL, jackpotCents: 39 }]);
    expect(auditor.accounts.of(`gamer:${CAROL}:winnings`)).toBe(39);
    expect(auditor.accounts.of(`gamer:${ALICE}:winnings`)).toBe(6);
  });

  // Whoever may write the whole log can also make its chains follow: the rules must catch what the chain then cannot.
  it.each<[string, string, (happened: Happened[]) => Happened[]]>([
    [
      'another winner',
      'names bob',
      (all) =>
        changed(all, 'RoundEnded', (data) => {
          data.winner = { gamerId: BOB, purchaseId: 'p1' };
        }),
    ],
    [
      'no winner',
      'names nobody',
      (all) =>
        changed(all, 'RoundEnded', (data) => {
          data.winner = null;
        }),
    ],
    [
      'a cent less for the winner',
      'ends with $0.38 of $0.39',
      (all) =>
        changed(all, 'RoundEnded', (data) => {
          data.jackpotCents = 38;
        }),
    ],
    [
      'an end before the countdown',
      'ends before its countdown',
      (all) => {
        const copy = structuredClone(all);
        (copy.at(-1) as Happened).at -= 1;
        return copy;
      },
    ],
    [
      'other purchases under the root',
      'Merkle root',
      (all) =>
        changed(all, 'RoundEnded', (data) => {
          data.merkleRoot = '0'.repeat(64);
        }),
    ],
    [
      'a cent from the uplines to the house',
      'gives the house $0.05 for 2 tokens',
      (all) =>
        changed(all, 'TokenPurchased', (data) => {
          data.houseShareCents += 1;
          data.unclaimedCents -= 1;
        }),
    ],
    [
      'a cent that nobody got',
      'sum to',
      (all) =>
        changed(all, 'TokenPurchased', (data) => {
          data.unclaimedCents -= 1;
        }),
    ],
    [
      'an upline who was not entitled',
      'owes nothing',
      (all) =>
        changed(all, 'TokenPurchased', (data) => {
          data.allocations.push({ gamerId: CAROL, level: 2, direct: false, cents: 4 });
          data.unclaimedCents -= 4;
        }),
    ],
    [
      'an upline who was not paid',
      'owes $0.06 to alice',
      (all) =>
        changed(all, 'TokenPurchased', (data) => {
          data.unclaimedCents += 6;
          data.allocations = [];
        }),
    ],
    [
      'a token for 29 cents',
      'costs $0.58',
      (all) =>
        changed(all, 'TokenPurchased', (data) => {
          data.costCents = 58;
          data.unclaimedCents -= 2;
        }),
    ],
    [
      'time that was not bought',
      'adds 90 s of 60 s',
      (all) =>
        changed(all, 'TimeExtended', (data) => {
          data.addedSeconds = 90;
          data.endsAtEpochMs += 30 * SECOND;
        }),
    ],
    [
      'a balance that is not so',
      'states $9.41',
      (all) =>
        changed(all, 'TokenPurchased', (data) => {
          data.purchaseBalanceCents += 1;
        }),
    ],
    [
      'money taken that was not there',
      'is at −$',
      (all) =>
        changed(all, 'BalanceAdjusted', (data) => {
          data.purchaseCents = 0;
          data.purchaseBalanceCents = 0;
        }),
    ],
    ['a purchase left out', 'extends for p1', (all) => without(all, 'TokenPurchased')],
    ['a round never begun', 'while no round is open', (all) => without(all, 'GameStarted')],
    [
      'a place taken twice',
      'is taken',
      (all) => [
        ...all,
        {
          at: (all.at(-1) as Happened).at,
          event: { type: 'GamerEnrolled', data: { gamerId: 'dan', sponsorId: null, parentId: 'house', slot: 0 } },
        },
      ],
    ],
    [
      'a withdrawal of nothing',
      'of another amount',
      (all) => [
        ...all,
        {
          at: (all.at(-1) as Happened).at,
          event: {
            type: 'WithdrawalReturned',
            data: { withdrawalId: 'w', gamerId: CAROL, amountCents: 1, adminNotes: null, txid: null },
          },
        },
      ],
    ],
  ])('finds %s', (_name, says, sabotage) => {
    expect(findingsIn(sabotage(round())).join('\n')).toContain(says);
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

  it('counts what it cannot keep', () => {
    const broken = recorded(round())[0] as RecordedLedgerEvent;
    const auditor = audited(new Array<RecordedLedgerEvent>(2_000).fill(broken));
    expect(auditor.findings).toHaveLength(1_000);
    expect(auditor.findingCount).toBeGreaterThan(2_000);
  });
});
