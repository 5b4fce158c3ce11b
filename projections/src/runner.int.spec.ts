import type { BatchLimits } from './batcher.js';
import { MemoryLog } from './testing/memory-log.js';
import { Story } from './testing/story.js';
import { contents, until } from './testing/tables.js';
import { Workplace } from './testing/worker.js';
import { allViews } from './views/all-views.js';
import type { View } from './views/view.js';

// Long enough for a machine that is busy with other things.
jest.setTimeout(120_000);

const story = new Story(7).steps(600);
const { log: history } = story;
const end = history.at(-1)?.position as string;

let at: Workplace;

beforeEach(async () => {
  at = await Workplace.open();
});

afterEach(() => at.close());

function logOf(events: readonly (typeof history)[number][], redelivered = 0): MemoryLog {
  const log = new MemoryLog(redelivered);
  log.add(events);
  return log;
}

/** What one uninterrupted runner makes of the history. */
async function uninterrupted(): Promise<Record<string, string[]>> {
  const elsewhere = await Workplace.open();
  try {
    elsewhere.start(logOf(history));
    await elsewhere.reached(end);
    return await contents(elsewhere.db);
  } finally {
    await elsewhere.close();
  }
}

describe('the tables', () => {
  let whole: Record<string, string[]>;
  beforeAll(async () => {
    whole = await uninterrupted();
  });

  it('hold what the deciders hold', async () => {
    at.start(logOf(history));
    await at.reached(end);
    const { rows } = await at.db.query<{ account: string; cents: string }>('SELECT account, cents FROM balances');
    expect(Object.fromEntries(rows.map(({ account, cents }) => [account, Number(cents)]))).toEqual(
      Object.fromEntries(story.state.balances),
    );
    const board = await at.db.query<{ game: unknown }>('SELECT game FROM game_board');
    expect(board.rows[0]?.game).toEqual(story.state.game);
    const stats = await at.db.query<{ total_gamers: string }>('SELECT total_gamers FROM stats');
    expect(Number(stats.rows[0]?.total_gamers)).toBe(story.gamers.length);
  });

  it('have a journal whose events sum to zero and whose accounts sum to the balances', async () => {
    at.start(logOf(history));
    await at.reached(end);
    const unbalanced = await at.db.query('SELECT revision FROM journal GROUP BY revision HAVING sum(cents) <> 0');
    expect(unbalanced.rows).toEqual([]);
    const differing = await at.db.query(
      `SELECT account FROM (SELECT account, sum(cents) AS cents FROM journal GROUP BY account) AS summed
       FULL JOIN balances USING (account) WHERE summed.cents IS DISTINCT FROM balances.cents`,
    );
    expect(differing.rows).toEqual([]);
    const lines = await at.db.query<{ lines: string }>('SELECT count(*) AS lines FROM journal');
    expect(Number(lines.rows[0]?.lines)).toBeGreaterThan(1_000);
  });

  it.each<[string, BatchLimits]>([
    ['event by event', { maxEvents: 1, lingerMs: 0 }],
    ['in threes, which part a purchase from its extension', { maxEvents: 3, lingerMs: 1 }],
    ['in large batches', { maxEvents: 5_000, lingerMs: 50 }],
  ])('are the same %s', async (_, limits) => {
    at.start(logOf(history), { limits });
    await at.reached(end);
    expect(await contents(at.db)).toEqual(whole);
  });

  it('are the same after restarts anywhere and events delivered again', async () => {
    for (const events of [1, 2, 17, 200, 201, 350, history.length]) {
      const { stop } = at.start(logOf(history.slice(0, events), 25), { limits: { maxEvents: 13, lingerMs: 1 } });
      await at.reached(history[events - 1]?.position as string);
      await stop();
    }
    expect(await contents(at.db)).toEqual(whole);
  });

  it('come back when the schema is dropped, even under the running worker', async () => {
    const log = logOf(history.slice(0, -1));
    const { failures } = at.start(log);
    await at.reached(history.at(-2)?.position as string);
    await at.db.query('DROP SCHEMA read CASCADE');
    log.add(history.slice(-1));
    await at.reached(end);
    expect(await contents(at.db)).toEqual(whole);
    expect(failures).toEqual([]);
  });

  it('are written by one of two runners, and by the other once that one lost its session', async () => {
    const log = logOf(history.slice(0, 300), 40);
    const limits = { maxEvents: 5, lingerMs: 1 };
    const first = at.start(log, { limits });
    await until(async () => (await at.position()) !== null, 'the first runner leading');
    const second = at.start(log, { limits });
    let terminated = 0;
    for (let sent = 300; sent < history.length; sent += 60) {
      log.add(history.slice(sent, sent + 60));
      const { rows } = await at.db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      terminated += rows.length;
    }
    await at.reached(end);
    expect(await contents(at.db)).toEqual(whole);
    expect(terminated).toBeGreaterThan(0);
    expect([...first.failures, ...second.failures]).toEqual([]);
  });
});

describe('the fence', () => {
  it('keeps a runner from writing when the checkpoint is not where it left it', async () => {
    const log = logOf(history.slice(0, 100));
    const { failures } = at.start(log, { limits: { maxEvents: 10, lingerMs: 1 } });
    await at.reached(history[99]?.position as string);
    const before = await contents(at.db);
    // As if another runner had already written all there is to come.
    await at.db.query('UPDATE read.checkpoint SET position = $1', [end]);
    await at.db.query('UPDATE read.views SET position = $1', [end]);
    log.add(history.slice(100));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await contents(at.db)).toEqual(before);
    expect(await at.position()).toBe(end);
    expect(failures).toEqual([]);
  });
});

describe('a bug in a view', () => {
  it('stops the worker with the event named, and nothing of that event is written', async () => {
    const culprit = history[123];
    const broken: View = {
      name: 'broken',
      version: 1,
      tables: ['broken'],
      ddl: 'CREATE TABLE broken (n integer)',
      apply: async (batch) => {
        if (batch.events.some(({ id }) => id === culprit?.id)) throw new Error('cannot take this');
      },
    };
    const { failures } = at.start(logOf(history), {
      views: [...allViews, broken],
      limits: { maxEvents: 50, lingerMs: 5 },
    });
    await until(() => failures.length > 0, 'the failure');
    expect(failures[0]?.message).toContain(`view broken failed on ${culprit?.stream}@${culprit?.revision}`);
    expect(await at.position()).toBe(history[122]?.position);
  });
});
