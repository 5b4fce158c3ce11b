import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import { SYSTEM } from '../../contracts/events/metadata.js';
import { UnreadableEvent } from '../../contracts/events/schemas.js';
import { caseCount } from '../../contracts/testing/case-count.js';
import { until } from '../../contracts/testing/until.js';
import { CHAIN_START, chainAfter } from '../../domain/ledger/chain.js';
import { startTestEventStore } from '../../embedded/event-store/testing/test-event-store.js';
import { EventLog } from '../../event-log/event-log.js';
import { OtherHistory } from '../../event-log/event-log.types.js';
import { MemoryLog } from './testing/memory-log.js';
import { RandomGame } from './testing/scenario.js';
import { contents, TestWorker } from './testing/worker.js';
import { allViews } from './views/all-views.js';
import type { View } from './views/view.js';

const scenario = new RandomGame(7).steps(caseCount(350, 600));
const { log: history } = scenario;
const end = history.at(-1)?.position as string;

const worker = TestWorker.forTests('each');

function logOf(events: readonly (typeof history)[number][], redelivered = 0): MemoryLog {
  const log = new MemoryLog(redelivered);
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

const withReason = <E extends { data: object }>(event: E, reason: string) => ({
  ...event,
  data: { ...event.data, reason },
});

it.each<[string, () => typeof history]>([
  ['other ids', () => history.map((event) => ({ ...event, id: `other-${event.id}` }))],
  [
    'the same ids and positions',
    () =>
      history.map((one) =>
        one.event.type === 'BalanceAdjusted' ? { ...one, event: withReason(one.event, 'mine') } : one,
      ) as typeof history,
  ],
])('another event log with %s stops the worker before it writes anything', async (_, rewritten) => {
  const { stop } = worker.start(logOf(history.slice(0, 100)));
  await worker.reached(history[99]?.position as string);
  await stop();
  const before = await contents(worker.db);
  const { failures } = worker.start(logOf(rewritten()));
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

it('an event that this program cannot read stops the running worker with the event type’s name', async () => {
  const store = await startTestEventStore();
  const log = new EventLog(store.connectionString);
  const client = EventStoreDBClient.connectionString(store.connectionString);
  const metadata = { commandId: 'c', commandHash: '', at: 1, schema: 1, actor: SYSTEM };
  const data = { roundId: null, carriedCents: 0, reason: 'a test', purchaseCount: 0 };
  const append = (type: string) => {
    const id = randomUUID();
    const chain = chainAfter(CHAIN_START, id, { type, data } as LedgerEvent, metadata);
    return client.appendToStream('omni_ledger', jsonEvent({ id, type, data, metadata: { ...metadata, chain } }));
  };
  try {
    await append('GameReset');
    const { failures } = worker.start(log);
    await until(async () => BigInt((await worker.position()) ?? -1) >= 0n);
    expect(failures).toEqual([]);
    await append('GamePaused');
    await until(() => failures.length > 0);
    expect(failures[0]).toBeInstanceOf(UnreadableEvent);
    expect(failures[0]?.message).toContain('unknown event type GamePaused');
  } finally {
    await client.dispose();
    await log.close();
    await store.close();
  }
});
