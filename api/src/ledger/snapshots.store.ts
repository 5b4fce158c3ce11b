import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { transactionOn } from '../../../event-log/postgres.js';

/** The content of a snapshot: a state, by the digests of its chunks, of a log, by its chain. */
export interface SnapshotContent {
  fold: string;
  revision: number;
  /** The chain of the event at that revision: it stands for all events up to there. */
  chain: string;
  /** Hashes of the right edge of the tree up to that event, one after another, hex. */
  tree: string;
  /** SHA-256 of each chunk, one after another. */
  digests: Buffer;
}

export interface StoredSnapshot extends SnapshotContent {
  id: string;
  mac: Buffer;
}

const KEPT_PER_FOLD = 2;
const CHUNKS_PER_READ = 16;

/** The folded ledger at a revision: disposable, as the log has it all, and trusted by nobody. */
export class SnapshotsStore {
  constructor(private readonly pool: Pool) {}

  /** The kept snapshots of a fold, newest first. */
  async ofFold(fold: string): Promise<StoredSnapshot[]> {
    const { rows } = await this.pool.query(
      `SELECT id, fold, revision, chain, tree, digests, mac FROM ledger.snapshots
       WHERE fold = $1 ORDER BY revision DESC LIMIT ${KEPT_PER_FOLD}`,
      [fold],
    );
    return rows.map((row) => ({ ...row, revision: Number(row.revision) }));
  }

  /** Hands each chunk over, in order, as of one moment. Fewer come when some are missing. */
  async readChunks(id: string, take: (bytes: Buffer) => void): Promise<void> {
    const readAll = async (client: PoolClient) => {
      const read = (from: number) =>
        client.query<{ bytes: Buffer }>(
          `SELECT bytes FROM ledger.snapshot_chunks WHERE snapshot_id = $1 AND number >= $2 AND number < $3
           ORDER BY number`,
          [id, from, from + CHUNKS_PER_READ],
        );
      let next = read(0);
      for (let from = CHUNKS_PER_READ; ; from += CHUNKS_PER_READ) {
        const { rows } = await next;
        if (rows.length === 0) return;
        // Postgres reads the next chunks meanwhile.
        next = read(from);
        next.catch(() => {});
        for (const { bytes } of rows) take(bytes);
      }
    };
    await transactionOn(this.pool, readAll, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  }

  async drop(id: string): Promise<void> {
    await this.pool.query('DELETE FROM ledger.snapshots WHERE id = $1', [id]);
  }

  /**
   * Saves a snapshot, all of it or nothing; `authenticated` is called once all chunks are written. Keeps the last two of its fold.
   * Returns false, and saves nothing, when another node is saving one or saved one from revision `newerThan` on.
   */
  save(
    { fold, newerThan }: { fold: string; newerThan: number },
    chunks: AsyncIterable<Buffer>,
    authenticated: () => Omit<StoredSnapshot, 'id'>,
  ): Promise<boolean> {
    return transactionOn(this.pool, async (client: PoolClient) => {
      const { rows } = await client.query<{ free: boolean }>(
        `SELECT pg_try_advisory_xact_lock(hashtext('omni-jackpot: snapshot ' || $1))
           AND NOT EXISTS (SELECT FROM ledger.snapshots WHERE fold = $1 AND revision >= $2) AS free`,
        [fold, newerThan],
      );
      if (!rows[0]?.free) return false;
      const id = randomUUID();
      let number = 0;
      for await (const bytes of chunks) {
        await client.query('INSERT INTO ledger.snapshot_chunks VALUES ($1, $2, $3)', [id, number, bytes]);
        number += 1;
      }
      const { revision, chain, tree, digests, mac } = authenticated();
      await client.query(
        'INSERT INTO ledger.snapshots (id, fold, revision, chain, tree, digests, mac) VALUES ($1, $2, $3, $4, $5, $6, $7)',
        [id, fold, revision, chain, tree, digests, mac],
      );
      await client.query(
        `DELETE FROM ledger.snapshots WHERE fold <> $1 AND taken_at < now() - interval '1 day' OR fold = $1 AND id NOT IN
           (SELECT id FROM ledger.snapshots WHERE fold = $1 ORDER BY revision DESC LIMIT ${KEPT_PER_FOLD})`,
        [fold],
      );
      return true;
    });
  }
}
