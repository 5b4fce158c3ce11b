import type { EventLog } from '../../event-log/event-log.js';
import { applyViews } from './apply-views.js';
import { Batcher, type EventBatch } from './batcher.js';
import { type Connection, connect, type Db, inTransaction } from './database.js';
import {
  BEGINNING,
  dropTables,
  isAfter,
  lockCheckpoint,
  makeTables,
  READ_SCHEMA,
  REBUILD_SCHEMA,
  readCheckpoint,
  readLastEvent,
  swapIn,
} from './read-schema.js';
import type { View } from './views/view.js';

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
 * Rebuilds views from the beginning of the log in a second schema, then swaps them in by one transaction. Queries go on
 * meanwhile, and the worker waits only for that transaction. Returns the position of the rebuilt views.
 */
export async function rebuildViews(
  views: readonly View[],
  { databaseUrl, log, signal }: RebuildOptions,
): Promise<string> {
  const db = await connect(databaseUrl, REBUILD_SCHEMA);
  try {
    const position = await buildInRebuildSchema(db, views, { log, signal });
    return await inTransaction(db, async () => {
      const upTo = await lockCheckpoint(db);
      // The connection's search_path is still the rebuild schema, which has the tables until the swap.
      await replay(log, { after: position, upTo }, ({ events }) => applyViews(views, events, db), signal);
      for (const view of views) await swapIn(db, view, upTo);
      return upTo;
    });
  } finally {
    await db.end();
  }
}

interface TableComparison {
  table: string;
  rows: number;
  /** Rows in the serving table only. */
  onlyServing: number;
  /** Rows in the rebuilt table only. */
  onlyRebuilt: number;
}

/** Rebuilds views in a second schema and compares their rows with the serving tables at the same position. */
export async function compareViews(
  views: readonly View[],
  { databaseUrl, log, signal }: RebuildOptions,
): Promise<TableComparison[]> {
  const db = await connect(databaseUrl, REBUILD_SCHEMA);
  try {
    const position = await buildInRebuildSchema(db, views, { log, signal });
    // A snapshot of the serving tables: the worker goes on during the replay and the comparison.
    const comparisons = await inTransaction(
      db,
      async () => {
        const upTo = await readCheckpoint(db);
        await replay(log, { after: position, upTo }, ({ events }) => applyViews(views, events, db), signal);
        const tables: TableComparison[] = [];
        for (const table of views.flatMap((view) => view.tables)) tables.push(await compareTable(db, table));
        return tables;
      },
      'BEGIN ISOLATION LEVEL REPEATABLE READ',
    );
    await inTransaction(db, async () => {
      for (const view of views) await dropTables(db, view, REBUILD_SCHEMA);
    });
    return comparisons;
  } finally {
    await db.end();
  }
}

async function compareTable(db: Db, table: string): Promise<TableComparison> {
  const [serving, rebuilt] = [`TABLE ${READ_SCHEMA}.${table}`, `TABLE ${REBUILD_SCHEMA}.${table}`];
  const { rows } = await db.query<Omit<TableComparison, 'table'>>(
    `SELECT (SELECT count(*) FROM (${serving}) AS s)::float8 AS rows,
       (SELECT count(*) FROM (${serving} EXCEPT ALL ${rebuilt}) AS s)::float8 AS "onlyServing",
       (SELECT count(*) FROM (${rebuilt} EXCEPT ALL ${serving}) AS r)::float8 AS "onlyRebuilt"`,
  );
  return { table, ...rows[0]! };
}

/** Another process is rebuilding the view. */
export class RebuildInProgress extends Error {}

/** Lets one process at a time rebuild a view. Throws RebuildInProgress. The session's end releases the claim. */
async function claim(db: Connection, view: View): Promise<void> {
  const { rows } = await db.query<{ claimed: boolean }>(
    "SELECT pg_try_advisory_lock(hashtext('projections-aside'), hashtext($1)) AS claimed",
    [view.name],
  );
  if (!rows[0]?.claimed) throw new RebuildInProgress(`${view.name} is being rebuilt by another process`);
}

/** Builds the views in the rebuild schema, in one pass over the log, to about the worker's position. Returns the position. */
async function buildInRebuildSchema(
  db: Connection,
  views: readonly View[],
  { log, signal }: Omit<RebuildOptions, 'databaseUrl'>,
): Promise<string> {
  for (const view of views) await claim(db, view);
  const { position: served, eventId } = await readLastEvent(db);
  // Tables of two histories must neither be compared nor serve together.
  if (served !== BEGINNING) await log.assertInLog(served, eventId ?? undefined);
  await inTransaction(db, async () => {
    // Without the lock, two processes could both find the schema missing, and the slower one would fail to create it.
    await db.query("SELECT pg_advisory_xact_lock(hashtext('projections-aside'))");
    await db.query(`CREATE SCHEMA IF NOT EXISTS ${REBUILD_SCHEMA}`);
    for (const view of views) await makeTables(db, view, REBUILD_SCHEMA);
  });
  let position = BEGINNING;
  for (let count = 0; count < REPLAYS_BEFORE_SWAP; count += 1) {
    const upTo = await readCheckpoint(db);
    const apply = ({ events }: EventBatch) => inTransaction(db, () => applyViews(views, events, db));
    await replay(log, { after: position, upTo }, apply, signal);
    position = upTo;
  }
  return position;
}

/** Larger than the runner's: no gamer waits for these rows. */
const REPLAY_LIMITS = { maxEvents: 5_000, lingerMs: 20 };

/** Applies the events after one position, up to and including another, in batches and in order. Throws when aborted. */
async function replay(
  log: Pick<EventLog, 'follow'>,
  range: { after: string; upTo: string },
  apply: (batch: EventBatch) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  if (!isAfter(range.upTo, range.after)) return;
  const batcher = new Batcher(REPLAY_LIMITS);
  let failure: Error | undefined;
  const following = log.follow({
    after: range.after === BEGINNING ? null : range.after,
    onEvent: async (recorded) => {
      if (!isAfter(recorded.position, range.upTo)) await batcher.add(recorded);
      if (!isAfter(range.upTo, recorded.position)) batcher.end();
    },
    // All events up to `upTo` were in the log before the replay, so they are delivered by now.
    onCaughtUp: () => batcher.end(),
    onFailure: (error) => {
      failure = error;
      batcher.end();
    },
  });
  const end = () => batcher.end();
  signal?.addEventListener('abort', end);
  try {
    for (let batch = await batcher.next(); batch; batch = await batcher.next()) {
      signal?.throwIfAborted();
      await apply(batch);
    }
    if (failure) throw failure;
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener('abort', end);
    batcher.end();
    await following.stop();
  }
}
