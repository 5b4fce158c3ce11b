import type { Pool } from 'pg';

const MAX_DELAY_MS = 1_000;

/** The table `ledger.liveness`: one row per streak, the time in which a node was alive without a gap. Epoch ms. */
export class LivenessStore {
  constructor(private readonly pool: Pool) {}

  /**
   * Records that the node was alive; false when Postgres got the message more than a second later by its own clock: it was
   * out of reach at that time, and the message does not show that the node could be used.
   */
  async record(streakId: string, aliveSince: number, lastAliveAtMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `INSERT INTO ledger.liveness (node_id, alive_since, last_alive_at)
       SELECT $1, $2::bigint, $3::bigint WHERE extract(epoch FROM clock_timestamp()) * 1000 - $3::bigint <= ${MAX_DELAY_MS}
       ON CONFLICT (node_id) DO UPDATE SET
         alive_since = EXCLUDED.alive_since, last_alive_at = GREATEST(ledger.liveness.last_alive_at, EXCLUDED.last_alive_at)`,
      [streakId, aliveSince, lastAliveAtMs],
    );
    return rowCount === 1;
  }

  /** Whether a node other than this one was alive at `sinceMs` or after it. */
  async hasOtherNodes(nodeId: string, sinceMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'SELECT 1 FROM ledger.liveness WHERE last_alive_at >= $1 AND NOT starts_with(node_id, $2) LIMIT 1',
      [sinceMs, `${nodeId}@`],
    );
    return rowCount === 1;
  }

  /** The latest end of the streaks that began at or before `epochMs`; null when there is none. */
  async lastAliveOfStreaksBy(epochMs: number): Promise<number | null> {
    const {
      rows: [row],
    } = await this.pool.query(
      'SELECT max(last_alive_at) AS last_alive_at FROM ledger.liveness WHERE alive_since <= $1',
      [epochMs],
    );
    return row.last_alive_at === null ? null : Number(row.last_alive_at);
  }

  /** Deletes streaks that ended before `epochMs`. */
  async deleteBefore(epochMs: number): Promise<void> {
    await this.pool.query('DELETE FROM ledger.liveness WHERE last_alive_at < $1', [epochMs]);
  }
}
