import { Client } from 'pg';
import { until } from '../../contracts/testing/until.js';
import { OtherHistory } from '../../event-log/event-log.types.js';
import { compareViews, rebuildViews } from './rebuild-views.js';
import { MemoryLog } from './testing/memory-log.js';
import { RandomGame } from './testing/scenario.js';
import { contents, TestWorker } from './testing/worker.js';
import { allViews } from './views/all-views.js';
import { winnersView } from './views/rounds-winners.view.js';
import { journalView } from './views/statements-journal.view.js';
import { type View } from './views/view.js';

const scenario = new RandomGame(11).steps(500);
const { log: history } = scenario;
const end = history.at(-1)?.position as string;
const ROUNDS_WON = history.filter(({ event }) => event.type === 'RoundEnded' && event.data.winner).length;

/** The winners with another column, as a release may add one. */
const changedWinners: View = {
  ...winnersView,
  version: winnersView.version + 1,
  ddl: `${winnersView.ddl}; ALTER TABLE winners ADD COLUMN prize text NOT NULL DEFAULT 'a jackpot'`,
};
const changedViews = allViews.map((view) => (view === winnersView ? changedWinners : view));

const worker = TestWorker.forTests('each');
let log: MemoryLog;

beforeEach(() => {
  log = new MemoryLog();
});

/** Adds the history up to this number of events, and starts a worker. Resolves when the tables have them. */
async function startWith(count = history.length, options: Parameters<TestWorker['start']>[1] = {}) {
  log.add(history.slice(0, count));
  const started = worker.start(log, options);
  await worker.reached(history[count - 1]?.position as string);
  return started;
}

interface ViewRow {
  version: number;
  position: string;
}

async function rowOf({ name }: View): Promise<ViewRow | undefined> {
  const { rows } = await worker.db.query<ViewRow>('SELECT version, position FROM read.views WHERE name = $1', [name]);
  return rows[0];
}

describe('rebuilding', () => {
  it('yields the same rows as serve, while the worker goes on', async () => {
    await startWith(400, { limits: { maxEvents: 20, lingerMs: 1 } });
    const rebuilding = allViews.map((view) => rebuildViews([view], { databaseUrl: worker.database.url, log }));
    log.add(history.slice(400));
    await Promise.all(rebuilding);
    await worker.reached(end);
    const rebuiltMeanwhile = await contents(worker.db);
    await rebuildViews(allViews, { databaseUrl: worker.database.url, log });
    expect(await contents(worker.db)).toEqual(rebuiltMeanwhile);
    const journal = await worker.db.query<{ lines: string }>('SELECT count(*) AS lines FROM journal');
    expect(Number(journal.rows[0]?.lines)).toBeGreaterThan(500);
  });

  it('finds a row that was changed by hand, and restores such rows', async () => {
    await startWith();
    const before = await contents(worker.db);
    await worker.db.query(
      'UPDATE journal_pages SET cents[1] = cents[1] + 1 WHERE ctid = (SELECT min(ctid) FROM journal_pages)',
    );
    const [journal] = await compareViews([journalView], { databaseUrl: worker.database.url, log });
    expect(journal).toMatchObject({ table: 'journal', onlyServing: 1, onlyRebuilt: 1 });
    await worker.db.query("UPDATE balances SET cents = cents + 1 WHERE account = 'jackpot'");
    await worker.db.query('DELETE FROM journal_pages WHERE first_revision % 3 = 0');
    const differing: string[] = [];
    await rebuildViews(allViews, { databaseUrl: worker.database.url, log }, (tables) => {
      for (const { table, onlyServing } of tables) if (onlyServing > 0) differing.push(table);
    });
    expect(differing).toContain('balances');
    expect(await contents(worker.db)).toEqual(before);
  });

  it('refuses a log of another history than the serving tables, and leaves them as they are', async () => {
    await (await startWith()).stop();
    const before = await contents(worker.db);
    const other = new MemoryLog();
    other.add(history.map((event) => ({ ...event, id: `other-${event.id}` })));
    const options = { databaseUrl: worker.database.url, log: other };
    await expect(rebuildViews(allViews, options)).rejects.toBeInstanceOf(OtherHistory);
    await expect(compareViews(allViews, options)).rejects.toBeInstanceOf(OtherHistory);
    expect(await contents(worker.db)).toEqual(before);
  });

  it('runs in one process at a time', async () => {
    await (await startWith()).stop();
    const [one, other] = await Promise.allSettled([
      rebuildViews([journalView], { databaseUrl: worker.database.url, log }),
      rebuildViews([journalView], { databaseUrl: worker.database.url, log }),
    ]);
    expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a view of another version', () => {
  it('is rebuilt while the old one serves, swapped in, and then follows the log', async () => {
    await (await startWith(450)).stop();
    const oldRows = (await worker.db.query('SELECT round_id FROM winners')).rows;
    expect(oldRows.length).toBeGreaterThan(0);

    const { failures } = worker.start(log, { views: changedViews });
    await until(async () => {
      expect((await worker.db.query('SELECT round_id FROM winners')).rows.length).toBeGreaterThanOrEqual(
        oldRows.length,
      );
      return (await rowOf(winnersView))?.version === changedWinners.version;
    });
    log.add(history.slice(450));
    await worker.reached(end);
    const { rows } = await worker.db.query<{ prize: string }>('SELECT prize FROM winners');
    expect(rows).toHaveLength(ROUNDS_WON);
    expect(new Set(rows.map(({ prize }) => prize))).toEqual(new Set(['a jackpot']));
    expect(failures).toEqual([]);
  });

  it('is reported as behind, with its position, until it is swapped in', async () => {
    await (await startWith(450)).stop();
    const frozenPosition = history[449]?.position as string;
    const received: string[] = [];
    const listener = new Client({ connectionString: worker.database.url });
    await listener.connect();
    listener.on('notification', ({ channel, payload }) => received.push(`${channel} ${payload}`));
    await listener.query('LISTEN projections; LISTEN projections_lagging');
    worker.start(log, { views: changedViews });
    log.add(history.slice(450));
    await worker.reached(end);
    await until(() => received.includes(`projections ${end}`) && received.at(-2) === 'projections_lagging ');
    await listener.end();
    expect(received[0]).toBe('projections_lagging ');
    const lagging = received.filter((line) => line.includes('@'));
    expect(lagging.every((line) => line === `projections_lagging winners@${frozenPosition}`)).toBe(true);
  });

  it('is rebuilt for the version that leads, so that a release can be rolled back', async () => {
    await (await startWith(300, { views: changedViews })).stop();
    const older = worker.start(log);
    log.add(history.slice(300));
    await worker.reached(end);
    await until(async () => (await rowOf(winnersView))?.version === winnersView.version);
    await older.stop();
    worker.start(log, { views: changedViews });
    await until(async () => (await rowOf(winnersView))?.version === changedWinners.version);
    expect((await rowOf(winnersView))?.position).toBe(end);
    const { rows } = await worker.db.query('SELECT round_id FROM winners');
    expect(rows).toHaveLength(ROUNDS_WON);
  });
});
