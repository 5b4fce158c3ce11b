import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import { DAY, SECOND } from './testing/constants.js';
import { gameReset, gameStarted, roundLive, tick } from './testing/rounds.js';
import { given, itHappens, itRefuses } from './testing/scenario.js';

/* T0 is noon in UTC, 13:00 in Berlin, on 1 January 2026. */
const timeZone = 'Europe/Berlin';
const EVENING = Date.parse('2026-01-01T19:00Z');

const plan = (localTime: string, zone = timeZone) =>
  ({ type: 'ScheduleGame', localTime, timeZone: zone, repeat: 'once' }) as const;

const planned = (localTime: string, utc: string, repeat: 'once' | 'daily' = 'once'): LedgerEvent => ({
  type: 'GameScheduled',
  data: { localTime, timeZone, repeat, startsAtMs: Date.parse(utc) },
});

const started = (atMs: number, plannedAtMs: number) => {
  const { type, data } = gameStarted(1, atMs + 180 * SECOND);
  return { type, data: { ...data, plannedAtMs } };
};

const reset = { type: 'ResetGame', reason: 'a test' } as const;
const wasReset = gameReset(1, 0);

const once = planned('2026-01-01T20:00', '2026-01-01T19:00Z');
const daily = planned('2026-01-01T20:00', '2026-01-01T19:00Z', 'daily');
const nextDay = planned('2026-01-02T20:00', '2026-01-02T19:00Z', 'daily');

describe('planning a start', () => {
  const TWICE = '2026-10-25T02:30';
  itHappens([
    ['takes the time of the zone’s clocks', [], plan('2026-01-01T20:00'), [once]],
    ['takes a time in play, too', [roundLive(EVENING)], plan('2026-01-01T20:00'), [once]],
    ['takes 366 days ahead', [], plan('2027-01-02T13:00'), [planned('2027-01-02T13:00', '2027-01-02T12:00Z')]],
    ['takes the first of a time that comes twice', [], plan(TWICE), [planned(TWICE, '2026-10-25T00:30Z')]],
  ]);

  const OUT_OF_RANGE = 'A start is planned for a later time, at most a year ahead';
  const SKIPPED = 'Clocks skip this time when summer time begins. Please choose another one.';
  const INVALID = 'A start needs a date with time, a time zone, and once or daily';
  itRefuses([
    ['the present', [], plan('2026-01-01T13:00'), OUT_OF_RANGE],
    ['a minute more', [], plan('2027-01-02T13:01'), OUT_OF_RANGE],
    ['a time that summer time skips', [], plan('2026-03-29T02:30'), SKIPPED],
    ['a second plan', [once], plan('2026-01-01T21:00'), 'A start is planned already. Please cancel it first.'],
    ['a day that does not exist', [], plan('2026-02-30T10:00'), INVALID],
    ['a time without a day', [], plan('20:00'), INVALID],
    ['an offset as a zone', [], plan('2026-01-01T20:00', '+01:00'), INVALID],
    ['an unknown zone', [], plan('2026-01-01T20:00', 'Mars/Base'), INVALID],
  ]);
});

describe('a planned start', () => {
  it('begins the game at its time, once, and no earlier', () => {
    given(once, EVENING - 1)
      .when(tick)
      .thenNothing();
    const game = given(once, EVENING).when(tick).thenHappens(started(EVENING, EVENING)).state.game;
    expect(game).toMatchObject({ phase: 'pregame', plan: null, lateSeconds: 0 });
  });

  it('begins late if no node was up, and says so', () => {
    const late = (ms: number) => given(once, ms).when(tick).thenHappens(started(ms, EVENING)).state.game.lateSeconds;
    expect([59_999, 60_000, 250_400].map((lateMs) => late(EVENING + lateMs))).toEqual([0, 60, 250]);
  });

  it('is planned again for the next day if it is daily, as late as it may begin', () => {
    given(daily, EVENING).when(tick).thenHappens(started(EVENING, EVENING), nextDay);
    const late = EVENING + 3 * DAY;
    const fourthDay = planned('2026-01-05T20:00', '2026-01-05T19:00Z', 'daily');
    given(daily, late).when(tick).thenHappens(started(late, EVENING), fourthDay);
  });

  it.each([
    ['summer time begins', '2026-03-28T20:00', '2026-03-28T19:00Z', '2026-03-29T20:00', '2026-03-29T18:00Z'],
    ['clocks skip its time', '2026-03-28T02:30', '2026-03-28T01:30Z', '2026-03-29T02:30', '2026-03-29T01:30Z'],
    ['clocks repeat its time', '2026-10-24T02:30', '2026-10-24T00:30Z', '2026-10-25T02:30', '2026-10-25T00:30Z'],
  ])('that is daily stays at the time of the clocks when %s', (_name, first, firstUtc, second, secondUtc) => {
    const atMs = Date.parse(firstUtc);
    const next = planned(second, secondUtc, 'daily');
    given(planned(first, firstUtc, 'daily'), atMs)
      .when(tick)
      .thenHappens(started(atMs, atMs), next);
  });

  it('is skipped while a game runs', () => {
    const inPlay = given(once, gameStarted(1, EVENING + DAY), EVENING);
    inPlay.when(tick).thenNothing();
    expect(inPlay.when(reset).thenHappens(wasReset).state.game.plan).toBeNull();
    given(daily, gameStarted(1, EVENING), EVENING).when(reset).thenHappens(wasReset, nextDay);
  });

  it('stands after a game that ended before it', () => {
    const early = given(once, gameStarted(1, EVENING), EVENING - 1)
      .when(reset)
      .thenHappens(wasReset);
    early.and(EVENING).when(tick).andThen();
    expect(early.state.game.phase).toBe('pregame');
  });

  it('starts nothing once it is cancelled, by one of two admins', () => {
    const cancel = { type: 'CancelSchedule', startsAtMs: EVENING } as const;
    const cancelled = given(once)
      .when(cancel)
      .thenHappens({ type: 'ScheduleCancelled', data: { startsAtMs: EVENING } });
    cancelled.when(cancel).thenRefused('This start is no longer planned');
    given(nextDay).when(cancel).thenRefused('This start is no longer planned');
    cancelled.and(EVENING).when(tick).thenNothing();
  });
});
