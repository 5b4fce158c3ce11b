import type { Allocation } from '../contracts/events/ledger-events.js';
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
  houseEnrolled,
  liveStarted,
  people,
  roundLive,
  SECOND,
  T0,
  timeExtended,
  tokenPurchased,
} from './testing/events.js';
import { given, type Past } from './testing/story.js';

const ENDS = T0 + 120 * SECOND;
const buy = (buyerId: string, quantity: number) => ({ type: 'BuyTokens', buyerId, quantity }) as const;
const fresh = { freshId: 'p1' };
const liveFor = (gamerId: string, cents: number): Past[] => [people(), funded(gamerId, cents), roundLive(ENDS)];

describe('buying tokens', () => {
  it('takes 30 cents each, adds 13 to the jackpot and 30 seconds to the countdown', () => {
    const { state } = given(...liveFor(BOB, 100))
      .when(buy(BOB, 3), fresh)
      .thenHappens(
        tokenPurchased({ purchaseId: 'p1', buyerId: BOB, quantity: 3, jackpotCents: 39, purchaseBalanceCents: 10 }),
        timeExtended('p1', BOB, 90, ENDS + 90 * SECOND),
      );
    expect(Object.fromEntries(state.balances)).toEqual({
      'gamer:bob:purchase': 10,
      'house:adjustments': -100,
      jackpot: 39,
      'house:profit': 6,
      'house:unclaimed': 45,
    });
  });

  it('extends the countdown from its end, not from now', () => {
    given(...liveFor(BOB, 60))
      .when(buy(BOB, 1), { at: ENDS - 1, freshId: 'p1' })
      .thenHappens(
        tokenPurchased({ purchaseId: 'p1', buyerId: BOB, quantity: 1, jackpotCents: 13, purchaseBalanceCents: 30 }),
        timeExtended('p1', BOB, 30, ENDS + 30 * SECOND),
      )
      .when(buy(BOB, 1), { at: ENDS + 30 * SECOND - 1, freshId: 'p2' })
      .thenHappens(
        tokenPurchased({ purchaseId: 'p2', buyerId: BOB, quantity: 1, jackpotCents: 26, purchaseBalanceCents: 0 }),
        timeExtended('p2', BOB, 30, ENDS + 60 * SECOND),
      );
  });

  it('puts the jackpot of a carried round on top', () => {
    given(
      people(),
      funded(BOB, 60),
      roundLive(ENDS),
      bought('p0', BOB, { jackpotCents: 13, balanceCents: 30, endsAtEpochMs: ENDS }),
    )
      .and({ type: 'GameReset', data: { roundId: 1, carriedCents: 13, reason: '' } })
      .and(gameStarted(2, T0, { carriedCents: 13 }), liveStarted(2, ENDS))
      .when(buy(BOB, 1), fresh)
      .thenHappens(
        tokenPurchased({
          purchaseId: 'p1',
          roundId: 2,
          buyerId: BOB,
          quantity: 1,
          jackpotCents: 26,
          purchaseBalanceCents: 0,
        }),
        timeExtended('p1', BOB, 30, ENDS + 30 * SECOND, 2),
      );
  });

  it('takes 1 token and 10,000 tokens at once', () => {
    given(...liveFor(BOB, 300_000))
      .when(buy(BOB, 1), fresh)
      .andThen();
    const { state } = given(...liveFor(BOB, 300_000))
      .when(buy(BOB, 10_000), fresh)
      .thenHappens(
        tokenPurchased({
          purchaseId: 'p1',
          buyerId: BOB,
          quantity: 10_000,
          jackpotCents: 130_000,
          purchaseBalanceCents: 0,
        }),
        timeExtended('p1', BOB, 300_000, ENDS + 300_000 * SECOND),
      );
    expect(state.game.tokenCount).toBe(10_000);
  });
});

describe('a purchase is refused', () => {
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '3' as unknown as number])(
    'for %p tokens',
    (quantity) => {
      given(...liveFor(BOB, 100))
        .when(buy(BOB, quantity))
        .thenRefused('Please enter a valid quantity (minimum 1)');
    },
  );

  it('for more than 10,000 tokens', () => {
    given(...liveFor(BOB, 400_000))
      .when(buy(BOB, 10_001))
      .thenRefused('A purchase has at most 10,000 tokens');
  });

  it('to the house', () => {
    given(...liveFor(BOB, 100))
      .when(buy(HOUSE, 1))
      .thenRefused('The admin account cannot buy tokens');
  });

  it('to somebody who is not enrolled', () => {
    given(...liveFor(BOB, 100))
      .when(buy('nobody', 1))
      .thenRefused('Gamer not found');
  });

  it('while idle', () => {
    given(people(), funded(BOB, 100))
      .when(buy(BOB, 1))
      .thenRefused('Game is not active yet. Please wait for the next round.');
  });

  it('in pregame', () => {
    given(people(), funded(BOB, 100), gameStarted(1, ENDS))
      .when(buy(BOB, 1))
      .thenRefused('Game is starting soon. Please wait for the live phase.');
  });

  it('in downtime', () => {
    given(...liveFor(BOB, 100), ENDS)
      .when({ type: 'AdvanceClock', lastAliveAtEpochMs: ENDS })
      .andThen()
      .when(buy(BOB, 1))
      .thenRefused('Game has ended. Please wait for the next round.');
  });

  it('from the very millisecond of the end on, though the round has not ended in the log yet', () => {
    given(...liveFor(BOB, 100))
      .when(buy(BOB, 1), { at: ENDS })
      .thenRefused('Game has ended. Please wait for the next round.');
    given(...liveFor(BOB, 100))
      .when(buy(BOB, 1), { at: ENDS - 1 })
      .andThen();
  });

  it('when it costs a cent more than there is', () => {
    given(...liveFor(BOB, 59))
      .when(buy(BOB, 2))
      .thenRefused('You need $0.60 but only have $0.59');
    given(...liveFor(BOB, 60))
      .when(buy(BOB, 2))
      .andThen();
    given(...liveFor(ALICE, 60))
      .when(buy(BOB, 5_000))
      .thenRefused('You need $1,500.00 but only have $0.00');
  });

  it('though there are winnings: they must be transferred first', () => {
    given(people(), funded(BOB, 0, 500), roundLive(ENDS))
      .when(buy(BOB, 1))
      .thenRefused('You need $0.30 but only have $0.00');
  });
});

/** The house, then each below the one before: g1, g2 … g`count`, each referred by the one above. */
const line = (count: number): Past[] => [
  houseEnrolled(),
  Array.from({ length: count }, (_, index) => {
    const above = index === 0 ? HOUSE : `g${index}`;
    return enrolled(`g${index + 1}`, above, above);
  }),
];
const allDepositors = (count: number): Past[] => [
  Array.from({ length: count }, (_, index) => depositorUntil(`g${index + 1}`, T0 + DAY)),
];
const to = (gamerId: string, level: number | null, direct: boolean, cents: number) =>
  ({ gamerId, level, direct, cents }) as Allocation;

describe('the 15 cents of the matrix', () => {
  const allocationsOf = (past: Past[], buyerId: string, quantity = 1, at = T0) => {
    const told = given(...past, funded(buyerId, 30 * quantity), roundLive(ENDS)).when(buy(buyerId, quantity), { at });
    const [first] = told.events;
    if (first?.type !== 'TokenPurchased') throw new Error('nothing was bought');
    const { allocations, unclaimedCents } = first.data;
    return { allocations, unclaimedCents };
  };

  it('go 2 to each of the seven uplines and 1 more to the sponsor, and not to an eighth', () => {
    expect(allocationsOf([...line(9), ...allDepositors(9)], 'g9')).toEqual({
      allocations: [
        to('g8', 1, true, 3),
        to('g7', 2, false, 2),
        to('g6', 3, false, 2),
        to('g5', 4, false, 2),
        to('g4', 5, false, 2),
        to('g3', 6, false, 2),
        to('g2', 7, false, 2),
      ],
      unclaimedCents: 0,
    });
  });

  it('are multiplied by the tokens', () => {
    const { allocations, unclaimedCents } = allocationsOf([...line(2), ...allDepositors(2)], 'g2', 10_000);
    expect(allocations).toEqual([to('g1', 1, true, 30_000)]);
    expect(unclaimedCents).toBe(120_000);
  });

  it('pay the sponsor at whatever level they stand', () => {
    const past = [...line(3), enrolled('zoe', 'g1', 'g3'), ...allDepositors(3)];
    expect(allocationsOf(past, 'zoe').allocations).toEqual([
      to('g3', 1, false, 2),
      to('g2', 2, false, 2),
      to('g1', 3, true, 3),
    ]);
  });

  it('pay a sponsor deeper than seven levels up the 1 cent, without a level', () => {
    const past = [...line(8), enrolled('zoe', 'g1', 'g8'), ...allDepositors(8)];
    const { allocations, unclaimedCents } = allocationsOf(past, 'zoe');
    expect(allocations.map(({ gamerId }) => gamerId)).toEqual(['g8', 'g7', 'g6', 'g5', 'g4', 'g3', 'g2', 'g1']);
    expect(allocations.at(-1)).toEqual(to('g1', null, true, 1));
    expect(unclaimedCents).toBe(0);
  });

  it('pay a sponsor on level seven once, 3 cents', () => {
    const past = [...line(7), enrolled('zoe', 'g1', 'g7'), ...allDepositors(7)];
    expect(allocationsOf(past, 'zoe').allocations.at(-1)).toEqual(to('g1', 7, true, 3));
  });

  it('go unclaimed where an upline is missing', () => {
    expect(allocationsOf([...line(2), ...allDepositors(2)], 'g2')).toEqual({
      allocations: [to('g1', 1, true, 3)],
      unclaimedCents: 12,
    });
  });

  it('go unclaimed where an upline is no depositor, and nobody moves up', () => {
    const past = [...line(4), ...allDepositors(4), depositorUntil('g2', null)];
    expect(allocationsOf(past, 'g4')).toEqual({
      allocations: [to('g3', 1, true, 3), to('g1', 3, false, 2)],
      unclaimedCents: 10,
    });
  });

  it('go unclaimed where the sponsor is deep and no depositor', () => {
    const past = [...line(8), enrolled('zoe', 'g1', 'g8'), ...allDepositors(8), depositorUntil('g1', null)];
    expect(allocationsOf(past, 'zoe').unclaimedCents).toBe(1);
  });

  it('never go to the house, be it upline or sponsor', () => {
    expect(allocationsOf(line(1), 'g1')).toEqual({ allocations: [], unclaimedCents: 15 });
    const claimed: Past[] = [...line(1), depositorUntil(HOUSE, T0 + DAY)];
    expect(allocationsOf(claimed, 'g1')).toEqual({ allocations: [], unclaimedCents: 15 });
  });

  it('have no direct cent without a sponsor', () => {
    const past: Past[] = [people(), enrolled('dan', null, ALICE, 1), depositorUntil(ALICE, T0 + DAY)];
    expect(allocationsOf(past, 'dan')).toEqual({ allocations: [to(ALICE, 1, false, 2)], unclaimedCents: 13 });
  });

  it('do not go to the buyer, depositor or not', () => {
    const past: Past[] = [people(), depositorUntil(BOB, T0 + DAY)];
    expect(allocationsOf(past, BOB)).toEqual({ allocations: [], unclaimedCents: 15 });
  });

  it('are owed up to the millisecond in which the status expires, inclusive', () => {
    const until = T0 + 60 * SECOND;
    const past: Past[] = [people(), depositorUntil(ALICE, until)];
    expect(allocationsOf(past, BOB, 1, until - 1).allocations).toEqual([to(ALICE, 1, true, 3)]);
    expect(allocationsOf(past, BOB, 1, until).allocations).toEqual([to(ALICE, 1, true, 3)]);
    expect(allocationsOf(past, BOB, 1, until + 1)).toEqual({ allocations: [], unclaimedCents: 15 });
  });

  it('stay with whom the event named, whatever the status becomes', () => {
    const { state } = given(people(), depositorUntil(ALICE, T0 + DAY), funded(BOB, 30), roundLive(ENDS))
      .when(buy(BOB, 1), fresh)
      .andThen()
      .and(depositorUntil(ALICE, null));
    expect(state.balances.get('gamer:alice:winnings')).toBe(3);
  });

  it('are paid to winnings, and the whole is 30 cents', () => {
    const { state } = given(...line(9), ...allDepositors(9), funded('g9', 30), roundLive(ENDS))
      .when(buy('g9', 1), fresh)
      .andThen();
    expect(state.balances.get('gamer:g8:winnings')).toBe(3);
    expect(state.balances.get('gamer:g2:winnings')).toBe(2);
    expect(state.balances.has('gamer:g1:winnings')).toBe(false);
    expect(state.balances.get('jackpot')).toBe(13);
    expect(state.balances.get('house:profit')).toBe(2);
    expect(state.balances.has('house:unclaimed')).toBe(false);
  });
});

it('lets Carol win what Alice, Bob and she paid in', () => {
  let story = given(people(), funded(ALICE, 30), funded(BOB, 30), funded(CAROL, 30), roundLive(ENDS));
  for (const buyerId of [ALICE, BOB, CAROL])
    story = story.when(buy(buyerId, 1), { freshId: `by-${buyerId}` }).andThen();
  const end = ENDS + 90 * SECOND;
  const { state } = story.and(end).when({ type: 'AdvanceClock', lastAliveAtEpochMs: end }).andThen();
  expect(state.game.lastResult).toMatchObject({ winnerId: CAROL, jackpotCents: 39, tokenCount: 3 });
  expect(state.balances.get('gamer:carol:winnings')).toBe(39);
});
