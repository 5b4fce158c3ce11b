import type { Pool, PoolClient } from 'pg';

export interface StoredSnapshot {
  revision: number;
  chain: string;
  position: string;
  packed: Buffer;
}

/** A snapshot of a million gamers is some tens of megabytes: it may take longer than what a request may wait for. */
const PATIENCE_MS = 120_000;

/** The table `ledger.ledger_snapshots`: the folded ledger at a revision. Disposable: the log can always be replayed. */
export class SnapshotsStore {
  constructor(private readonly pool: Pool) {}

  async latest(format: number): Promise<StoredSnapshot | null> {
    const {
      rows: [row],
    } = await this.patiently((client) =>
      client.query(
        'SELECT revision, chain, position, packed FROM ledger.ledger_snapshots WHERE format = $1 ORDER BY revision DESC LIMIT 1',
        [format],
      ),
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
    await this.patiently(async (client) => {
      await client.query(
        `INSERT INTO ledger.ledger_snapshots (format, revision, chain, position, packed) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING`,
        [format, revision, chain, position, packed],
      );
      await client.query(
        `DELETE FROM ledger.ledger_snapshots WHERE (format, revision) NOT IN
           (SELECT format, revision FROM ledger.ledger_snapshots ORDER BY format DESC, revision DESC LIMIT 2)`,
      );
    });
  }

  /** All or nothing, under a timeout of its own in place of the pool's. */
  private async patiently<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let failure: Error | undefined;
    // Without a listener a connection that is lost while it is out of the pool would end the process.
    const onError = (error: Error): void => {
      failure = error;
    };
    client.on('error', onError);
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL statement_timeout = ${PATIENCE_MS}`);
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(onError);
      throw error;
    } finally {
      client.off('error', onError);
      client.release(failure);
    }
  }
}
