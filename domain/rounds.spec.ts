import type { TimerSettings } from '../contracts/limits.js';
import { timersVersion } from '../contracts/versions.js';
import type { CommandContext, LedgerCommand } from './ledger/ledger-commands.js';
import { waitsForZero } from './rounds.js';
import { ALICE, BOB, DAY, SECOND, T0, TIMERS } from './testing/constants.js';
import { depositorUntil, enrolledGamers, funded } from './testing/gamers.js';
import {
  bought,
  gameReset,
  gameStarted,
  liveStarted,
  roundEnded,
  roundLive,
  tick,
  timersChanged,
} from './testing/rounds.js';
import { given, itHappens, itRefuses, type Past } from './testing/scenario.js';

const ENDS = T0 + 120 * SECOND;
const start = { type: 'StartGame' } as const;
const force = { type: 'ForceStartLive' } as const;
/** Specified as decision 41's constant, as a literal: a wrong limit must fail a test. */
const DECIDING_MS = 300;
const reset = { type: 'ResetGame', reason: 'a test' } as const;

const idle: Past[] = [];
const pregame: Past[] = [gameStarted(1, T0 + 180 * SECOND)];
const live: Past[] = [roundLive(ENDS)];
const downtime: Past[] = [...live, ENDS, roundEnded(ENDS)];

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
  itHappens([['opens round 1 in pregame', idle, start, [gameStarted(1, T0 + 180 * SECOND)]]]);

  itRefuses(
    Object.entries({ pregame, live, downtime }).map(([phase, past]) => [
      `is refused in ${phase}`,
      past,
      start,
      'The game can only be started while it is idle',
    ]),
  );

  it('continues the round numbers after a reset, and starts with the carried jackpot', () => {
    const scenario = given(liveWithPurchases).when(reset).andThen();
    scenario.when(start).thenHappens(gameStarted(2, T0 + 180 * SECOND, { carriedCents: 26 }));
  });
});

describe('forcing live', () => {
  const atMs = T0 + 5 * SECOND;
  const short = { liveDurationSeconds: 7 };
  const shortLive = [gameStarted(1, T0, { timers: { ...TIMERS, ...short } }), liveStarted(1, T0 + 300_000, true)];

  itHappens([
    ['opens a round of 300 seconds from idle', idle, force, [gameStarted(1, T0), liveStarted(1, T0 + 300_000, true)]],
    ['makes the round in pregame live', [pregame, atMs], force, [liveStarted(1, atMs + 300_000, true)]],
    ['opens the next round', downtime, force, [gameStarted(2, ENDS), liveStarted(2, ENDS + 300_000, true)]],
    ['lasts 300 seconds, independent of the timers', timersChanged(short), force, shortLive],
  ]);

  itRefuses([['is refused while live', live, force, 'The game is already live']]);
});

describe('resetting to idle', () => {
  const BEING_DECIDED = 'The countdown is over and the winner is being decided. Please try again in a moment.';
  const noReason = { type: 'ResetGame', reason: ' ' } as const;
  const won = roundEnded(LATER_END, { winner: { gamerId: BOB, purchaseId: 'p2' }, jackpotCents: 26, purchaseCount: 2 });

  itHappens([
    ['records that no reason was given', liveWithPurchases, noReason, [gameReset(1, 26, 2, 'No reason given')]],
    ['voids a round until zero', [liveWithPurchases, LATER_END - 1], reset, [gameReset(1, 26, 2)]],
    ['voids a round without purchases, also at zero', [live, ENDS], reset, [gameReset(1, 0)]],
    ['voids no round after downtime', [liveWithPurchases, won, T0 + DAY], reset, [gameReset(null, 0)]],
  ]);

  itRefuses([
    ['is refused while idle', idle, reset, 'The game is already idle'],
    ['is refused from zero on: the last buyer has won', [liveWithPurchases, LATER_END], reset, BEING_DECIDED],
  ]);

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
    const after = { jackpot: 26, 'house:profit': 4, 'house:unclaimed': 30, 'gamer:bob:purchase': 270 };
    expect(Object.fromEntries(state.balances)).toMatchObject(after);
  });
});

describe('changing the timers', () => {
  const change = (timers: object) =>
    ({ type: 'ChangeTimers', timers: { ...TIMERS, ...timers } as TimerSettings }) as const;

  it('accepts whole seconds from 1 to a year, and up to a day for a token', () => {
    for (const [phase, tokenExtensionSeconds] of [
      [1, 1],
      [31_536_000, 86_400],
    ] as const) {
      const phases = { pregameDurationSeconds: phase, liveDurationSeconds: phase, downtimeDurationSeconds: phase };
      given()
        .when(change({ ...phases, tokenExtensionSeconds }))
        .thenHappens(timersChanged({ ...phases, tokenExtensionSeconds }));
    }
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

  const changed = { tokenExtensionSeconds: 31 };
  it('accepts them as they were read, and is refused after another change', () => {
    const changeOf = (timers: TimerSettings) => ({ ...change(changed), expectedVersion: timersVersion(timers) });
    given().when(changeOf(TIMERS)).thenHappens(timersChanged(changed));
    given()
      .when(changeOf({ ...TIMERS, liveDurationSeconds: 60 }))
      .thenRefused('Somebody changed this after you had opened it. Nothing was saved.');
  });

  it('records the four settings and no other fields, and only a change', () => {
    given()
      .when(change({ ...changed, jackpotCents: 1_000_000 }))
      .thenHappens(timersChanged(changed));
    given()
      .when(change({ jackpotCents: 1_000_000 }))
      .thenNothing();
  });

  const inPregame: Past[] = [pregame, timersChanged({ pregameDurationSeconds: 1, liveDurationSeconds: 60 })];
  const liveAt = T0 + 180 * SECOND;
  itHappens([
    ['does not change the current phase', [inPregame, T0 + 179 * SECOND], tick, []],
    ['applies from the next phase on', [inPregame, liveAt], tick, [liveStarted(1, liveAt + 60 * SECOND)]],
  ]);

  it('changes the extension from the next round on', () => {
    const scenario = given(liveWithPurchases, timersChanged({ tokenExtensionSeconds: 5 }));
    const buy = { type: 'BuyTokens', buyerId: BOB, quantity: 1 } as const;
    const extension = (addedSeconds: number) => ({ type: 'TimeExtended', data: { addedSeconds } });
    expect(scenario.when(buy).events[1]).toMatchObject(extension(30));
    const next = scenario.when(reset).andThen().when(force).andThen();
    expect(next.when(buy).events[1]).toMatchObject(extension(5));
  });
});

describe('the clock', () => {
  const liveAt = T0 + 180 * SECOND;
  const over = ENDS + 14_400 * SECOND;

  itHappens([
    ['has nothing to do while idle', [idle, T0 * 2], tick, []],
    ['has nothing to do a millisecond before pregame ends', [pregame, liveAt - 1], tick, []],
    ['has nothing to do before purchases at zero are decided', [live, ENDS + DECIDING_MS - 1], tick, []],
    ['has nothing to do a millisecond before downtime ends', [downtime, over - 1], tick, []],
    ['makes a round live after pregame', [pregame, liveAt], tick, [liveStarted(1, liveAt + 120 * SECOND)]],
    ['opens the next round after downtime', [downtime, over], tick, [gameStarted(2, over + 180 * SECOND)]],
    ['starts a phase when called, not when due', [pregame, liveAt + 9], tick, [liveStarted(1, liveAt + 120_009)]],
  ]);
});

describe('the end of a round', () => {
  it('pays the whole jackpot to the last buyer, whether a depositor or not', () => {
    const scenario = given(liveWithPurchases, depositorUntil(BOB, null), LATER_END + DECIDING_MS);
    const { state } = scenario.when(tick).thenHappens(
      roundEnded(LATER_END, {
        winner: { gamerId: BOB, purchaseId: 'p2' },
        jackpotCents: 26,
        nextRoundAtMs: LATER_END + DECIDING_MS + 14_400 * SECOND,
        purchaseCount: 2,
      }),
    );
    expect(state.balances.get('jackpot')).toBe(0);
    expect(state.balances.get('gamer:bob:winnings')).toBe(26);
    const result = { roundId: 1, winnerId: BOB, jackpotCents: 26, endedAtMs: LATER_END, tokenCount: 2 };
    expect(state.game.lastResult).toEqual(result);
  });

  it('has no winner without a purchase, and carries the jackpot into the next round', () => {
    const carried = given(liveWithPurchases).when(reset).andThen().when(force).andThen();
    const end = T0 + 300 * SECOND;
    const nextRoundAtMs = end + DECIDING_MS + 14_400 * SECOND;
    const ended = carried
      .and(end + DECIDING_MS)
      .when(tick)
      .thenHappens(roundEnded(end, { roundId: 2, jackpotCents: 26, nextRoundAtMs }));
    expect(ended.state.balances.get('jackpot')).toBe(26);
    ended
      .and(nextRoundAtMs)
      .when(tick)
      .thenHappens(gameStarted(3, nextRoundAtMs + 180 * SECOND, { carriedCents: 26 }));
  });
});

describe('a countdown that reached zero during an outage', () => {
  const aliveAt = (lastAliveAtMs: number) => ({ type: 'AdvanceClock', lastAliveAtMs }) as const;
  const resumed = (outageSeconds: number, endsAtEpochMs: number, lastAliveAtMs: number) =>
    ({ type: 'LiveResumed', data: { roundId: 1, outageSeconds, endsAtEpochMs, lastAliveAtMs } }) as const;

  it('resumes with the time that was left', () => {
    const atMs = ENDS + 600 * SECOND;
    const scenario = given(live, atMs)
      .when(aliveAt(ENDS - 45 * SECOND))
      .thenHappens(resumed(645, atMs + 45 * SECOND, ENDS - 45 * SECOND));
    expect(scenario.state.game.resumed).toEqual({ outageSeconds: 645, atMs });
    expect(scenario.state.game.phase).toBe('live');
  });

  const late = ENDS + 10 * SECOND;
  const much = ENDS + 60 * SECOND;
  const next = (atMs: number) => roundEnded(ENDS, { nextRoundAtMs: atMs + 14_400 * SECOND });
  const inTime = ENDS - 30 * SECOND;
  const lastEvent = ENDS - 31 * SECOND;
  const beforeEvent = [live, lastEvent, timersChanged({}), much];
  const afterZero = [live, ENDS + 1, timersChanged({}), much];
  const later = T0 + 7_200 * SECOND;
  const muchLater = ENDS + 20_000 * SECOND;

  const nextStarted = gameStarted(2, muchLater + 180 * SECOND);

  itHappens([
    ['resumes with 30 seconds for one', [live, late], aliveAt(ENDS - 1), [resumed(11, late + 30_000, ENDS - 1)]],
    ['resumes with 30 seconds for 30', [live, late], aliveAt(inTime), [resumed(40, late + 30_000, inTime)]],
    ['resumes with 30,001 ms for as many', [live, late], aliveAt(inTime - 1), [resumed(41, late + 30_001, inTime - 1)]],
    ['ends when an event came after zero: a node was alive', afterZero, aliveAt(ENDS - 20_000), [next(much)]],
    [
      'counts an outage from the last event',
      beforeEvent,
      aliveAt(ENDS - 50_000),
      [resumed(91, much + 31_000, lastEvent)],
    ],
    ['ends after a stall below three seconds', [live, ENDS + 2_999], aliveAt(ENDS - 1), [next(ENDS + 2_999)]],
    ['resumes after one of three', [live, ENDS + 3_000], aliveAt(ENDS - 1), [resumed(4, ENDS + 33_000, ENDS - 1)]],
    ['ends when a node was alive at zero', [live, ENDS + 5_000], aliveAt(ENDS), [next(ENDS + 5_000)]],
    ['goes live after pregame', [pregame, later], aliveAt(T0 + 1), [liveStarted(1, later + 120 * SECOND)]],
    ['opens the next round after downtime', [downtime, muchLater], aliveAt(ENDS), [nextStarted]],
  ]);
});

it.each([
  ['in an outage over zero', live, ENDS - 3_001, ENDS, ENDS, 'BuyTokens', true],
  ['when it came before zero and waited in the outage', live, ENDS - 9_000, ENDS - 1, ENDS + 3_000, 'BuyTokens', true],
  ['when it arrived at the outage’s beginning', live, ENDS - 1_000, ENDS + 1_900, ENDS + 5_000, 'CreditDeposit', true],
  ['when it arrived before zero and is not a purchase', live, ENDS - 9_000, ENDS - 1, ENDS, 'CreditDeposit', true],
  ['not when it is a purchase in time', live, ENDS - 9_000, ENDS - 1, ENDS + 2_999, 'BuyTokens', false],
  ['not when an event was a moment before zero', live, ENDS - 3_000, ENDS, ENDS, 'BuyTokens', false],
  ['not before zero', live, ENDS - 9_000, ENDS - 1, ENDS - 1, 'CreditDeposit', false],
  ['not when an event was after zero', live, ENDS, ENDS + 9_000, ENDS + 9_000, 'BuyTokens', false],
  ['not when it decides the round', live, ENDS - 9_000, ENDS, ENDS, 'AdvanceClock', false],
  ['not when it resets the game', live, ENDS - 9_000, ENDS, ENDS, 'ResetGame', false],
  ['not when it accepts a loss', live, ENDS - 9_000, ENDS, ENDS, 'AcceptLoss', false],
  ['not in downtime', downtime, ENDS - 9_000, ENDS, ENDS, 'BuyTokens', false],
] as const)(
  'a command waits until the round is decided: %s',
  (_name, past, lastEventAtMs, receivedAtMs, decidedAtMs, type, waits) => {
    const command = { type } as LedgerCommand;
    const context = { atMs: decidedAtMs, receivedAtMs } as CommandContext;
    expect(waitsForZero({ ...given(past).state, atMs: lastEventAtMs }, command, context)).toBe(waits);
  },
);
