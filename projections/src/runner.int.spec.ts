import type { Recorded } from '../../contracts/events/recorded.js';
import { caseCount } from '../../contracts/testing/case-count.js';
import { until } from '../../contracts/testing/until.js';
import { OtherHistory } from '../../event-log/event-log.types.js';
import { MemoryLog } from './testing/memory-log.js';
import { RandomGame } from './testing/scenario.js';
import { contents, TestWorker } from './testing/worker.js';
import { allViews } from './views/all-views.js';
import type { View } from './views/view.js';

const scenario = new RandomGame(7).steps(caseCount(250, 600));
const { log: history } = scenario;
const end = history.at(-1)?.position as string;

const worker = TestWorker.forTests('each');

function logOf(events: readonly Recorded[]): MemoryLog {
  const log = new MemoryLog();
  log.add(events);
  return log;
}

describe('the tables', () => {
  let uninterrupted: TestWorker;
  let whole: Record<string, string[]>;

  beforeAll(async () => {
    uninterrupted = await TestWorker.open();
    uninterrupted.start(logOf(history));
    await uninterrupted.reached(end);
    whole = await contents(uninterrupted.db);
  });

  afterAll(() => uninterrupted?.close());

  it('agree with the deciders’ state', async () => {
    const { db } = uninterrupted;
    const { rows } = await db.query<{ account: string; cents: string }>('SELECT account, cents FROM balances');
    expect(Object.fromEntries(rows.map(({ account, cents }) => [account, Number(cents)]))).toEqual(
      Object.fromEntries(scenario.state.balances),
    );
    const board = await db.query<{ game: unknown }>('SELECT game FROM game_board');
    expect(board.rows[0]?.game).toEqual(scenario.state.game);
    const stats = await db.query<{ total_gamers: string }>('SELECT total_gamers FROM stats');
    expect(Number(stats.rows[0]?.total_gamers)).toBe(scenario.gamers.length);
  });

  it('have a journal whose events sum to zero and whose accounts sum to the balances', async () => {
    const { db } = uninterrupted;
    const unbalanced = await db.query('SELECT revision FROM journal GROUP BY revision HAVING sum(cents) <> 0');
    expect(unbalanced.rows).toEqual([]);
    const differing = await db.query(
      `SELECT account FROM (SELECT account, sum(cents) AS cents FROM journal GROUP BY account) AS summed
       FULL JOIN balances USING (account) WHERE summed.cents IS DISTINCT FROM balances.cents`,
    );
    expect(differing.rows).toEqual([]);
    const lines = await db.query<{ lines: string }>('SELECT count(*) AS lines FROM journal');
    expect(Number(lines.rows[0]?.lines)).toBeGreaterThan(500);
  });

  it('are the same event by event, which separates a purchase from its extension', async () => {
    worker.start(logOf(history), { limits: { maxEvents: 1, lingerMs: 0 } });
    await worker.reached(end);
    expect(await contents(worker.db)).toEqual(whole);
  });

  it('are rebuilt when the schema is dropped, also while the worker runs', async () => {
    const log = logOf(history.slice(0, -1));
    const { failures } = worker.start(log);
    await worker.reached(history.at(-2)?.position as string);
    await worker.db.query('DROP SCHEMA read CASCADE');
    log.add(history.slice(-1));
    await worker.reached(end);
    expect(await contents(worker.db)).toEqual(whole);
    expect(failures).toEqual([]);
  });
});

it('stops a runner from writing when the checkpoint is not where the runner left it', async () => {
  const log = logOf(history.slice(0, 100));
  const { failures } = worker.start(log, { limits: { maxEvents: 10, lingerMs: 1 } });
  await worker.reached(history[99]?.position as string);
  const before = await contents(worker.db);
  // Another runner seems to have written the remaining events.
  await worker.db.query('UPDATE read.checkpoint SET position = $1, event_id = NULL', [end]);
  await worker.db.query('UPDATE read.views SET position = $1', [end]);
  log.add(history.slice(100));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await contents(worker.db)).toEqual(before);
  expect(await worker.position()).toBe(end);
  expect(failures).toEqual([]);
});

it.each<[string, (one: Recorded) => object]>([
  ['other ids', ({ id }) => ({ id: `other-${id}` })],
  ['the same ids and positions', ({ event }) => ({ event: { ...event, data: { ...event.data, reason: 'mine' } } })],
])('another event log with %s stops the worker before it writes anything', async (_, change) => {
  const { stop } = worker.start(logOf(history.slice(0, 100)));
  await worker.reached(history[99]?.position as string);
  await stop();
  const before = await contents(worker.db);
  const { failures } = worker.start(logOf(history.map((one) => ({ ...one, ...change(one) }))));
  await until(() => failures.length > 0);
  expect(failures[0]).toBeInstanceOf(OtherHistory);
  expect(await contents(worker.db)).toEqual(before);
});

describe('a bug in a view', () => {
  const brokenView = (apply: View['apply']): View => ({ name: 'broken', version: 1, tables: [], ddl: '', apply });

  it('stops the worker with the event’s name, before anything of that batch is written', async () => {
    const culprit = history[123];
    const broken = brokenView(async (batch) => {
      if (batch.events.some(({ id }) => id === culprit?.id)) throw new Error('cannot take this');
    });
    const { failures } = worker.start(logOf(history), {
      views: [...allViews, broken],
      limits: { maxEvents: 1, lingerMs: 0 },
    });
    await until(() => failures.length > 0);
    expect(failures[0]?.message).toContain(`view broken failed on ${culprit?.stream}@${culprit?.revision}`);
    expect(await worker.position()).toBe(history[122]?.position);
  });

  it('is reported also while the worker stops', async () => {
    const broken = brokenView(async () => {
      void stop();
      throw new Error('cannot take this');
    });
    const { stop, failures } = worker.start(logOf(history), { views: [broken] });
    await until(() => failures.length > 0);
    expect(failures[0]?.message).toContain('view broken failed on');
  });
});
