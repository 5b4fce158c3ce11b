import type { Pool } from 'pg';

/** The table `ledger.liveness`: since when and until when each node was alive without a gap. Epoch ms. */
export class LivenessStore {
  constructor(private readonly pool: Pool) {}

  async note(nodeId: string, aliveSince: number, lastAliveAt: number): Promise<void> {
    await this.pool.query(
      `INSERT INTO ledger.liveness (node_id, alive_since, last_alive_at) VALUES ($1, $2, $3)
       ON CONFLICT (node_id) DO UPDATE SET
         alive_since = EXCLUDED.alive_since, last_alive_at = GREATEST(ledger.liveness.last_alive_at, EXCLUDED.last_alive_at)`,
      [nodeId, aliveSince, lastAliveAt],
    );
  }

  /** The latest note of a node whose streak began by `epochMs`; null when there is none. */
  async lastAliveOfThoseSince(epochMs: number): Promise<number | null> {
    const {
      rows: [row],
    } = await this.pool.query(
      'SELECT max(last_alive_at) AS last_alive_at FROM ledger.liveness WHERE alive_since <= $1',
      [epochMs],
    );
    return row.last_alive_at === null ? null : Number(row.last_alive_at);
  }

  /** Nodes that have been gone for longer than any deadline can matter. */
  async forgetBefore(epochMs: number): Promise<void> {
    await this.pool.query('DELETE FROM ledger.liveness WHERE last_alive_at < $1', [epochMs]);
  }
}
