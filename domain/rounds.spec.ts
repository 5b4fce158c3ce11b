import type { TimerSettings } from '../contracts/limits.js';
import {
  ALICE,
  BOB,
  bought,
  depositorUntil,
  enrolledGamers,
  funded,
  gameStarted,
  liveStarted,
  roundLive,
  SECOND,
  T0,
  TIMERS,
  timersChanged,
} from './testing/events.js';
import { given, type Past, type Scenario } from './testing/scenario.js';

const ENDS = T0 + 120 * SECOND;
const start = { type: 'StartGame' } as const;
const force = { type: 'ForceStartLive' } as const;
/** Specified as decision 41's constant, as a literal: a wrong limit must fail a test. */
const DECIDING_MS = 300;
const reset = { type: 'ResetGame', reason: 'a test of the bell' } as const;
/** Advances the clock without an outage. */
const tick = { type: 'AdvanceClock', lastAliveAtEpochMs: Number.MAX_SAFE_INTEGER } as const;
const tickAfterOutage = (lastAliveAtEpochMs: number) => ({ type: 'AdvanceClock', lastAliveAtEpochMs }) as const;

const roundEnded = (more: object = {}) => ({
  type: 'RoundEnded' as const,
  data: {
    roundId: 1,
    winner: null,
    jackpotCents: 0,
    endedAtEpochMs: ENDS,
    nextRoundAtEpochMs: ENDS + 14_400 * SECOND,
    purchaseCount: 0,
    ...more,
  },
});

const idle: Past[] = [];
const pregame: Past[] = [gameStarted(1, T0 + 180 * SECOND)];
const live: Past[] = [roundLive(ENDS)];
const downtime: Past[] = [...live, ENDS, roundEnded()];

/** Alice and then Bob bought a token in round 1, which now ends a minute later. */
const liveWithPurchases: Past[] = [
  enrolledGamers(),
  funded(ALICE, 300),
  funded(BOB, 300),
  roundLive(ENDS),
  bought('p1', ALICE, { jackpotCents: 13, balanceCents: 270, endsAtEpochMs: ENDS + 30 * SECOND }),
  bought('p2', BOB, { jackpotCents: 26, balanceCents: 270, endsAtEpochMs: ENDS + 60 * SECOND }),
];
const LATER_END = ENDS + 60 * SECOND;

describe('starting the game', () => {
  it('opens round 1 in pregame', () => {
    given(idle)
      .when(start)
      .thenHappens(gameStarted(1, T0 + 180 * SECOND));
  });

  it.each([
    ['pregame', pregame],
    ['live', live],
    ['downtime', downtime],
  ])('is refused in %s', (_phase, past) => {
    given(past).when(start).thenRefused('The game can only be started while it is idle');
  });

  it('continues the round numbers after a reset, and starts with the carried jackpot', () => {
    const scenario = given(liveWithPurchases).when(reset).andThen();
    scenario.when(start).thenHappens(gameStarted(2, T0 + 180 * SECOND, { carriedCents: 26 }));
  });
});

describe('forcing live', () => {
  it('opens a round and makes it live for 300 seconds from idle', () => {
    given(idle)
      .when(force)
      .thenHappens(gameStarted(1, T0), liveStarted(1, T0 + 300 * SECOND, true));
  });

  it('makes the round in pregame live for 300 seconds', () => {
    const at = T0 + 5 * SECOND;
    given(pregame, at)
      .when(force)
      .thenHappens(liveStarted(1, at + 300 * SECOND, true));
  });

  it('opens the next round from downtime', () => {
    given(downtime)
      .when(force)
      .thenHappens(gameStarted(2, ENDS), liveStarted(2, ENDS + 300 * SECOND, true));
  });

  it('is refused while live', () => {
    given(live).when(force).thenRefused('The game is already live');
  });

  it('lasts 300 seconds, independent of the timers', () => {
    given(timersChanged({ liveDurationSeconds: 7 }))
      .when(force)
      .thenHappens(
        gameStarted(1, T0, { timers: { ...TIMERS, liveDurationSeconds: 7 } }),
        liveStarted(1, T0 + 300 * SECOND, true),
      );
  });
});

describe('resetting to idle', () => {
  const gameReset = (roundId: number | null, carriedCents: number, purchaseCount = 0, reason = 'a test of the bell') =>
    ({ type: 'GameReset', data: { roundId, carriedCents, reason, purchaseCount } }) as const;

  it('records that no reason was given', () => {
    given(...liveWithPurchases)
      .when({ type: 'ResetGame', reason: ' ' })
      .thenHappens(gameReset(1, 26, 2, 'No reason given'));
  });

  it('is refused while idle', () => {
    given(idle).when(reset).thenRefused('The game is already idle');
  });

  it.each([
    ['pregame', pregame, 1],
    ['live', live, 1],
    ['downtime, where no round is open', downtime, null],
  ])('voids the round of %s', (_phase, past, roundId) => {
    const { state } = given(past).when(reset).thenHappens(gameReset(roundId, 0));
    expect(state.game).toMatchObject({ phase: 'idle', roundId: null, endsAtEpochMs: null, purchases: [] });
  });

  it('carries the jackpot; the matrix and profit shares of the void round stand', () => {
    const { state } = given(liveWithPurchases)
      .when(reset)
      .thenHappens(gameReset(1, 26, 2));
    expect(state.balances.get('jackpot')).toBe(26);
    expect(state.balances.get('house:profit')).toBe(4);
    expect(state.balances.get('house:unclaimed')).toBe(30);
    expect(state.balances.get('gamer:bob:purchase')).toBe(270);
  });

  it('is refused from zero on: the last buyer has won, even before RoundEnded', () => {
    given(liveWithPurchases, LATER_END - 1)
      .when(reset)
      .thenHappens(gameReset(1, 26, 2));
    given(liveWithPurchases, LATER_END)
      .when(reset)
      .thenRefused('The countdown is over and the winner is being decided. Please try again in a moment.');
  });

  it('voids a round without purchases, also at zero', () => {
    given(live, ENDS).when(reset).thenHappens(gameReset(1, 0));
  });

  it('leaves nothing to end afterwards', () => {
    given(live).when(reset).andThen().and(ENDS).when(tick).thenNothing();
  });
});

describe('changing the timers', () => {
  const change = (timers: object) =>
    ({ type: 'ChangeTimers', timers: { ...TIMERS, ...timers } as TimerSettings }) as const;

  it('accepts whole seconds from 1 to a year, and up to a day for a token', () => {
    const least = {
      pregameDurationSeconds: 1,
      liveDurationSeconds: 1,
      downtimeDurationSeconds: 1,
      tokenExtensionSeconds: 1,
    };
    const most = {
      pregameDurationSeconds: 31_536_000,
      liveDurationSeconds: 31_536_000,
      downtimeDurationSeconds: 31_536_000,
      tokenExtensionSeconds: 86_400,
    };
    given().when(change(least)).thenHappens(timersChanged(least));
    given().when(change(most)).thenHappens(timersChanged(most));
  });

  it.each([
    { pregameDurationSeconds: 0 },
    { pregameDurationSeconds: -1 },
    { liveDurationSeconds: 1.5 },
    { liveDurationSeconds: Number.NaN },
    { liveDurationSeconds: Number.POSITIVE_INFINITY },
    { downtimeDurationSeconds: 31_536_001 },
    { downtimeDurationSeconds: '60' },
    { tokenExtensionSeconds: 86_401 },
    { tokenExtensionSeconds: 0 },
    { tokenExtensionSeconds: undefined },
  ])('is refused for %p', (timers) => {
    given()
      .when(change(timers))
      .thenRefused('Timers must be whole seconds, from 1 to a year; a token adds at most a day');
  });

  it('records the four settings and no other fields, and only a change', () => {
    const changed = { tokenExtensionSeconds: 31 };
    given()
      .when(change({ ...changed, jackpotCents: 1_000_000 }))
      .thenHappens(timersChanged(changed));
    given()
      .when(change({ jackpotCents: 1_000_000 }))
      .thenNothing();
  });

  it('applies from the next phase on, not to the current one', () => {
    const scenario = given(pregame, timersChanged({ pregameDurationSeconds: 1, liveDurationSeconds: 60 }));
    scenario
      .and(T0 + 179 * SECOND)
      .when(tick)
      .thenNothing();
    const at = T0 + 180 * SECOND;
    scenario
      .and(at)
      .when(tick)
      .thenHappens(liveStarted(1, at + 60 * SECOND));
  });

  it('changes the extension from the next round on', () => {
    const scenario = given(liveWithPurchases, timersChanged({ tokenExtensionSeconds: 5 }));
    const buy = { type: 'BuyTokens', buyerId: BOB, quantity: 1 } as const;
    expect(extensionOf(scenario, buy)).toBe(30);
    const next = scenario.when(reset).andThen().when(force).andThen();
    expect(extensionOf(next, buy)).toBe(5);
  });

  function extensionOf(scenario: Scenario, buy: { type: 'BuyTokens'; buyerId: string; quantity: number }) {
    const extended = scenario.when(buy).events.find(({ type }) => type === 'TimeExtended');
    return extended?.type === 'TimeExtended' ? extended.data.addedSeconds : undefined;
  }
});

describe('the clock', () => {
  it('has nothing to do while idle', () => {
    given(idle, T0 * 2)
      .when(tick)
      .thenNothing();
  });

  it.each([
    ['pregame', pregame, T0 + 180 * SECOND],
    ['the decisions of live', live, ENDS + DECIDING_MS],
    ['downtime', downtime, ENDS + 14_400 * SECOND],
  ])('has nothing to do a millisecond before %s ends', (_phase, past, end) => {
    given(past, end - 1)
      .when(tick)
      .thenNothing();
  });

  it('makes a round live after pregame', () => {
    const at = T0 + 180 * SECOND;
    given(pregame, at)
      .when(tick)
      .thenHappens(liveStarted(1, at + 120 * SECOND));
  });

  it('opens the next round, in pregame, after downtime', () => {
    const at = ENDS + 14_400 * SECOND;
    given(downtime, at)
      .when(tick)
      .thenHappens(gameStarted(2, at + 180 * SECOND));
  });

  it('starts the next phase at the time of the call, not when it was due', () => {
    const at = T0 + 200 * SECOND;
    given(pregame, at)
      .when(tick)
      .thenHappens(liveStarted(1, at + 120 * SECOND));
  });
});

describe('the end of a round', () => {
  it('pays the whole jackpot to the last buyer, whether a depositor or not', () => {
    const scenario = given(liveWithPurchases, depositorUntil(BOB, null), LATER_END + DECIDING_MS);
    const { state } = scenario.when(tick).thenHappens(
      roundEnded({
        winner: { gamerId: BOB, purchaseId: 'p2' },
        jackpotCents: 26,
        endedAtEpochMs: LATER_END,
        nextRoundAtEpochMs: LATER_END + DECIDING_MS + 14_400 * SECOND,
        purchaseCount: 2,
      }),
    );
    expect(state.balances.get('jackpot')).toBe(0);
    expect(state.balances.get('gamer:bob:winnings')).toBe(26);
    expect(state.game.lastResult).toEqual({
      roundId: 1,
      winnerId: BOB,
      jackpotCents: 26,
      endedAtEpochMs: LATER_END,
      tokenCount: 2,
    });
  });

  it('is recorded as the countdown’s zero, even if the clock advanced late; downtime starts then', () => {
    const at = ENDS + 700;
    given(live, at)
      .when(tick)
      .thenHappens(roundEnded({ endedAtEpochMs: ENDS, nextRoundAtEpochMs: at + 14_400 * SECOND }));
  });

  it('has no winner without a purchase, and carries the jackpot into the next round', () => {
    const carried = given(liveWithPurchases).when(reset).andThen().when(force).andThen();
    const end = T0 + 300 * SECOND;
    const nextRoundAtEpochMs = end + DECIDING_MS + 14_400 * SECOND;
    const ended = carried
      .and(end + DECIDING_MS)
      .when(tick)
      .thenHappens(roundEnded({ roundId: 2, jackpotCents: 26, endedAtEpochMs: end, nextRoundAtEpochMs }));
    expect(ended.state.balances.get('jackpot')).toBe(26);
    ended
      .and(nextRoundAtEpochMs)
      .when(tick)
      .thenHappens(gameStarted(3, nextRoundAtEpochMs + 180 * SECOND, { carriedCents: 26 }));
  });
});

describe('a countdown that reached zero during an outage', () => {
  const resumed = (outageSeconds: number, endsAtEpochMs: number, lastAliveAtEpochMs: number) =>
    ({ type: 'LiveResumed', data: { roundId: 1, outageSeconds, endsAtEpochMs, lastAliveAtEpochMs } }) as const;

  it('resumes with the time that was left', () => {
    const at = ENDS + 600 * SECOND;
    const scenario = given(live, at)
      .when(tickAfterOutage(ENDS - 45 * SECOND))
      .thenHappens(resumed(645, at + 45 * SECOND, ENDS - 45 * SECOND));
    expect(scenario.state.game.resumed).toEqual({ outageSeconds: 645, atEpochMs: at });
    expect(scenario.state.game.phase).toBe('live');
  });

  it('resumes with at least 30 seconds', () => {
    const at = ENDS + 10 * SECOND;
    given(live, at)
      .when(tickAfterOutage(ENDS - 1))
      .thenHappens(resumed(11, at + 30 * SECOND, ENDS - 1));
    given(live, at)
      .when(tickAfterOutage(ENDS - 30 * SECOND))
      .thenHappens(resumed(40, at + 30 * SECOND, ENDS - 30 * SECOND));
    given(live, at)
      .when(tickAfterOutage(ENDS - 30 * SECOND - 1))
      .thenHappens(resumed(41, at + 30 * SECOND + 1, ENDS - 30 * SECOND - 1));
  });

  it('keeps the purchases, and the last buyer wins at its end', () => {
    const at = LATER_END + 60 * SECOND;
    const scenario = given(liveWithPurchases, at)
      .when(tickAfterOutage(LATER_END - 1))
      .andThen();
    const ended = scenario.and(at + 30 * SECOND + DECIDING_MS).when(tick);
    expect(ended.events).toMatchObject([{ type: 'RoundEnded', data: { winner: { gamerId: BOB, purchaseId: 'p2' } } }]);
    expect(ended.andThen().state.game.resumed).toBeNull();
  });

  it('ends when an event was appended after zero: a node was alive', () => {
    given(live, ENDS + 1, timersChanged({}), ENDS + 60 * SECOND)
      .when(tickAfterOutage(ENDS - 20 * SECOND))
      .thenHappens(roundEnded({ nextRoundAtEpochMs: ENDS + 60 * SECOND + 14_400 * SECOND }));
  });

  it('counts an outage from the last event: a node was alive then', () => {
    const at = ENDS + 60 * SECOND;
    given(live, ENDS - 31 * SECOND, timersChanged({}), at)
      .when(tickAfterOutage(ENDS - 50 * SECOND))
      .thenHappens(resumed(91, at + 31 * SECOND, ENDS - 31 * SECOND));
  });

  it('ends after a stall of three seconds or less, which is no outage', () => {
    given(live, ENDS + 2_999)
      .when(tickAfterOutage(ENDS - 1))
      .thenHappens(roundEnded({ nextRoundAtEpochMs: ENDS + 2_999 + 14_400 * SECOND }));
    given(live, ENDS + 3_000)
      .when(tickAfterOutage(ENDS - 1))
      .thenHappens(resumed(4, ENDS + 33 * SECOND, ENDS - 1));
  });

  it('ends when a node was alive until zero', () => {
    given(live, ENDS + 400)
      .when(tickAfterOutage(ENDS))
      .thenHappens(roundEnded({ nextRoundAtEpochMs: ENDS + 400 + 14_400 * SECOND }));
  });

  it('can resume again after another outage', () => {
    const once = given(live, ENDS + 60 * SECOND)
      .when(tickAfterOutage(ENDS - 1))
      .andThen();
    const end = ENDS + 90 * SECOND;
    once
      .and(end + 5 * SECOND)
      .when(tickAfterOutage(end - 10 * SECOND))
      .thenHappens(resumed(15, end + 35 * SECOND, end - 10 * SECOND));
  });

  it('does not resume pregame or downtime: the next phase begins', () => {
    const later = T0 + 7_200 * SECOND;
    given(pregame, later)
      .when(tickAfterOutage(T0 + 1))
      .thenHappens(liveStarted(1, later + 120 * SECOND));
    const muchLater = ENDS + 20_000 * SECOND;
    given(downtime, muchLater)
      .when(tickAfterOutage(ENDS))
      .thenHappens(gameStarted(2, muchLater + 180 * SECOND));
  });
});
