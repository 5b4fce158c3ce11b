import type { Recorded } from '../../contracts/events/recorded.js';
import type { EventLog } from '../../event-log/event-log.js';
import type { EventBatch } from './batcher.js';
import { type Connection, connect, inTransaction } from './database.js';
import { ASIDE_SCHEMA, BEGINNING, lockCheckpoint, makeTables, readCheckpoint, swapIn } from './read-schema.js';
import { replay } from './replay.js';
import { Batch, type View } from './views/view.js';

/** What is left to replay while the worker stands still is at most what happened during the last round before it. */
const ROUNDS_BEFORE_SWAP = 3;

export interface RebuildOptions {
  databaseUrl: string;
  log: Pick<EventLog, 'follow'>;
  /** Gives up, leaving what serves as it is. */
  signal?: AbortSignal;
}

/**
 * Builds views aside from the beginning of the log, then puts them in the place of those that serve, in one transaction.
 * Readers and the worker go on meanwhile; the worker waits only for the last stretch. Returns the position it reached.
 */
export async function rebuildViews(
  views: readonly View[],
  { databaseUrl, log, signal }: RebuildOptions,
): Promise<string> {
  const db = await connect(databaseUrl, ASIDE_SCHEMA);
  try {
    const position = await buildAside(db, views, { log, signal });
    return await inTransaction(db, async () => {
      const upTo = await lockCheckpoint(db);
      // The connection's search_path still says aside: the rows go where the tables are until they are swapped.
      await replay(log, { after: position, upTo }, ({ events }) => applyAll(views, events, db), signal);
      for (const view of views) await swapIn(db, view, upTo);
      return upTo;
    });
  } finally {
    await db.end();
  }
}

export class AsideClaimed extends Error {}

/** One builder a view: two would fill the same tables. The claim ends with the session. */
async function claimAside(db: Connection, view: View): Promise<void> {
  const { rows } = await db.query<{ claimed: boolean }>(
    "SELECT pg_try_advisory_lock(hashtext('projections-aside'), hashtext($1)) AS claimed",
    [view.name],
  );
  if (!rows[0]?.claimed) throw new AsideClaimed(`${view.name} is being built aside by another process`);
}

/** Fills fresh tables aside up to about where the worker is, in one pass for all; returns the position reached. */
export async function buildAside(
  db: Connection,
  views: readonly View[],
  { log, signal }: Omit<RebuildOptions, 'databaseUrl'>,
): Promise<string> {
  for (const view of views) await claimAside(db, view);
  await inTransaction(db, async () => {
    // Two builders at once would both find the schema missing, and one would fail on the other's.
    await db.query("SELECT pg_advisory_xact_lock(hashtext('projections-aside'))");
    await db.query(`CREATE SCHEMA IF NOT EXISTS ${ASIDE_SCHEMA}`);
    for (const view of views) await makeTables(db, view, ASIDE_SCHEMA);
  });
  let position = BEGINNING;
  for (let round = 0; round < ROUNDS_BEFORE_SWAP; round += 1) {
    const upTo = await readCheckpoint(db);
    const apply = ({ events }: EventBatch) => inTransaction(db, () => applyAll(views, events, db));
    await replay(log, { after: position, upTo }, apply, signal);
    position = upTo;
  }
  return position;
}

export async function applyAll(views: readonly View[], events: readonly Recorded[], db: Connection): Promise<void> {
  const batch = new Batch(events);
  for (const view of views) await view.apply(batch, db);
}
