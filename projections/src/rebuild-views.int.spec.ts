import { compareViews } from './compare-views.js';
import { rebuildViews } from './rebuild-views.js';
import { MemoryLog } from './testing/memory-log.js';
import { Story } from './testing/story.js';
import { contents, until } from './testing/tables.js';
import { Workplace } from './testing/worker.js';
import { allViews } from './views/all-views.js';
import { journalView } from './views/journal.view.js';
import { type View } from './views/view.js';
import { winnersView } from './views/winners.view.js';

// Long enough for a machine that is busy with other things.
jest.setTimeout(120_000);

const story = new Story(11).steps(500);
const { log: history } = story;
const end = history.at(-1)?.position as string;

/** The winners, with what they won in words: another shape, as a release would bring it. */
const changedWinners: View = {
  ...winnersView,
  version: winnersView.version + 1,
  ddl: `${winnersView.ddl}; ALTER TABLE winners ADD COLUMN words text NOT NULL DEFAULT 'a jackpot'`,
};
const changedViews = allViews.map((view) => (view === winnersView ? changedWinners : view));

let at: Workplace;
let log: MemoryLog;

beforeEach(async () => {
  at = await Workplace.open();
  log = new MemoryLog();
});

afterEach(() => at.close());

interface Standing {
  version: number;
  position: string;
}

async function standing({ name }: View): Promise<Standing | undefined> {
  const { rows } = await at.db.query<Standing>('SELECT version, position FROM read.views WHERE name = $1', [name]);
  return rows[0];
}

describe('rebuilding', () => {
  it('yields what serves, while the worker goes on', async () => {
    log.add(history.slice(0, 400));
    at.start(log, { limits: { maxEvents: 20, lingerMs: 1 } });
    await at.reached(history[399]?.position as string);
    const rebuilding = allViews.map((view) => rebuildViews([view], { databaseUrl: at.database.url, log }));
    log.add(history.slice(400));
    await Promise.all(rebuilding);
    await at.reached(end);
    const rebuiltOnTheWay = await contents(at.db);
    await rebuildViews(allViews, { databaseUrl: at.database.url, log });
    expect(await contents(at.db)).toEqual(rebuiltOnTheWay);
    const journal = await at.db.query<{ lines: string }>('SELECT count(*) AS lines FROM journal');
    expect(Number(journal.rows[0]?.lines)).toBeGreaterThan(500);
  });

  it('puts right what was changed by hand', async () => {
    log.add(history);
    at.start(log);
    await at.reached(end);
    const before = await contents(at.db);
    await at.db.query("UPDATE balances SET cents = cents + 1 WHERE account = 'jackpot'");
    await at.db.query('DELETE FROM journal WHERE revision % 3 = 0');
    await rebuildViews(allViews, { databaseUrl: at.database.url, log });
    expect(await contents(at.db)).toEqual(before);
  });

  it('is done by one process at a time', async () => {
    log.add(history);
    const { stop } = at.start(log);
    await at.reached(end);
    await stop();
    const [one, other] = await Promise.allSettled([
      rebuildViews([journalView], { databaseUrl: at.database.url, log }),
      rebuildViews([journalView], { databaseUrl: at.database.url, log }),
    ]);
    expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a view of another version', () => {
  it('is built aside while the old one serves, swapped in, and kept up from there', async () => {
    log.add(history.slice(0, 450));
    const { stop } = at.start(log);
    await at.reached(history[449]?.position as string);
    await stop();
    const oldRows = (await at.db.query('SELECT round_id FROM winners')).rows;
    expect(oldRows.length).toBeGreaterThan(0);

    const { failures } = at.start(log, { views: changedViews });
    await until(async () => {
      expect((await at.db.query('SELECT round_id FROM winners')).rows.length).toBeGreaterThanOrEqual(oldRows.length);
      return (await standing(winnersView))?.version === changedWinners.version;
    }, 'the swap');
    log.add(history.slice(450));
    await at.reached(end);
    const { rows } = await at.db.query<{ words: string }>('SELECT words FROM winners');
    expect(rows.length).toBe(story.log.filter(({ event }) => event.type === 'RoundEnded' && event.data.winner).length);
    expect(new Set(rows.map(({ words }) => words))).toEqual(new Set(['a jackpot']));
    expect(failures).toEqual([]);
  });

  it('is rebuilt for whichever version leads, so that a release can be taken back', async () => {
    log.add(history.slice(0, 300));
    const newer = at.start(log, { views: changedViews });
    await at.reached(history[299]?.position as string);
    await newer.stop();
    const older = at.start(log);
    log.add(history.slice(300));
    await at.reached(end);
    await until(async () => (await standing(winnersView))?.version === winnersView.version, 'the way back');
    await older.stop();
    at.start(log, { views: changedViews });
    await until(async () => (await standing(winnersView))?.version === changedWinners.version, 'the swap');
    expect((await standing(winnersView))?.position).toBe(end);
    const { rows } = await at.db.query('SELECT round_id FROM winners');
    expect(rows.length).toBe(story.log.filter(({ event }) => event.type === 'RoundEnded' && event.data.winner).length);
  });
});

describe('comparing', () => {
  beforeEach(async () => {
    log.add(history);
    at.start(log);
    await at.reached(end);
  });

  it('finds what serves equal to what the log yields', async () => {
    const comparisons = await compareViews(allViews, { databaseUrl: at.database.url, log });
    expect(comparisons.map(({ table }) => table)).toEqual(allViews.flatMap(({ tables }) => tables));
    expect(comparisons.filter(({ onlyServing, onlyRebuilt }) => onlyServing > 0 || onlyRebuilt > 0)).toEqual([]);
  });

  it('finds a row that was changed by hand', async () => {
    await at.db.query('UPDATE journal SET cents = cents + 1 WHERE ctid = (SELECT min(ctid) FROM journal)');
    const [journal] = await compareViews([journalView], { databaseUrl: at.database.url, log });
    expect(journal).toMatchObject({ table: 'journal', onlyServing: 1, onlyRebuilt: 1 });
  });
});
