import type { Pool } from 'pg';

/** The table `ledger.liveness`: since when and until when a node was alive without a gap, each streak by itself. Epoch ms. */
export class LivenessStore {
  constructor(private readonly pool: Pool) {}

  async note(streakId: string, aliveSince: number, lastAliveAt: number): Promise<void> {
    await this.pool.query(
      `INSERT INTO ledger.liveness (node_id, alive_since, last_alive_at) VALUES ($1, $2, $3)
       ON CONFLICT (node_id) DO UPDATE SET
         alive_since = EXCLUDED.alive_since, last_alive_at = GREATEST(ledger.liveness.last_alive_at, EXCLUDED.last_alive_at)`,
      [streakId, aliveSince, lastAliveAt],
    );
  }

  /** The latest note of a streak that began by `epochMs`; null when there is none. */
  async lastAliveOfThoseSince(epochMs: number): Promise<number | null> {
    const {
      rows: [row],
    } = await this.pool.query(
      'SELECT max(last_alive_at) AS last_alive_at FROM ledger.liveness WHERE alive_since <= $1',
      [epochMs],
    );
    return row.last_alive_at === null ? null : Number(row.last_alive_at);
  }

  /** Streaks that ended longer ago than any deadline can matter. */
  async forgetBefore(epochMs: number): Promise<void> {
    await this.pool.query('DELETE FROM ledger.liveness WHERE last_alive_at < $1', [epochMs]);
  }
}
