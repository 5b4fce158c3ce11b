import type { Pool, PoolClient } from 'pg';

export interface StoredSnapshot {
  revision: number;
  chain: string;
  position: string;
  packed: Buffer;
}

/** A snapshot of a million gamers has tens of megabytes: it needs more time than the pool's statement timeout. */
const STATEMENT_TIMEOUT_MS = 120_000;

/** The table `ledger.ledger_snapshots`: the folded ledger at a revision. Disposable: the log can always be replayed. */
export class SnapshotsStore {
  constructor(private readonly pool: Pool) {}

  async latest(format: number): Promise<StoredSnapshot | null> {
    const {
      rows: [row],
    } = await this.transaction((client) =>
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

  /** Saves a snapshot and deletes all but the last two. */
  async save(format: number, { revision, chain, position, packed }: StoredSnapshot): Promise<void> {
    await this.transaction(async (client) => {
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

  /** Runs a transaction with STATEMENT_TIMEOUT_MS in place of the pool's timeout. */
  private async transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let failure: Error | undefined;
    // Without a listener, losing the connection while it is checked out would end the process.
    const onError = (error: Error): void => {
      failure = error;
    };
    client.on('error', onError);
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
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
