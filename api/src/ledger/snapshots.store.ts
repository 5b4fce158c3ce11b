import type { Pool } from 'pg';

export interface StoredSnapshot {
  revision: number;
  chain: string;
  position: string;
  packed: Buffer;
}

/** The table `ledger.ledger_snapshots`: the folded ledger at a revision. Disposable: the log can always be replayed. */
export class SnapshotsStore {
  constructor(private readonly pool: Pool) {}

  async latest(format: number): Promise<StoredSnapshot | null> {
    const {
      rows: [row],
    } = await this.pool.query(
      'SELECT revision, chain, position, packed FROM ledger.ledger_snapshots WHERE format = $1 ORDER BY revision DESC LIMIT 1',
      [format],
    );
    return row ? { ...row, revision: Number(row.revision) } : null;
  }

  async drop(format: number, revision: number): Promise<void> {
    await this.pool.query('DELETE FROM ledger.ledger_snapshots WHERE format = $1 AND revision = $2', [
      format,
      revision,
    ]);
  }

  /** Keeps this one and the one before it. */
  async save(format: number, { revision, chain, position, packed }: StoredSnapshot): Promise<void> {
    await this.pool.query(
      `INSERT INTO ledger.ledger_snapshots (format, revision, chain, position, packed) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING`,
      [format, revision, chain, position, packed],
    );
    await this.pool.query(
      `DELETE FROM ledger.ledger_snapshots WHERE (format, revision) NOT IN
         (SELECT format, revision FROM ledger.ledger_snapshots ORDER BY format DESC, revision DESC LIMIT 2)`,
    );
  }
}
