import type { Allocation } from '../contracts/events/ledger-events.js';
import { DECIDING_MS } from '../contracts/limits.js';
import { refusalText } from '../contracts/refusals.js';
import { ADMIN, ALICE, BOB, DAY, SECOND, T0 } from './testing/constants.js';
import { adminEnrolled, depositorUntil, enrolled, enrolledGamers, funded } from './testing/gamers.js';
import { bought, gameStarted, roundLive } from './testing/rounds.js';
import { given, type Past } from './testing/scenario.js';

const ENDS = T0 + 120 * SECOND;
const buy = (buyerId: string, quantity: number) => ({ type: 'BuyTokens', buyerId, quantity }) as const;
const BEING_DECIDED = refusalText({ code: 'round-being-decided' });
const fresh = { freshId: 'p1' };
const liveFor = (gamerId: string, cents: number): Past[] => [enrolledGamers(), funded(gamerId, cents), roundLive(ENDS)];

describe('buying tokens', () => {
  it('takes 30 cents each, adds 13 to the jackpot and 30 seconds to the countdown', () => {
    const { state } = given(liveFor(BOB, 100))
      .when(buy(BOB, 3), fresh)
      .thenHappens(
        ...bought('p1', BOB, { quantity: 3, jackpotCents: 39, balanceCents: 10, endsAtEpochMs: ENDS + 90 * SECOND }),
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
    given(liveFor(BOB, 60))
      .when(buy(BOB, 1), { atMs: ENDS - 1, freshId: 'p1' })
      .thenHappens(...bought('p1', BOB, { jackpotCents: 13, balanceCents: 30, endsAtEpochMs: ENDS + 30 * SECOND }))
      .when(buy(BOB, 1), { atMs: ENDS + 30 * SECOND - 1, freshId: 'p2' })
      .thenHappens(...bought('p2', BOB, { jackpotCents: 26, balanceCents: 0, endsAtEpochMs: ENDS + 60 * SECOND }));
  });

  it('counts a purchase that arrived a millisecond before zero and is decided after it', () => {
    given(liveFor(BOB, 60))
      .when(buy(BOB, 1), { receivedAtMs: ENDS - 1, atMs: ENDS + 299, freshId: 'p1' })
      .thenHappens(...bought('p1', BOB, { jackpotCents: 13, balanceCents: 30, endsAtEpochMs: ENDS + 30 * SECOND }));
  });

  it('does not decide a purchase later than six seconds after its arrival', () => {
    const text = 'The game server cannot confirm this right now. Nothing was lost; please try again.';
    given(liveFor(BOB, 60))
      .when(buy(BOB, 1), { receivedAtMs: T0, atMs: T0 + 6_001 })
      .thenRefused(text)
      .when(buy(BOB, 1), { receivedAtMs: T0, atMs: T0 + 6_000 })
      .andThen();
  });

  it('accepts 1 token and 10,000 tokens', () => {
    given(liveFor(BOB, 300_000)).when(buy(BOB, 1), fresh).andThen();
    const { state } = given(liveFor(BOB, 300_000))
      .when(buy(BOB, 10_000), fresh)
      .thenHappens(
        ...bought('p1', BOB, {
          quantity: 10_000,
          jackpotCents: 130_000,
          balanceCents: 0,
          endsAtEpochMs: ENDS + 300_000 * SECOND,
        }),
      );
    expect(state.game.tokenCount).toBe(10_000);
  });
});

const PLEASE_WAIT = 'Please wait for the next round.';
const FOR_LIVE = 'Please wait for the live phase.';
const withBob = (cents: number, ...after: Past[]): Past[] => [enrolledGamers(), funded(BOB, cents), after];

it.each<[string, Past[], [string, number], string]>([
  ['for more than 10,000 tokens', liveFor(BOB, 400_000), [BOB, 10_001], 'A purchase has at most 10,000 tokens'],
  ['to the admin', liveFor(BOB, 100), [ADMIN, 1], 'The admin account cannot buy tokens'],
  ['to an unknown gamer', liveFor(BOB, 100), ['nobody', 1], 'Gamer not found'],
  ['while idle', withBob(100), [BOB, 1], `Game is not active yet. ${PLEASE_WAIT}`],
  ['in pregame', withBob(100, gameStarted(1, ENDS)), [BOB, 1], `Game is starting soon. ${FOR_LIVE}`],
  ['when it costs a cent more than the balance', liveFor(BOB, 59), [BOB, 2], 'You need $0.60 but only have $0.59'],
  ['from another’s balance', liveFor(ALICE, 60), [BOB, 5_000], 'You need $1,500.00 but only have $0.00'],
  // They must be transferred first.
  ['from winnings', withBob(0, funded(BOB, 0, 500), roundLive(ENDS)), [BOB, 1], 'You need $0.30 but only have $0.00'],
])('a purchase is refused %s', (_, past, [buyerId, quantity], text) => {
  given(past).when(buy(buyerId, quantity)).thenRefused(text);
});

describe('a purchase is refused', () => {
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '3' as unknown as number])(
    'for %p tokens',
    (quantity) => {
      given(liveFor(BOB, 100)).when(buy(BOB, quantity)).thenRefused('Please enter a valid quantity (minimum 1)');
    },
  );

  it('in downtime', () => {
    given(liveFor(BOB, 100))
      .when({ type: 'AdvanceClock', lastAliveAtMs: ENDS + DECIDING_MS }, { atMs: ENDS + DECIDING_MS })
      .andThen()
      .when(buy(BOB, 1))
      .thenRefused(`Game has ended. ${PLEASE_WAIT}`);
  });

  it('from the millisecond of the end on, while the round is being decided', () => {
    given(liveFor(BOB, 100)).when(buy(BOB, 1), { atMs: ENDS }).thenRefused(BEING_DECIDED);
    given(liveFor(BOB, 60))
      .when(buy(BOB, 1), { receivedAtMs: ENDS, atMs: ENDS + 1 })
      .thenRefused(BEING_DECIDED);
  });
});

/** Enrols the admin, then g1, g2 … g`count`, each below the gamer before and referred by them. */
const line = (count: number): Past[] => [
  adminEnrolled(),
  Array.from({ length: count }, (_, index) => {
    const above = index === 0 ? ADMIN : `g${index}`;
    return enrolled(`g${index + 1}`, above, above);
  }),
];
const allDepositors = (count: number): Past[] => [
  Array.from({ length: count }, (_, index) => depositorUntil(`g${index + 1}`, T0 + DAY)),
];
const to = (gamerId: string, level: number | null, direct: boolean, cents: number) =>
  ({ gamerId, level, direct, cents }) as Allocation;

/** Each upline of a buyer at the end of a line, from this level to that one. */
const others = (buyer: number, from: number, until: number): Allocation[] =>
  Array.from({ length: until - from + 1 }, (_, index) => to(`g${buyer - from - index}`, from + index, false, 2));
/** Zoe, referred by g1, at the end of a line of depositors. */
const zoeBelow = (count: number): Past[] => [line(count), enrolled('zoe', 'g1', `g${count}`), allDepositors(count)];
const until = T0 + 60 * SECOND;
const untilThen: Past[] = [enrolledGamers(), depositorUntil(ALICE, until)];
const nine: Past[] = [line(9), allDepositors(9)];
const gap: Past[] = [line(4), allDepositors(4), depositorUntil('g2', null)];
const idleSponsor: Past[] = [zoeBelow(8), depositorUntil('g1', null)];
const danWithoutSponsor: Past[] = [enrolledGamers(), enrolled('dan', null, ALICE, 1), depositorUntil(ALICE, T0 + DAY)];
const ofNine = [to('g8', 1, true, 3), ...others(9, 2, 7)];
const farUp = [...others(9, 1, 7), to('g1', null, true, 1)];

describe('the 15 cents of the matrix', () => {
  it.each<[string, Past[], string, Allocation[], number, number?]>([
    ['pay 2 to each of seven uplines, 1 more to the sponsor, none to an eighth', nine, 'g9', ofNine, 0],
    ['pay the sponsor on any level', zoeBelow(3), 'zoe', [...others(4, 1, 2), to('g1', 3, true, 3)], 8],
    ['pay a sponsor on level seven once, 3 cents', zoeBelow(7), 'zoe', [...others(8, 1, 6), to('g1', 7, true, 3)], 0],
    ['pay a sponsor farther up 1 cent, without a level', zoeBelow(8), 'zoe', farUp, 0],
    ['are unclaimed where an upline is missing', [line(2), allDepositors(2)], 'g2', [to('g1', 1, true, 3)], 12],
    ['do not move up where an upline is no depositor', gap, 'g4', [to('g3', 1, true, 3), to('g1', 3, false, 2)], 10],
    ['are unclaimed where the sponsor is far up and no depositor', idleSponsor, 'zoe', others(9, 1, 7), 1],
    ['never go to the admin as upline and sponsor', line(1), 'g1', [], 15],
    ['do not even if the admin were a depositor', [line(1), depositorUntil(ADMIN, T0 + DAY)], 'g1', [], 15],
    ['include no direct cent without a sponsor', danWithoutSponsor, 'dan', [to(ALICE, 1, false, 2)], 13],
    ['do not go to the buyer, a depositor', [enrolledGamers(), depositorUntil(BOB, T0 + DAY)], BOB, [], 15],
    ['are paid until the depositor status expires, inclusive', untilThen, BOB, [to(ALICE, 1, true, 3)], 12, until],
    ['are not paid after that', untilThen, BOB, [], 15, until + 1],
  ])('%s', (_, past, buyerId, allocations, unclaimedCents, atMs = T0) => {
    const { events } = given(past, funded(buyerId, 30), roundLive(ENDS)).when(buy(buyerId, 1), { atMs });
    expect(events[0]).toMatchObject({ type: 'TokenPurchased', data: { allocations, unclaimedCents } });
  });

  it('are multiplied by the tokens', () => {
    const { events } = given(zoeBelow(8), funded('zoe', 300_000), roundLive(ENDS)).when(buy('zoe', 10_000));
    const allocations = farUp.map((one) => ({ ...one, cents: 10_000 * one.cents }));
    expect(events[0]).toMatchObject({ type: 'TokenPurchased', data: { allocations, unclaimedCents: 0 } });
  });
});
