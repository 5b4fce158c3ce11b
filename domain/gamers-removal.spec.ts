import type { LedgerEvent, LedgerEvents } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';
import { ADMIN, ALICE, BOB, CAROL, DAY, SECOND, T0 } from './testing/constants.js';
import { depositorUntil, enrolled, enrolledGamers, funded } from './testing/gamers.js';
import { profitRequested, withdrawalProcessing, withdrawalRequested, withdrawalSettled } from './testing/money.js';
import { bought, gameReset, gameStarted, profitMade, roundLive } from './testing/rounds.js';
import { given, itHappens, itRefuses, type Past } from './testing/scenario.js';

const ENDS = T0 + 120 * SECOND;
const removing = (gamerId: GamerId) => ({ type: 'RemoveGamer', gamerId }) as const;
const removed = (gamerId: GamerId, more: Partial<LedgerEvents['GamerRemoved']> = {}): LedgerEvent => ({
  type: 'GamerRemoved',
  data: { gamerId, moved: [], forfeitedPurchaseCents: 0, forfeitedWinningsCents: 0, ...more },
});
const move = (gamerId: GamerId, parentId: GamerId, slot: number) => ({ gamerId, parentId, slot });

describe('removing a gamer', () => {
  it('forfeits both balances', () => {
    const { state } = given(enrolledGamers(), funded(BOB, 70, 5), depositorUntil(BOB, T0 + DAY))
      .when(removing(BOB))
      .thenHappens(removed(BOB, { forfeitedPurchaseCents: 70, forfeitedWinningsCents: 5 }));
    expect(Object.fromEntries(state.balances)).toEqual({
      'gamer:bob:purchase': 0,
      'gamer:bob:winnings': 0,
      'house:adjustments': -75,
      'house:forfeited': 75,
    });
    expect(state.gamers.has(BOB)).toBe(false);
    expect(state.gamers.get(ALICE)?.children).toEqual([null, null, null]);
  });

  it('has no postings and moves without balances and children', () => {
    const { state } = given(enrolledGamers()).when(removing(CAROL)).thenHappens(removed(CAROL));
    expect([...state.balances]).toEqual([]);
    expect(state.gamers.get(ADMIN)?.children).toEqual([ALICE, null, null]);
  });

  const full: Past[] = [enrolledGamers(), enrolled('dan', null, ADMIN, 2)];
  const free: Past[] = [full, removed(ALICE, { moved: [move(BOB, ADMIN, 0)] }), removed(BOB)];
  const enrolEve = { type: 'EnrolGamer', gamerId: 'eve', sponsorId: null } as const;
  itHappens([['gives the free slot to the next gamer', free, enrolEve, [enrolled('eve', null, ADMIN, 0)]]]);

  itRefuses([
    ['is refused for the admin', enrolledGamers(), removing(ADMIN), 'The admin account cannot be deleted'],
    ['is refused for an unknown gamer', enrolledGamers(), removing('nobody'), 'Gamer not found'],
    ['is refused for a removed gamer', [enrolledGamers(), removed(BOB)], removing(BOB), 'Gamer not found'],
  ]);
});

describe('a gamer with a withdrawal', () => {
  const requested: Past[] = [enrolledGamers(), funded(BOB, 0, 1_500), withdrawalRequested('w1', 1_000)];
  const settled = (type: 'WithdrawalCompleted' | 'WithdrawalReturned') => [requested, withdrawalSettled(type, 1_000)];
  const removedWith = (forfeitedWinningsCents: number) => [removed(BOB, { forfeitedWinningsCents })];
  const ofProfit = [enrolledGamers(), profitMade(), profitRequested('w2', 1_000)];

  const PENDING = 'This gamer has a pending withdrawal. Complete or return it first.';
  itRefuses([
    ['cannot be removed while it is pending', requested, removing(BOB), PENDING],
    ['cannot be removed while it is processed', [requested, withdrawalProcessing('w1')], removing(BOB), PENDING],
  ]);
  itHappens([
    ['can be removed once it is completed', settled('WithdrawalCompleted'), removing(BOB), removedWith(500)],
    ['forfeits winnings that were returned', settled('WithdrawalReturned'), removing(BOB), removedWith(1_500)],
    ['does not block the removal of others', requested, removing(CAROL), [removed(CAROL)]],
    ['nor does a withdrawal of the profit', ofProfit, removing(CAROL), [removed(CAROL)]],
  ]);
});

describe('the last buyer of the live round', () => {
  const text = 'This gamer is the last buyer of the live round';
  const bobBought = bought('p1', BOB, { jackpotCents: 13, balanceCents: 0, endsAtEpochMs: ENDS });
  const aliceBought = bought('p2', ALICE, { jackpotCents: 26, balanceCents: 0, endsAtEpochMs: ENDS });
  const live: Past[] = [enrolledGamers(), funded(BOB, 30), funded(ALICE, 30), roundLive(ENDS), bobBought];
  const reset = gameReset(1, 13, 1);
  const nextStarted = gameStarted(2, T0, { carriedCents: 13 });

  itRefuses([
    ['cannot be removed', live, removing(BOB), text],
    ['cannot be removed after zero either, until RoundEnded', live, removing(BOB), text, { atMs: ENDS + DAY }],
    ['is the later of two buyers', [live, aliceBought], removing(ALICE), text],
  ]);

  itHappens([
    ['does not block the removal of others', live, removing(CAROL), [removed(CAROL)]],
    ['can be removed once another gamer has bought', [live, aliceBought], removing(BOB), [removed(BOB)]],
    ['can be removed once the round is void', [live, reset], removing(BOB), [removed(BOB)]],
    ['can be removed in the next round', [live, reset, nextStarted], removing(BOB), [removed(BOB)]],
  ]);

  it('can be removed after the round, and forfeits the prize', () => {
    given(live)
      .when({ type: 'AdvanceClock', lastAliveAtMs: ENDS }, { atMs: ENDS + 300 })
      .andThen()
      .when(removing(BOB), { atMs: ENDS + 300 })
      .thenHappens(removed(BOB, { forfeitedWinningsCents: 13 }));
  });
});

describe('the referred gamers of a removed one', () => {
  it('keep their sponsor id, and its cents are unclaimed from then on', () => {
    const { state } = given(enrolledGamers(), depositorUntil(ALICE, T0 + DAY), funded(BOB, 60), roundLive(ENDS))
      .when(removing(ALICE))
      .thenHappens(removed(ALICE, { moved: [move(BOB, ADMIN, 0)] }))
      .when({ type: 'BuyTokens', buyerId: BOB, quantity: 2 }, { freshId: 'p1' })
      .thenHappens(
        ...bought('p1', BOB, { quantity: 2, jackpotCents: 26, balanceCents: 0, endsAtEpochMs: ENDS + 60 * SECOND }),
      );
    expect(state.gamers.get(BOB)?.sponsorId).toBe(ALICE);
    expect(state.balances.get('house:unclaimed')).toBe(30);
  });

  it('pay their new uplines by their new levels', () => {
    const { state } = given(enrolledGamers(), enrolled('dan', BOB, BOB, 0), funded('dan', 30), roundLive(ENDS))
      .and(depositorUntil(ALICE, T0 + DAY))
      .when(removing(BOB))
      .thenHappens(removed(BOB, { moved: [move('dan', ALICE, 0)] }))
      .when({ type: 'BuyTokens', buyerId: 'dan', quantity: 1 }, { freshId: 'p1' })
      .thenHappens(
        ...bought('p1', 'dan', {
          allocations: [{ gamerId: ALICE, level: 1, direct: false, cents: 2 }],
          jackpotCents: 13,
          balanceCents: 0,
          endsAtEpochMs: ENDS + 30 * SECOND,
        }),
      );
    expect(state.gamers.get('dan')?.parentId).toBe(ALICE);
  });

  it('can still refer others, but not the removed gamer', () => {
    given(enrolledGamers())
      .when(removing(ALICE))
      .andThen()
      .when({ type: 'EnrolGamer', gamerId: 'dan', sponsorId: ALICE })
      .thenRefused('Referral code not found');
  });
});

describe('the children of a removed gamer', () => {
  const three = [enrolled('b2', ALICE, ALICE, 1), enrolled('b3', ALICE, ALICE, 2)];

  it('move to the vacated slot, and to free slots next to it', () => {
    given(enrolledGamers(), three)
      .when(removing(ALICE))
      .thenHappens(removed(ALICE, { moved: [move(BOB, ADMIN, 0), move('b2', ADMIN, 2), move('b3', BOB, 0)] }));
  });

  it('move below a full grandparent to the first free slot, breadth-first', () => {
    const { state } = given(enrolledGamers(), three, enrolled('dan', null, ADMIN, 2))
      .and(enrolled('x1', BOB, BOB, 0), enrolled('x2', BOB, BOB, 1), enrolled('x3', BOB, BOB, 2))
      .when(removing(ALICE))
      .thenHappens(removed(ALICE, { moved: [move(BOB, ADMIN, 0), move('b2', CAROL, 0), move('b3', CAROL, 1)] }));
    expect(state.gamers.get(ADMIN)?.children).toEqual([BOB, CAROL, 'dan']);
    expect(state.gamers.get(BOB)?.children).toEqual(['x1', 'x2', 'x3']);
    expect(state.gamers.get(ADMIN)?.openDepth).toBe(1);
  });

  it('stay under the grandparent even if higher slots are free', () => {
    given(enrolledGamers(), enrolled('c1', null, BOB, 0), enrolled('c2', null, BOB, 1), enrolled('c3', null, BOB, 2))
      .and(enrolled('a2', null, ALICE, 1), enrolled('a3', null, ALICE, 2))
      .when(removing(BOB))
      .thenHappens(removed(BOB, { moved: [move('c1', ALICE, 0), move('c2', 'c1', 0), move('c3', 'c1', 1)] }));
  });

  it('may be the second and third child, after the first was removed', () => {
    given(enrolledGamers(), three)
      .when(removing(BOB))
      .andThen()
      .when(removing(ALICE))
      .thenHappens(removed(ALICE, { moved: [move('b2', ADMIN, 0), move('b3', ADMIN, 2)] }));
  });
});
