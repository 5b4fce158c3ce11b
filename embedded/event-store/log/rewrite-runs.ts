import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

/** Bytes of the log that are copied at once, and that may be left for the swap: commits wait for so much. */
const COPY_BYTES = 256 * 1024;
/** Between two copies the disk is free for commits, this many times as long as a copy takes. */
const PAUSE_SHARE = 2;
/** A checkpoint forces everything since the one before to the disk, and commits wait for their turn. */
const CHECKPOINT_BYTES = 16 * 2 ** 20;
const LOCK_PATIENCE_MS = 50;
const LOCK_ATTEMPTS = 200;
/** Postgres' code for a lock that was not free in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Moves all runs into new files. Runs never change, so they are copied into a second table while commits go on. Commits wait
 * only while the last of them are copied and the tables are swapped. One transaction: after a crash nothing has happened.
 *
 * @param tableOf SQL that creates a table of runs with this name
 */
export async function rewriteRuns(pool: Pool, tableOf: (name: string) => string): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    // Keeps vacuums away, whose locks the swap would have to wait for; reads and commits go on.
    await client.query('LOCK TABLE runs IN SHARE UPDATE EXCLUSIVE MODE');
    await client.query(tableOf('runs_copy'));
    let copied = -1;
    let forced = 0;
    for (let left = true; left; ) {
      ({ copied, left } = await copyNext(client, copied));
      if (copied - forced < CHECKPOINT_BYTES) continue;
      forced = copied;
      await pool.query('CHECKPOINT');
    }
    await lockAgainstCommits(client);
    await client.query('INSERT INTO runs_copy SELECT * FROM runs WHERE position > $1', [copied]);
    await client.query(SWAP);
    await client.query('COMMIT');
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // With an error the connection is closed, which rolls back.
    client.release(failure);
  }
}

const SWAP = `
  DROP TABLE runs;
  ALTER TABLE runs_copy RENAME TO runs;
  ALTER INDEX runs_copy_pkey RENAME TO runs_pkey;
  ALTER INDEX runs_copy_by_stream RENAME TO runs_by_stream;
  ALTER INDEX runs_copy_tombstones RENAME TO runs_tombstones;
  ALTER TABLE runs RENAME CONSTRAINT runs_copy_events_check TO runs_events_check`;

/** Copies the next runs and pauses. `left`: more than the swap may copy is left. */
async function copyNext(client: PoolClient, after: number): Promise<{ copied: number; left: boolean }> {
  const begun = performance.now();
  const { rows } = await client.query<{ copied: string | null; head: string | null }>(
    `WITH first AS (SELECT min(position) AS position FROM runs WHERE position > $1),
       copied AS (INSERT INTO runs_copy SELECT runs.* FROM runs, first
         WHERE runs.position >= first.position AND runs.position < first.position + ${COPY_BYTES} RETURNING position)
     SELECT (SELECT max(position) FROM copied) AS copied, (SELECT max(position) FROM runs) AS head`,
    [after],
  );
  const copied = Number(rows[0]?.copied ?? after);
  await sleep(PAUSE_SHARE * (performance.now() - begun));
  return { copied, left: Number(rows[0]?.head ?? -1) - copied > COPY_BYTES };
}

/** Gives way to commits that wait behind it, and tries again. */
async function lockAgainstCommits(client: PoolClient): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${LOCK_PATIENCE_MS}`);
  for (let attempt = 1; ; attempt += 1) {
    await client.query('SAVEPOINT before_lock');
    try {
      await client.query('LOCK TABLE runs IN ACCESS EXCLUSIVE MODE');
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS) throw error;
      await client.query('ROLLBACK TO before_lock');
      await sleep(LOCK_PATIENCE_MS);
    }
  }
}
