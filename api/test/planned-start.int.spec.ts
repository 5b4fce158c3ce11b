/* A start is planned over HTTP. Clocks are ahead of the real time, so that the planned time comes soon, or is past. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contracts/durations.js';
import type { GameState, StateResponse } from '../../contracts/http/game.js';
import type { PublicRecordResponse } from '../../contracts/http/public-record.js';
import { instantsOf } from '../../contracts/local-times.js';
import { until } from '../../contracts/testing/until.js';
import { words } from '../../contracts/words.js';
import { Clock } from '../src/platform/clock.js';
import { startApi } from './api-under-test.js';
import { Visitor } from './visitor.js';
import { nextMessage, readAfter, WholeApplication } from './whole-application.js';

const SCHEDULE = '/api/admin/game/schedule';
const CANCEL = '/api/admin/game/schedule/cancel';
const application = WholeApplication.forTests();
const { visitor: admin } = application.adminForTests();
let aheadMs = 0;
const now = () => Date.now() + aheadMs;

class ClockAhead extends Clock {
  constructor(private readonly byMs: number) {
    super(() => Date.now() + byMs);
  }

  override compareWith(readEpochMs: () => Promise<number>): Promise<void> {
    return super.compareWith(async () => (await readEpochMs()) + this.byMs);
  }
}

beforeAll(() => jest.spyOn(application.api.app.get(Clock), 'now').mockImplementation(now));

const planFor = (epochMs: number, repeat = 'once') => ({
  localTime: new Date(epochMs).toISOString().slice(0, 16),
  timeZone: 'UTC',
  repeat,
});
const TOMORROW = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + DAY_MS;
/** The days on which Berlin's clocks skip or repeat this time. */
const nights = Array.from({ length: 365 }, (_, days) => TOMORROW + days * DAY_MS).map(
  (epochMs) => `${new Date(epochMs).toISOString().slice(0, 10)}T02:30`,
);
const inBerlin = (instants: number) => ({
  localTime: nights.find((night) => instantsOf(night, 'Europe/Berlin').length === instants) ?? '',
  timeZone: 'Europe/Berlin',
  repeat: 'once',
});
const game = async (url: string): Promise<GameState> =>
  (await new Visitor(url).get<StateResponse>('/api/state')).body.currentGame;

it.each<[object, string]>([
  [{}, 'invalid-start-time'],
  [{ ...planFor(TOMORROW), repeat: 'weekly' }, 'invalid-start-time'],
  [{ ...planFor(TOMORROW), timeZone: 'Mars/Base' }, 'invalid-start-time'],
  [{ ...planFor(TOMORROW), localTime: '2026-02-30T20:00' }, 'invalid-start-time'],
  [planFor(TOMORROW - 2 * DAY_MS), 'start-in-the-past'],
  [planFor(TOMORROW + 400 * DAY_MS), 'start-too-far-ahead'],
  [inBerlin(0), 'start-time-skipped'],
])('refuses %j with 400', async (body, code) => {
  expect(await admin.post(SCHEDULE, body)).toMatchObject({ status: 400, body: { code } });
});

it('tells which of two equal times is meant, and lets one of two admins plan and cancel', async () => {
  const twice = await admin.post(SCHEDULE, inBerlin(2));
  expect(twice).toMatchObject({ status: 200, body: { message: expect.stringContaining('the first is meant') } });
  const { plan } = (await readAfter<StateResponse>(admin, twice, '/api/state')).currentGame;
  // The first one is in summer time.
  expect(plan?.startsAtEpochMs).toBe(Date.parse(`${plan?.localTime}+02:00`));
  expect(await admin.post(SCHEDULE, planFor(TOMORROW))).toMatchObject({ status: 409 });
  expect(await admin.post(CANCEL, { startsAtEpochMs: TOMORROW })).toMatchObject({ status: 409 });
  const cancelled = await Promise.all([1, 2].map(() => admin.post(CANCEL, { startsAtEpochMs: plan?.startsAtEpochMs })));
  expect(cancelled.map(({ status }) => status).sort()).toEqual([200, 409]);
});

it('shows every visitor the plan at once, and begins the game by itself when it is due', async () => {
  const socket = await application.socket();
  const startsAtEpochMs = Math.ceil(now() / MINUTE_MS) * MINUTE_MS;
  // The minute comes in two seconds.
  aheadMs = startsAtEpochMs - now() - 2_000;
  const shown = nextMessage(socket, 'state:update');
  expect((await admin.post(SCHEDULE, planFor(startsAtEpochMs))).status).toBe(200);
  expect((await shown).plan).toMatchObject({ startsAtEpochMs, timeZone: 'UTC', repeat: 'once' });
  await application.reached('pregame');
  expect(await game(application.api.url)).toMatchObject({ plan: null, lateSeconds: 0, roundId: 1 });
  const started = (await application.eventsOf('ledger')).at(-1);
  expect(started?.event).toMatchObject({ type: 'GameStarted', data: { plannedAtEpochMs: startsAtEpochMs } });
  expect(started?.metadata.at).toBeGreaterThanOrEqual(startsAtEpochMs);
  expect(started?.metadata.at).toBeLessThan(startsAtEpochMs + 5_000);
});

it('begins a daily start once a node is up again, says how late it is, and plans the next day', async () => {
  expect((await admin.post('/api/admin/game/reset', {})).status).toBe(200);
  const startsAtEpochMs = Math.ceil(now() / MINUTE_MS) * MINUTE_MS + 4 * MINUTE_MS;
  expect((await admin.post(SCHEDULE, planFor(startsAtEpochMs, 'daily'))).status).toBe(200);
  await application.api.close();
  const { url, close } = await startApi(application.stores, {}, new ClockAhead(HOUR_MS));
  application.closesLater(close);
  await until(async () => (await game(url)).gameState === 'pregame');
  const { lateSeconds, plan } = await game(url);
  expect(lateSeconds).toBeGreaterThan(50 * 60);
  expect(plan).toMatchObject({ startsAtEpochMs: startsAtEpochMs + DAY_MS, repeat: 'daily' });
  const { body } = await new Visitor(url).get<PublicRecordResponse>('/api/public-record');
  const types = words('GameScheduled GameScheduled GameReset GameScheduled ScheduleCancelled GameScheduled');
  expect(body.entries.map(({ event }) => event.type)).toEqual(types);
});
