/* A start is planned over HTTP. Clocks are ahead of the real time, so that the planned time comes soon, or is past. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contracts/durations.js';
import type { GameState, StateResponse } from '../../contracts/http/game.js';
import type { PublicRecordResponse } from '../../contracts/http/public-record.js';
import { instantsOf } from '../../contracts/local-times.js';
import { until } from '../../contracts/testing/until.js';
import { words } from '../../contracts/words.js';
import { Clock } from '../src/platform/clock.js';
import { Visitor } from './visitor.js';
import { nextMessage, readAfter, WholeApplication } from './whole-application.js';

const SCHEDULE = '/api/admin/game/schedule';
const application = WholeApplication.forTests();
const { visitor: admin } = application.adminForTests();
let aheadMs = 0;
const now = () => Date.now() + aheadMs;
const nextMinute = () => Math.ceil(now() / MINUTE_MS) * MINUTE_MS;

beforeAll(() => jest.spyOn(Clock.prototype, 'now').mockImplementation(now));

const planFor = (epochMs: number, repeat = 'once', timeZone = 'UTC') => ({
  localTime: new Date(epochMs).toISOString().slice(0, 16),
  timeZone,
  repeat,
});
const game = async (url: string): Promise<GameState> =>
  (await new Visitor(url).get<StateResponse>('/api/state')).body.currentGame;

it.each([{}, planFor(nextMinute(), 'weekly')])('refuses %j with 400', async (body) => {
  expect(await admin.post(SCHEDULE, body)).toMatchObject({ status: 400, body: { code: 'invalid-start-time' } });
});

it('tells which of two equal times is meant, and lets one of two admins plan and cancel', async () => {
  const nights = Array.from({ length: 365 }, (_, day) => Math.floor(now() / DAY_MS + day + 1) * DAY_MS + 2 * HOUR_MS);
  const plans = nights.map((epochMs) => planFor(epochMs, 'once', 'Europe/Berlin'));
  const ambiguous = plans.find(({ localTime, timeZone }) => instantsOf(localTime, timeZone).length === 2);
  const planned = await admin.post(SCHEDULE, ambiguous ?? {});
  expect(planned).toMatchObject({ status: 200, body: { message: expect.stringContaining('the first is meant') } });
  const { plan } = (await readAfter<StateResponse>(admin, planned, '/api/state')).currentGame;
  // The first one is in summer time.
  expect(plan?.startsAtMs).toBe(Date.parse(`${ambiguous?.localTime}+02:00`));
  expect((await admin.post(SCHEDULE, planFor(nextMinute() + DAY_MS))).status).toBe(409);
  const cancel = () => admin.post(`${SCHEDULE}/cancel`, { startsAtMs: plan?.startsAtMs });
  expect((await Promise.all([cancel(), cancel()])).map(({ status }) => status).sort()).toEqual([200, 409]);
});

it('shows every visitor the plan at once, and begins the game by itself when it is due', async () => {
  const socket = await application.socket();
  const startsAtMs = nextMinute();
  // The minute comes in two seconds.
  aheadMs = startsAtMs - now() - 2_000;
  const shown = nextMessage(socket, 'state:update');
  expect((await admin.post(SCHEDULE, planFor(startsAtMs))).status).toBe(200);
  expect((await shown).plan).toMatchObject({ startsAtMs, timeZone: 'UTC', repeat: 'once' });
  await application.reached('pregame');
  expect(await game(application.api.url)).toMatchObject({ plan: null, lateSeconds: 0, roundId: 1 });
  const started = (await application.eventsOf('ledger')).at(-1);
  expect(started?.event).toMatchObject({ type: 'GameStarted', data: { plannedAtMs: startsAtMs } });
  expect(started?.metadata.at).toBeGreaterThanOrEqual(startsAtMs);
  expect(started?.metadata.at).toBeLessThan(startsAtMs + 5_000);
});

it('begins a daily start once a node is up again, says how late it is, and plans the next day', async () => {
  expect((await admin.post('/api/admin/game/reset', {})).status).toBe(200);
  const startsAtMs = nextMinute() + 4 * MINUTE_MS;
  expect((await admin.post(SCHEDULE, planFor(startsAtMs, 'daily'))).status).toBe(200);
  await application.api.close();
  aheadMs += HOUR_MS;
  const { url } = await application.startAnotherNode();
  await until(async () => (await game(url)).gameState === 'pregame');
  const { lateSeconds, plan } = await game(url);
  expect(lateSeconds).toBeGreaterThan(50 * 60);
  expect(plan).toMatchObject({ startsAtMs: startsAtMs + DAY_MS, repeat: 'daily' });
  const { body } = await new Visitor(url).get<PublicRecordResponse>('/api/public-record');
  const types = words('GameScheduled GameScheduled GameReset GameScheduled ScheduleCancelled GameScheduled');
  expect(body.entries.map(({ event }) => event.type)).toEqual(types);
});
