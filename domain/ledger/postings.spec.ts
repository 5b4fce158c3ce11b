import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import {
  ADMIN,
  ALICE,
  BOB,
  depositorUntil,
  enrolled,
  funded,
  gameStarted,
  liveStarted,
  timeExtended,
  timersChanged,
  tokenPurchased,
} from '../testing/events.js';
import { postings } from './postings.js';

const purchase = tokenPurchased({
  purchaseId: 'p1',
  buyerId: BOB,
  quantity: 2,
  allocations: [{ gamerId: ALICE, level: 1, direct: true, cents: 6 }],
  jackpotCents: 26,
  purchaseBalanceCents: 0,
});

const roundEnded = (winner: { gamerId: string; purchaseId: string } | null): LedgerEvent => ({
  type: 'RoundEnded',
  data: { roundId: 1, winner, jackpotCents: 26, endedAtEpochMs: 1, nextRoundAtEpochMs: 2, purchaseCount: 1 },
});

describe('the postings', () => {
  it('of a purchase take the price from the buyer and share it out', () => {
    expect(postings(purchase)).toEqual([
      { account: 'gamer:bob:purchase', cents: -60 },
      { account: 'jackpot', cents: 26 },
      { account: 'house:profit', cents: 4 },
      { account: 'gamer:alice:winnings', cents: 6 },
      { account: 'house:unclaimed', cents: 24 },
    ]);
  });

  it('of a purchase by invoice take the price from world:crypto', () => {
    const invoiced: LedgerEvent = { type: 'TokenPurchased', data: { ...purchase.data, source: 'invoice' } };
    expect(postings(invoiced)[0]).toEqual({ account: 'world:crypto', cents: -60 });
  });

  it('of a round pay its winner, and are empty without one', () => {
    expect(postings(roundEnded({ gamerId: BOB, purchaseId: 'p1' }))).toEqual([
      { account: 'jackpot', cents: -26 },
      { account: 'gamer:bob:winnings', cents: 26 },
    ]);
    expect(postings(roundEnded(null))).toEqual([]);
  });

  it('of a transfer move winnings to the purchase balance', () => {
    const data = { gamerId: BOB, amountCents: 5, purchaseBalanceCents: 5 };
    expect(postings({ type: 'WinningsTransferred', data })).toEqual([
      { account: 'gamer:bob:winnings', cents: -5 },
      { account: 'gamer:bob:purchase', cents: 5 },
    ]);
  });

  it('of an adjustment go against house:adjustments, without lines of zero', () => {
    expect(postings(funded(BOB, 100, -30))).toEqual([
      { account: 'gamer:bob:purchase', cents: 100 },
      { account: 'gamer:bob:winnings', cents: -30 },
      { account: 'house:adjustments', cents: -70 },
    ]);
    expect(postings(funded(BOB, 30, -30))).toHaveLength(2);
  });

  it.each<LedgerEvent>([
    enrolled(ALICE, null, ADMIN),
    gameStarted(1, 0),
    liveStarted(1, 0),
    { type: 'LiveResumed', data: { roundId: 1, outageSeconds: 1, endsAtEpochMs: 1, lastAliveAtEpochMs: 0 } },
    timeExtended('p1', BOB, 30, 0),
    { type: 'GameReset', data: { roundId: 1, carriedCents: 26, reason: '', purchaseCount: 2 } },
    timersChanged({}),
    depositorUntil(BOB, null),
  ])('of $type are none', (event) => {
    expect(postings(event)).toEqual([]);
  });

  it('throw when an event does not add up', () => {
    const leaking: LedgerEvent = { type: 'TokenPurchased', data: { ...purchase.data, unclaimedCents: 23 } };
    expect(() => postings(leaking)).toThrow('TokenPurchased: postings sum to -1, not zero');
  });

  it('throw when cents are not whole', () => {
    expect(() => postings(funded(BOB, 0.5))).toThrow('BalanceAdjusted: 0.5 into gamer:bob:purchase is not whole cents');
    expect(() => postings(funded(BOB, Number.NaN))).toThrow('is not whole cents');
  });
});
