import type { TimerSettings } from '../contracts/limits.js';
import {
  ALICE,
  BOB,
  bought,
  depositorUntil,
  funded,
  gameStarted,
  liveStarted,
  people,
  roundLive,
  SECOND,
  T0,
  TIMERS,
  timersChanged,
} from './testing/events.js';
import { given, type Past, type Story } from './testing/story.js';

const EMPTY_ROOT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const ENDS = T0 + 120 * SECOND;
const start = { type: 'StartGame' } as const;
const force = { type: 'ForceStartLive' } as const;
const reset = { type: 'ResetGame', reason: 'a test of the bell' } as const;
/** Every node was alive all along. */
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
    merkleRoot: EMPTY_ROOT,
    ...more,
  },
});

const idle: Past[] = [];
const pregame: Past[] = [gameStarted(1, T0 + 180 * SECOND)];
const live: Past[] = [roundLive(ENDS)];
const downtime: Past[] = [...live, ENDS, roundEnded()];

/** Alice, then Bob bought a token in round 1, which now ends a minute later. */
const liveWithPurchases: Past[] = [
  people(),
  funded(ALICE, 300),
  funded(BOB, 300),
  roundLive(ENDS),
  bought('p1', ALICE, { jackpotCents: 13, balanceCents: 270, endsAtEpochMs: ENDS + 30 * SECOND }),
  bought('p2', BOB, { jackpotCents: 26, balanceCents: 270, endsAtEpochMs: ENDS + 60 * SECOND }),
];
const LATER_END = ENDS + 60 * SECOND;

describe('starting the game', () => {
  it('opens round 1 in pregame', () => {
    given(...idle)
      .when(start)
      .thenHappens(gameStarted(1, T0 + 180 * SECOND));
  });

  it.each([
    ['pregame', pregame],
    ['live', live],
    ['downtime', downtime],
  ])('is refused in %s', (_phase, past) => {
    given(...past)
      .when(start)
      .thenRefused('The game can only be started while it is idle');
  });

  it('numbers rounds on after a reset, and begins with the jackpot that was carried', () => {
    const story = given(...liveWithPurchases)
      .when(reset)
      .andThen();
    story.when(start).thenHappens(gameStarted(2, T0 + 180 * SECOND, { carriedCents: 26 }));
  });
});

describe('forcing live', () => {
  it('opens a round and makes it live for 300 seconds from idle', () => {
    given(...idle)
      .when(force)
      .thenHappens(gameStarted(1, T0), liveStarted(1, T0 + 300 * SECOND, true));
  });

  it('makes the round in pregame live for 300 seconds', () => {
    const at = T0 + 5 * SECOND;
    given(...pregame, at)
      .when(force)
      .thenHappens(liveStarted(1, at + 300 * SECOND, true));
  });

  it('opens the next round from downtime', () => {
    given(...downtime)
      .when(force)
      .thenHappens(gameStarted(2, ENDS), liveStarted(2, ENDS + 300 * SECOND, true));
  });

  it('is refused while live', () => {
    given(...live)
      .when(force)
      .thenRefused('The game is already live');
  });

  it('lasts 300 seconds whatever the timers say', () => {
    given(timersChanged({ liveDurationSeconds: 7 }))
      .when(force)
      .thenHappens(
        gameStarted(1, T0, { timers: { ...TIMERS, liveDurationSeconds: 7 } }),
        liveStarted(1, T0 + 300 * SECOND, true),
      );
  });
});

describe('resetting to idle', () => {
  const gameReset = (roundId: number | null, carriedCents: number) =>
    ({ type: 'GameReset', data: { roundId, carriedCents, reason: 'a test of the bell' } }) as const;

  it('is refused while idle', () => {
    given(...idle)
      .when(reset)
      .thenRefused('The game is already idle');
  });

  it.each([
    ['pregame', pregame, 1],
    ['live', live, 1],
    ['downtime, where no round is open', downtime, null],
  ])('voids the round of %s', (_phase, past, roundId) => {
    const { state } = given(...past)
      .when(reset)
      .thenHappens(gameReset(roundId, 0));
    expect(state.game).toMatchObject({ phase: 'idle', roundId: null, endsAtEpochMs: null, purchases: [] });
  });

  it('carries the jackpot; the matrix and house shares of the void round stand', () => {
    const { state } = given(...liveWithPurchases)
      .when(reset)
      .thenHappens(gameReset(1, 26));
    expect(state.balances.get('jackpot')).toBe(26);
    expect(state.balances.get('house:profit')).toBe(4);
    expect(state.balances.get('house:unclaimed')).toBe(30);
    expect(state.balances.get('gamer:bob:purchase')).toBe(270);
  });

  it('is refused from zero on: the last buyer has won, though the log does not say so yet', () => {
    given(...liveWithPurchases, LATER_END - 1)
      .when(reset)
      .thenHappens(gameReset(1, 26));
    given(...liveWithPurchases, LATER_END)
      .when(reset)
      .thenRefused('The countdown is over and the winner is being decided. Please try again in a moment.');
  });

  it('voids a round that nobody bought in, also at zero', () => {
    given(...live, ENDS)
      .when(reset)
      .thenHappens(gameReset(1, 0));
  });

  it('lets nothing end afterwards', () => {
    given(...live)
      .when(reset)
      .andThen()
      .and(ENDS)
      .when(tick)
      .thenNothing();
  });
});

describe('changing the timers', () => {
  const change = (timers: object) =>
    ({ type: 'ChangeTimers', timers: { ...TIMERS, ...timers } as TimerSettings }) as const;

  it('takes whole seconds from 1 to a year, and a day for a token', () => {
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

  it('records the four settings and nothing else that was sent', () => {
    given()
      .when(change({ jackpotCents: 1_000_000 }))
      .thenHappens(timersChanged({}));
  });

  it('holds from the next phase on, not for the one that runs', () => {
    const story = given(...pregame, timersChanged({ pregameDurationSeconds: 1, liveDurationSeconds: 60 }));
    story
      .and(T0 + 179 * SECOND)
      .when(tick)
      .thenNothing();
    const at = T0 + 180 * SECOND;
    story
      .and(at)
      .when(tick)
      .thenHappens(liveStarted(1, at + 60 * SECOND));
  });

  it('changes what a token adds from the next round on', () => {
    const story = given(...liveWithPurchases, timersChanged({ tokenExtensionSeconds: 5 }));
    const buy = { type: 'BuyTokens', buyerId: BOB, quantity: 1 } as const;
    expect(extensionOf(story, buy)).toBe(30);
    const next = story.when(reset).andThen().when(force).andThen();
    expect(extensionOf(next, buy)).toBe(5);
  });

  function extensionOf(story: Story, buy: { type: 'BuyTokens'; buyerId: string; quantity: number }) {
    const extended = story.when(buy).events.find(({ type }) => type === 'TimeExtended');
    return extended?.type === 'TimeExtended' ? extended.data.addedSeconds : undefined;
  }
});

describe('the clock', () => {
  it('has nothing to do while idle, however late', () => {
    given(...idle, T0 * 2)
      .when(tick)
      .thenNothing();
  });

  it.each([
    ['pregame', pregame, T0 + 180 * SECOND],
    ['live', live, ENDS],
    ['downtime', downtime, ENDS + 14_400 * SECOND],
  ])('has nothing to do a millisecond before %s ends', (_phase, past, end) => {
    given(...past, end - 1)
      .when(tick)
      .thenNothing();
  });

  it('makes a round live when pregame is over', () => {
    const at = T0 + 180 * SECOND;
    given(...pregame, at)
      .when(tick)
      .thenHappens(liveStarted(1, at + 120 * SECOND));
  });

  it('opens the next round, in pregame, when downtime is over', () => {
    const at = ENDS + 14_400 * SECOND;
    given(...downtime, at)
      .when(tick)
      .thenHappens(gameStarted(2, at + 180 * SECOND));
  });

  it('counts the next phase from when it was called, not from when it was due', () => {
    const at = T0 + 200 * SECOND;
    given(...pregame, at)
      .when(tick)
      .thenHappens(liveStarted(1, at + 120 * SECOND));
  });
});

describe('the end of a round', () => {
  it('pays the whole jackpot to the last buyer, whether a depositor or not', () => {
    const story = given(...liveWithPurchases, depositorUntil(BOB, null), LATER_END);
    const { state } = story.when(tick).thenHappens(
      roundEnded({
        winner: { gamerId: BOB, purchaseId: 'p2' },
        jackpotCents: 26,
        endedAtEpochMs: LATER_END,
        nextRoundAtEpochMs: LATER_END + 14_400 * SECOND,
        purchaseCount: 2,
        merkleRoot: expect.stringMatching(/^[0-9a-f]{64}$/),
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

  it('was when the countdown reached zero, though the clock came late; downtime lasts from then on', () => {
    const at = ENDS + 700;
    given(...live, at)
      .when(tick)
      .thenHappens(roundEnded({ endedAtEpochMs: ENDS, nextRoundAtEpochMs: at + 14_400 * SECOND }));
  });

  it('has no winner when nobody bought, and the carried jackpot goes on into the next round', () => {
    const carried = given(...liveWithPurchases)
      .when(reset)
      .andThen()
      .when(force)
      .andThen();
    const end = T0 + 300 * SECOND;
    const nextRoundAtEpochMs = end + 14_400 * SECOND;
    const ended = carried
      .and(end)
      .when(tick)
      .thenHappens(roundEnded({ roundId: 2, jackpotCents: 26, endedAtEpochMs: end, nextRoundAtEpochMs }));
    expect(ended.state.balances.get('jackpot')).toBe(26);
    ended
      .and(nextRoundAtEpochMs)
      .when(tick)
      .thenHappens(gameStarted(3, nextRoundAtEpochMs + 180 * SECOND, { carriedCents: 26 }));
  });
});

describe('a countdown that ran out while nobody could buy', () => {
  const resumed = (outageSeconds: number, endsAtEpochMs: number) =>
    ({ type: 'LiveResumed', data: { roundId: 1, outageSeconds, endsAtEpochMs } }) as const;

  it('goes on with the time that was left', () => {
    const at = ENDS + 600 * SECOND;
    const story = given(...live, at)
      .when(tickAfterOutage(ENDS - 45 * SECOND))
      .thenHappens(resumed(645, at + 45 * SECOND));
    expect(story.state.game.resumed).toEqual({ outageSeconds: 645, atEpochMs: at });
    expect(story.state.game.phase).toBe('live');
  });

  it('goes on for 30 seconds at the least', () => {
    const at = ENDS + 10 * SECOND;
    given(...live, at)
      .when(tickAfterOutage(ENDS - 1))
      .thenHappens(resumed(11, at + 30 * SECOND));
    given(...live, at)
      .when(tickAfterOutage(ENDS - 30 * SECOND))
      .thenHappens(resumed(40, at + 30 * SECOND));
    given(...live, at)
      .when(tickAfterOutage(ENDS - 30 * SECOND - 1))
      .thenHappens(resumed(41, at + 30 * SECOND + 1));
  });

  it('keeps the purchases and the last buyer, who wins when it ends after all', () => {
    const at = LATER_END + 60 * SECOND;
    const story = given(...liveWithPurchases, at)
      .when(tickAfterOutage(LATER_END - 1))
      .andThen();
    const ended = story.and(at + 30 * SECOND).when(tick);
    expect(ended.events).toMatchObject([{ type: 'RoundEnded', data: { winner: { gamerId: BOB, purchaseId: 'p2' } } }]);
    expect(ended.andThen().state.game.resumed).toBeNull();
  });

  it('ends when somebody could buy until zero', () => {
    given(...live, ENDS + 400)
      .when(tickAfterOutage(ENDS))
      .thenHappens(roundEnded({ nextRoundAtEpochMs: ENDS + 400 + 14_400 * SECOND }));
  });

  it('may be resumed again after another outage', () => {
    const once = given(...live, ENDS + 60 * SECOND)
      .when(tickAfterOutage(ENDS - 1))
      .andThen();
    const end = ENDS + 90 * SECOND;
    once
      .and(end + 5 * SECOND)
      .when(tickAfterOutage(end - 10 * SECOND))
      .thenHappens(resumed(15, end + 35 * SECOND));
  });

  it('does not hold up pregame or downtime: the next phase simply begins', () => {
    const later = T0 + 7_200 * SECOND;
    given(...pregame, later)
      .when(tickAfterOutage(T0 + 1))
      .thenHappens(liveStarted(1, later + 120 * SECOND));
    const muchLater = ENDS + 20_000 * SECOND;
    given(...downtime, muchLater)
      .when(tickAfterOutage(ENDS))
      .thenHappens(gameStarted(2, muchLater + 180 * SECOND));
  });
});
