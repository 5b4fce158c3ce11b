import type { Recorded } from '../../contracts/events/recorded.js';
import type { EventLog } from '../../event-log/event-log.js';
import { inTransaction, lockInTransaction, tryLock } from '../../event-log/postgres.js';
import { batchesOf } from './batcher.js';
import { connect, type Db, type Session } from './database.js';
import * as schema from './read-schema.js';
import { applyViews, type View } from './views/view.js';

/** Replays before the swap. Each is shorter than the one before; the worker waits only for the replay of the swap. */
const REPLAYS_BEFORE_SWAP = 3;

export type RebuildLog = Pick<EventLog, 'follow' | 'assertInLog'>;

export interface RebuildOptions {
  databaseUrl: string;
  log: RebuildLog;
  /** Stops the rebuild; the serving tables stay. */
  signal?: AbortSignal;
}

/**
 * Rebuilds views in a second schema, and swaps them in by one transaction, the only one that the worker waits for. Returns their
 * position. Differences from the serving tables, which `onCompared` gets, do not stop the swap: the log is right.
 */
export const rebuildViews = (
  views: readonly View[],
  options: RebuildOptions,
  onCompared: (tables: TableComparison[]) => void = () => {},
): Promise<string> =>
  withRebuilt(views, options, async (db, compared) => {
    onCompared(compared.tables);
    const { log, signal } = options;
    let { position } = compared;
    for (let count = 0; count < REPLAYS_BEFORE_SWAP; count += 1) {
      const { position: upTo } = await schema.readCheckpoint(db);
      position = await replayInBatches(db, views, { after: position, upTo }, options);
    }
    return inTransaction(db, async () => {
      const { position: upTo } = await schema.readCheckpoint(db, 'FOR UPDATE');
      // The connection's search_path is still the rebuild schema, which has the tables until the swap.
      await replay(log, { after: position, upTo }, (events) => applyViews(views, events, db), signal);
      for (const view of views) await schema.swapIn(db, view, upTo);
      await schema.notifyPositions(db);
      return upTo;
    });
  });

/** Rebuilds views in a second schema and compares their rows with the serving tables at the same position. */
export const compareViews = (views: readonly View[], options: RebuildOptions): Promise<TableComparison[]> =>
  withRebuilt(views, options, async (db, { tables }) => {
    await inTransaction(db, async () => {
      for (const view of views) await schema.dropTables(db, view, schema.REBUILD_SCHEMA);
    });
    return tables;
  });

/** Builds views in the rebuild schema and compares them with the serving tables. The connection ends after `use`. */
async function withRebuilt<T>(
  views: readonly View[],
  options: RebuildOptions,
  use: (db: Session, compared: Comparison) => Promise<T>,
): Promise<T> {
  const db = await connect(options.databaseUrl, schema.REBUILD_SCHEMA);
  try {
    const position = await buildInRebuildSchema(db, views, options);
    const compare = () => compareAtSamePosition(db, views, position, options);
    return await use(db, await inTransaction(db, compare, 'BEGIN ISOLATION LEVEL REPEATABLE READ'));
  } finally {
    await db.end();
  }
}

type Comparison = { position: string; tables: TableComparison[] };

export interface TableComparison {
  table: string;
  rows: number;
  onlyServing: number;
  onlyRebuilt: number;
}

/** Compares the columns that both tables have. Nothing for a table that is new, or shares no column. */
async function compareTable(db: Db, table: string): Promise<TableComparison[]> {
  const columns = await schema.commonColumns(db, table);
  if (columns === '') return [];
  const [serving, rebuilt] = [schema.READ_SCHEMA, schema.REBUILD_SCHEMA].map(
    (name) => `SELECT ${columns} FROM ${name}.${table}`,
  );
  const { rows } = await db.query<Omit<TableComparison, 'table'>>(
    `SELECT (SELECT count(*) FROM (${serving}) AS s)::float8 AS rows,
       (SELECT count(*) FROM (${serving} EXCEPT ALL ${rebuilt}) AS s)::float8 AS "onlyServing",
       (SELECT count(*) FROM (${rebuilt} EXCEPT ALL ${serving}) AS r)::float8 AS "onlyRebuilt"`,
  );
  return [{ table, ...rows[0]! }];
}

export class RebuildInProgress extends Error {}

/** Builds the views in the rebuild schema up to the serving ones' position. Returns the position. */
async function buildInRebuildSchema(db: Session, views: readonly View[], options: RebuildOptions): Promise<string> {
  // One process at a time rebuilds a view. The session's end releases the lock.
  for (const { name } of views)
    if (!(await tryLock(db, `projections-rebuild ${name}`)))
      throw new RebuildInProgress(`${name} is being rebuilt by another process`);
  const { position: served, eventId } = await schema.readCheckpoint(db);
  // Tables of two histories must neither be compared nor serve together.
  if (served !== schema.BEGINNING) await options.log.assertInLog(served, eventId ?? undefined);
  await inTransaction(db, async () => {
    // The lock keeps two processes from both finding the schema missing: the slower one would fail to create it.
    await lockInTransaction(db, 'projections-rebuild');
    await db.query(`CREATE SCHEMA IF NOT EXISTS ${schema.REBUILD_SCHEMA}`);
    for (const view of views) await schema.makeTables(db, view, schema.REBUILD_SCHEMA);
  });
  const serving = await schema.servingPosition(db, views);
  return replayInBatches(db, views, { after: schema.BEGINNING, upTo: serving ?? served }, options);
}

async function replayInBatches(
  db: Db,
  views: readonly View[],
  range: { after: string; upTo: string },
  { log, signal }: RebuildOptions,
): Promise<string> {
  const apply = (events: readonly Recorded[]) => inTransaction(db, () => applyViews(views, events, db));
  await replay(log, range, apply, signal);
  return schema.isAfter(range.upTo, range.after) ? range.upTo : range.after;
}

/** Compares at the serving tables' position; nothing when they are missing, at several positions, or behind. */
async function compareAtSamePosition(
  db: Db,
  views: readonly View[],
  position: string,
  { log, signal }: RebuildOptions,
): Promise<Comparison> {
  const serving = await schema.servingPosition(db, views);
  if (serving === null || schema.isAfter(position, serving)) return { position, tables: [] };
  await replay(log, { after: position, upTo: serving }, (events) => applyViews(views, events, db), signal);
  const tables: TableComparison[] = [];
  for (const table of views.flatMap((view) => view.compared ?? view.tables))
    tables.push(...(await compareTable(db, table)));
  return { position: serving, tables };
}

/** Larger than the runner's: no gamer waits for these rows. */
const REPLAY_LIMITS = { maxEvents: 5_000, lingerMs: 20 };

/** Applies the events after one position, up to and including another, in batches and in order. Throws when aborted. */
async function replay(
  log: Pick<EventLog, 'follow'>,
  range: { after: string; upTo: string },
  apply: (batch: readonly Recorded[]) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  if (!schema.isAfter(range.upTo, range.after)) return;
  for await (const batch of batchesOf(log, { ...range, limits: REPLAY_LIMITS, signal })) {
    signal?.throwIfAborted();
    await apply(batch);
  }
  signal?.throwIfAborted();
}
