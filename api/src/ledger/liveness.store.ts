import type { Pool } from 'pg';

const MAX_DELAY_MS = 1_000;

export interface Beat {
  nodeId: string;
  aliveSinceMs: number;
  lastAliveAtMs: number;
  /** Other nodes count when they were alive at this time or after it. */
  othersSinceMs: number;
}

/** The table `ledger.liveness`: one row per streak, the time in which a node was alive without a gap. Epoch ms. */
export class LivenessStore {
  constructor(private readonly pool: Pool) {}

  /** Records that the node was alive, and returns whether others are; undefined when it came over a second late and proves nothing. */
  async record(beat: Beat): Promise<boolean | undefined> {
    const { rows } = await this.pool.query<{ hasOtherNodes: boolean }>(
      `INSERT INTO ledger.liveness (node_id, alive_since, last_alive_at)
       SELECT $1 || '@' || $2, $2::bigint, $3::bigint
       WHERE extract(epoch FROM clock_timestamp()) * 1000 - $3::bigint <= ${MAX_DELAY_MS}
       ON CONFLICT (node_id) DO UPDATE SET
         alive_since = EXCLUDED.alive_since, last_alive_at = GREATEST(ledger.liveness.last_alive_at, EXCLUDED.last_alive_at)
       RETURNING EXISTS (
         SELECT FROM ledger.liveness other WHERE other.last_alive_at >= $4 AND NOT starts_with(other.node_id, $1 || '@')
       ) AS "hasOtherNodes"`,
      [beat.nodeId, String(beat.aliveSinceMs), beat.lastAliveAtMs, beat.othersSinceMs],
    );
    return rows[0]?.hasOtherNodes;
  }

  /** The latest end of the streaks that began at or before `epochMs`; null when there is none. */
  async lastAliveOfStreaksBy(epochMs: number): Promise<number | null> {
    const { rows } = await this.pool.query<{ endMs: number | null }>(
      'SELECT max(last_alive_at)::float8 AS "endMs" FROM ledger.liveness WHERE alive_since <= $1',
      [epochMs],
    );
    return rows[0]?.endMs ?? null;
  }

  async deleteBefore(epochMs: number): Promise<void> {
    await this.pool.query('DELETE FROM ledger.liveness WHERE last_alive_at < $1', [epochMs]);
  }
}
