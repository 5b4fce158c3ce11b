import type { EventLog } from '../../event-log/event-log.js';
import type { EventBatch } from './batcher.js';
import { type Connection, connect, inTransaction } from './database.js';
import { ASIDE_SCHEMA, BEGINNING, lockCheckpoint, makeTables, readCheckpoint, swapIn } from './read-schema.js';
import { replay } from './replay.js';
import { projected, type View } from './views/view.js';

/** What is left to replay while the worker stands still is at most what happened during the last round before it. */
const ROUNDS_BEFORE_SWAP = 3;

export interface RebuildOptions {
  databaseUrl: string;
  log: Pick<EventLog, 'follow'>;
  /** Gives up, leaving what serves as it is. */
  signal?: AbortSignal;
}

/**
 * Builds a view aside from the beginning of the log, then puts it in the place of the one that serves, in one transaction.
 * Readers and the worker go on meanwhile; the worker waits only for the last stretch. Returns the position it reached.
 */
export async function rebuildView(view: View, { databaseUrl, log, signal }: RebuildOptions): Promise<string> {
  const db = await connect(databaseUrl, ASIDE_SCHEMA);
  try {
    await claimAside(db, view);
    const position = await buildAside(db, view, { log, signal });
    return await inTransaction(db, async () => {
      const upTo = await lockCheckpoint(db);
      // The connection's search_path still says aside: the rows go where the tables are until they are swapped.
      await replay(log, { after: position, upTo }, ({ events }) => view.apply(events.map(projected), db), signal);
      await swapIn(db, view, upTo);
      return upTo;
    });
  } finally {
    await db.end();
  }
}

export class AsideClaimed extends Error {}

/** One builder a view: two would fill the same tables. The claim ends with the session. */
export async function claimAside(db: Connection, view: View): Promise<void> {
  const { rows } = await db.query<{ claimed: boolean }>(
    "SELECT pg_try_advisory_lock(hashtext('projections-aside'), hashtext($1)) AS claimed",
    [view.name],
  );
  if (!rows[0]?.claimed) throw new AsideClaimed(`${view.name} is being built aside by another process`);
}

/** Fills fresh tables aside up to about where the worker is; returns the position reached. */
export async function buildAside(
  db: Connection,
  view: View,
  { log, signal }: Omit<RebuildOptions, 'databaseUrl'>,
): Promise<string> {
  await inTransaction(db, async () => {
    // Two builders at once would both find the schema missing, and one would fail on the other's.
    await db.query("SELECT pg_advisory_xact_lock(hashtext('projections-aside'))");
    await db.query(`CREATE SCHEMA IF NOT EXISTS ${ASIDE_SCHEMA}`);
    await makeTables(db, view, ASIDE_SCHEMA);
  });
  let position = BEGINNING;
  for (let round = 0; round < ROUNDS_BEFORE_SWAP; round += 1) {
    const upTo = await readCheckpoint(db);
    const apply = ({ events }: EventBatch) => inTransaction(db, () => view.apply(events.map(projected), db));
    await replay(log, { after: position, upTo }, apply, signal);
    position = upTo;
  }
  return position;
}
