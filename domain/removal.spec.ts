import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { GamerRemoved, LedgerEvent } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';
import { emptyLedger, type LedgerState } from './ledger-state.js';
import { enrol, freeSlotUnder, remove } from './matrix.js';
import { removeGamer } from './removal.js';
import { copyOf } from './testing/copy.js';
import {
  ALICE,
  BOB,
  bought,
  CAROL,
  DAY,
  depositorUntil,
  enrolled,
  funded,
  gameStarted,
  HOUSE,
  people,
  roundLive,
  SECOND,
  T0,
  timeExtended,
  tokenPurchased,
} from './testing/events.js';
import { findIn, idsBelow, removeNaively, seatFirstFree, type Tree, treeOf } from './testing/naive-removal.js';
import { given, type Past } from './testing/story.js';
import { directly, UndoJournal } from './undo-journal.js';

const ENDS = T0 + 120 * SECOND;
const removing = (gamerId: GamerId) => ({ type: 'RemoveGamer', gamerId }) as const;
const removed = (gamerId: GamerId, more: Partial<GamerRemoved['data']> = {}): LedgerEvent => ({
  type: 'GamerRemoved',
  data: { gamerId, moved: [], forfeitedPurchaseCents: 0, forfeitedWinningsCents: 0, ...more },
});
const move = (gamerId: GamerId, parentId: GamerId, slot: 0 | 1 | 2) => ({ gamerId, parentId, slot });

describe('removing a gamer', () => {
  it('forfeits what is left on both balances', () => {
    const { state } = given(people(), funded(BOB, 70, 5), depositorUntil(BOB, T0 + DAY))
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

  it('who has nothing and nobody moves nothing', () => {
    const { state } = given(people()).when(removing(CAROL)).thenHappens(removed(CAROL));
    expect([...state.balances]).toEqual([]);
    expect(state.gamers.get(HOUSE)?.children).toEqual([ALICE, null, null]);
  });

  it('gives the free slot to the next who comes', () => {
    given(people(), enrolled('dan', null, HOUSE, 2))
      .when(removing(ALICE))
      .andThen()
      .when(removing(BOB))
      .andThen()
      .when({ type: 'EnrolGamer', gamerId: 'eve', sponsorId: null })
      .thenHappens(enrolled('eve', null, HOUSE, 0));
  });

  it('is refused for the house, and for somebody who is not enrolled or gone', () => {
    given(people()).when(removing(HOUSE)).thenRefused('The admin account cannot be deleted');
    given(people()).when(removing('nobody')).thenRefused('Gamer not found');
    given(people()).when(removing(BOB)).andThen().when(removing(BOB)).thenRefused('Gamer not found');
  });
});

describe('while a withdrawal is pending', () => {
  const requested: LedgerEvent = {
    type: 'WithdrawalRequested',
    data: { withdrawalId: 'w1', gamerId: BOB, amountCents: 1_000, cryptoType: 'BTC', walletAddress: '1A' },
  };
  const settled = { withdrawalId: 'w1', gamerId: BOB, amountCents: 1_000, adminNotes: null, txid: null };
  const asking = (...past: Past[]) => given(people(), funded(BOB, 0, 1_500), requested, ...past).when(removing(BOB));

  it('or processing, the gamer stays', () => {
    const text = 'This gamer has a pending withdrawal. Complete or return it first.';
    asking().thenRefused(text);
    asking({
      type: 'WithdrawalProcessing',
      data: { withdrawalId: 'w1', gamerId: BOB, adminNotes: null },
    }).thenRefused(text);
  });

  it('no more, the gamer may go; what was returned is forfeited', () => {
    asking({ type: 'WithdrawalCompleted', data: settled }).thenHappens(removed(BOB, { forfeitedWinningsCents: 500 }));
    asking({ type: 'WithdrawalReturned', data: settled }).thenHappens(removed(BOB, { forfeitedWinningsCents: 1_500 }));
  });

  it('others may go, and the admin’s own profit holds nobody', () => {
    given(people(), funded(BOB, 0, 1_500), requested)
      .when(removing(ALICE))
      .andThen();
    const bobBuys = tokenPurchased({
      purchaseId: 'p1',
      buyerId: BOB,
      quantity: 500,
      jackpotCents: 6_500,
      purchaseBalanceCents: 0,
    });
    const profitRequested: LedgerEvent = {
      type: 'ProfitWithdrawalRequested',
      data: { withdrawalId: 'w2', amountCents: 1_000, cryptoType: 'BTC', walletAddress: '1A' },
    };
    given(people(), funded(BOB, 15_000), roundLive(ENDS), bobBuys, profitRequested).when(removing(CAROL)).andThen();
  });
});

describe('while they bought last in the live round', () => {
  const text = 'This gamer is the last buyer of the live round';
  const bobBought = bought('p1', BOB, { jackpotCents: 13, balanceCents: 0, endsAtEpochMs: ENDS });
  const live = () => given(people(), funded(BOB, 30), funded(ALICE, 30), roundLive(ENDS), bobBought);

  it('the gamer stays, also after zero until the round is closed', () => {
    live().when(removing(BOB)).thenRefused(text);
    live()
      .when(removing(BOB), { at: ENDS + DAY })
      .thenRefused(text);
  });

  it('any other may go', () => {
    live().when(removing(ALICE)).andThen();
  });

  it('the gamer may go once another has bought', () => {
    live()
      .and(bought('p2', ALICE, { jackpotCents: 26, balanceCents: 0, endsAtEpochMs: ENDS }))
      .when(removing(BOB))
      .thenHappens(removed(BOB))
      .when(removing(ALICE))
      .thenRefused(text);
  });

  it('the gamer may go once the round is over, with what was won', () => {
    live()
      .when({ type: 'AdvanceClock', lastAliveAtEpochMs: ENDS }, { at: ENDS })
      .andThen()
      .when(removing(BOB), { at: ENDS })
      .thenHappens(removed(BOB, { forfeitedWinningsCents: 13 }));
  });

  it('the gamer may go once the round is void, or in the next one', () => {
    const void1 = () => live().and({ type: 'GameReset', data: { roundId: 1, carriedCents: 13, reason: '' } });
    void1().when(removing(BOB)).andThen();
    void1()
      .and(gameStarted(2, T0, { carriedCents: 13 }))
      .when(removing(BOB))
      .andThen();
  });
});

describe('whom they referred', () => {
  it('keep their sponsor id, and its cents are unclaimed from then on', () => {
    const { state } = given(people(), depositorUntil(ALICE, T0 + DAY), funded(BOB, 60), roundLive(ENDS))
      .when(removing(ALICE))
      .thenHappens(removed(ALICE, { moved: [move(BOB, HOUSE, 0)] }))
      .when({ type: 'BuyTokens', buyerId: BOB, quantity: 2 }, { freshId: 'p1' })
      .thenHappens(
        tokenPurchased({ purchaseId: 'p1', buyerId: BOB, quantity: 2, jackpotCents: 26, purchaseBalanceCents: 0 }),
        timeExtended('p1', BOB, 60, ENDS + 60 * SECOND),
      );
    expect(state.gamers.get(BOB)?.sponsorId).toBe(ALICE);
    expect(state.balances.get('house:unclaimed')).toBe(30);
  });

  it('pay their new uplines by their new levels', () => {
    const { state } = given(people(), enrolled('dan', BOB, BOB, 0), funded('dan', 30), roundLive(ENDS))
      .and(depositorUntil(ALICE, T0 + DAY))
      .when(removing(BOB))
      .thenHappens(removed(BOB, { moved: [move('dan', ALICE, 0)] }))
      .when({ type: 'BuyTokens', buyerId: 'dan', quantity: 1 }, { freshId: 'p1' })
      .thenHappens(
        tokenPurchased({
          purchaseId: 'p1',
          buyerId: 'dan',
          quantity: 1,
          jackpotCents: 13,
          purchaseBalanceCents: 0,
          allocations: [{ gamerId: ALICE, level: 1, direct: false, cents: 2 }],
        }),
        timeExtended('p1', 'dan', 30, ENDS + 30 * SECOND),
      );
    expect(state.gamers.get('dan')?.parentId).toBe(ALICE);
  });

  it('can still be joined by others, who cannot name the one who is gone', () => {
    given(people())
      .when(removing(ALICE))
      .andThen()
      .when({ type: 'EnrolGamer', gamerId: 'dan', sponsorId: ALICE })
      .thenRefused('Referral code not found');
  });
});

describe('their children', () => {
  const three = [enrolled('b2', ALICE, ALICE, 1), enrolled('b3', ALICE, ALICE, 2)];

  it('go the first to the vacated slot, the others to free slots beside it', () => {
    given(people(), three)
      .when(removing(ALICE))
      .thenHappens(removed(ALICE, { moved: [move(BOB, HOUSE, 0), move('b2', HOUSE, 2), move('b3', BOB, 0)] }));
  });

  it('find under a full grandparent the first free slot of its whole tree, breadth-first', () => {
    const { state } = given(people(), three, enrolled('dan', null, HOUSE, 2))
      .and(enrolled('x1', BOB, BOB, 0), enrolled('x2', BOB, BOB, 1), enrolled('x3', BOB, BOB, 2))
      .when(removing(ALICE))
      .thenHappens(removed(ALICE, { moved: [move(BOB, HOUSE, 0), move('b2', CAROL, 0), move('b3', CAROL, 1)] }));
    expect(state.gamers.get(HOUSE)?.children).toEqual([BOB, CAROL, 'dan']);
    expect(state.gamers.get(BOB)?.children).toEqual(['x1', 'x2', 'x3']);
    expect(state.gamers.get(HOUSE)?.openDepth).toBe(1);
  });

  it('stay under the grandparent though there is room higher up', () => {
    given(people(), enrolled('c1', null, BOB, 0), enrolled('c2', null, BOB, 1), enrolled('c3', null, BOB, 2))
      .and(enrolled('a2', null, ALICE, 1), enrolled('a3', null, ALICE, 2))
      .when(removing(BOB))
      .thenHappens(removed(BOB, { moved: [move('c1', ALICE, 0), move('c2', 'c1', 0), move('c3', 'c1', 1)] }));
  });

  it('may be the second and the third, the first being gone before', () => {
    given(people(), three)
      .when(removing(BOB))
      .andThen()
      .when(removing(ALICE))
      .thenHappens(removed(ALICE, { moved: [move('b2', HOUSE, 0), move('b3', HOUSE, 2)] }));
  });
});

const TOP: GamerId = 'g0';

function checkPlaces(state: LedgerState): void {
  const nearest = (id: GamerId): number => {
    const children = state.gamers.get(id)?.children ?? [];
    return children.some((child) => child === null)
      ? 0
      : 1 + Math.min(...children.map((child) => nearest(child as GamerId)));
  };
  for (const [id, { children, openDepth, parentId, slot }] of state.gamers) {
    assert.deepEqual({ id, width: children.length, openDepth }, { id, width: 3, openDepth: nearest(id) });
    if (id !== TOP) assert.equal(state.gamers.get(parentId as GamerId)?.children[slot as number], id);
  }
}

function removeFrom(state: LedgerState, gamerId: GamerId): GamerRemoved['data'] {
  const { events = [] } = removeGamer(state, gamerId) as { events?: LedgerEvent[] };
  return (events[0] as GamerRemoved).data;
}

describe('the matrix after removals', () => {
  /** What happens next: a gamer comes, sponsored by somebody, or somebody goes. */
  const happening = fc.record({
    isRemoval: fc.integer({ min: 0, max: 9 }).map((of) => of < 4),
    pick: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  const happenings = fc.array(happening, { minLength: 40, maxLength: 150 });

  it('is what decision 14 says, gamer by gamer, however they come and go', () => {
    let movedInAll = 0;
    let movedDeeper = 0;
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 60 }), fc.integer({ min: 1, max: 4 }), happenings, (start, favour, all) => {
        const state = emptyLedger();
        enrol(state, { gamerId: TOP, sponsorId: null, parentId: null, slot: null }, directly);
        const naive = treeOf(state, TOP);
        let come = 1;
        const enrolOne = (pick: number): void => {
          const sponsorId = [...state.gamers.keys()][Math.floor(pick ** favour * state.gamers.size)] as GamerId;
          const gamerId = `g${come}`;
          enrol(state, { gamerId, sponsorId, ...freeSlotUnder(state, sponsorId) }, directly);
          seatFirstFree(findIn(naive, sponsorId) as Tree, { id: gamerId, below: [null, null, null] });
          come += 1;
        };
        for (let index = 0; index < start; index += 1) enrolOne((index * 0.618_034) % 1);
        for (const { isRemoval, pick } of all) {
          if (!isRemoval || state.gamers.size === 1) {
            enrolOne(pick);
            continue;
          }
          const gamerId = [...state.gamers.keys()][1 + Math.floor(pick * (state.gamers.size - 1))] as GamerId;
          const { moved } = removeFrom(state, gamerId);
          assert.deepEqual(moved, removeNaively(naive, gamerId));
          remove(state, gamerId, moved, directly);
          movedInAll += moved.length;
          movedDeeper += moved.slice(1).filter(({ parentId }) => parentId !== moved[0]?.parentId).length;
        }
        assert.deepEqual(treeOf(state, TOP), naive);
        checkPlaces(state);
      }),
      { numRuns: 60 },
    );
    // Trees in which nobody had to move far would prove little.
    expect(movedInAll).toBeGreaterThan(500);
    expect(movedDeeper).toBeGreaterThan(50);
  });

  it('has every subtree whole: who was below whom still is, but for the one who is gone', () => {
    const state = grown(120);
    for (let index = 1; index < 120; index += 3) {
      const gamerId = `g${index}`;
      const before = new Map([...state.gamers.keys()].map((id) => [id, idsBelow(treeOf(state, id))]));
      remove(state, gamerId, removeFrom(state, gamerId).moved, directly);
      const lost = [...before].filter(([id, ids]) => {
        const now = id === gamerId ? ids : idsBelow(treeOf(state, id));
        return [...ids].some((below) => below !== gamerId && !now.has(below));
      });
      expect(lost).toEqual([]);
      expect(idsBelow(treeOf(state, TOP)).size).toBe(state.gamers.size - 1);
    }
    checkPlaces(state);
  });

  it('is as it was when a removal is taken back, and nothing changes by deciding one', () => {
    const state = grown(60);
    for (let index = 1; index < 60; index += 1) {
      const before = copyOf(state);
      const { moved } = removeFrom(state, `g${index}`);
      assert.deepEqual(state, before);
      const journal = new UndoJournal();
      remove(state, `g${index}`, moved, journal);
      journal.undo();
      assert.deepEqual(state, before);
    }
  });

  it('is emptied one by one, down to the house', () => {
    const state = grown(60);
    while (state.gamers.size > 1) {
      const gamerId = [...state.gamers.keys()][1] as GamerId;
      remove(state, gamerId, removeFrom(state, gamerId).moved, directly);
      checkPlaces(state);
    }
    expect(state.gamers.get(TOP)?.children).toEqual([null, null, null]);
  });
});

/** Sponsors all over the tree, so that it is full in places and thin in others. */
function grown(size: number): LedgerState {
  const state = emptyLedger();
  enrol(state, { gamerId: TOP, sponsorId: null, parentId: null, slot: null }, directly);
  for (let index = 1; index < size; index += 1) {
    const sponsorId = `g${(index * 7_919) % Math.ceil(index / 3)}`;
    enrol(state, { gamerId: `g${index}`, sponsorId, ...freeSlotUnder(state, sponsorId) }, directly);
  }
  return state;
}
