import { Client, DatabaseError } from 'pg';

/** What views and the runner need of a connection. */
export interface Db {
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    parameters?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
}

export interface Connection extends Db {
  /** True once the server or the network ended it: whatever session state it held (locks, settings) is gone. */
  readonly lost: boolean;
  end(): Promise<void>;
}

/**
 * One session. Its unqualified table names live in `schema`.
 * Commits are not waited onto the disk: rows and checkpoint are lost together or not at all, and the log has them again.
 */
export async function connect(databaseUrl: string, schema: string): Promise<Connection> {
  const client = new Client({ connectionString: databaseUrl, keepAlive: true, application_name: 'projections' });
  let lost = false;
  client.on('error', () => {
    lost = true;
  });
  client.on('end', () => {
    lost = true;
  });
  await client.connect();
  await client.query(
    `SET search_path TO ${schema}; SET synchronous_commit TO off; SET idle_in_transaction_session_timeout TO '60s';
     SET tcp_keepalives_idle TO 5; SET tcp_keepalives_interval TO 2; SET tcp_keepalives_count TO 3`,
  );
  return {
    get lost() {
      return lost;
    },
    query: (sql, parameters) => client.query(sql, parameters),
    end: () => client.end(),
  };
}

/** Begins, works, commits; on any failure rolls back and throws it on. */
export async function inTransaction<T>(db: Db, work: () => Promise<T>, begin = 'BEGIN'): Promise<T> {
  await db.query(begin);
  try {
    const result = await work();
    await db.query('COMMIT');
    return result;
  } catch (error) {
    // On a lost connection the server rolls back by itself; the first failure is the one to tell.
    await db.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Connection exceptions, resources short, operator intervention, deadlock or serialization: worth trying again. */
const PASSING = /^(08|53|57|58|40)/;

/** Is it the database's absence or press of work, rather than a statement of ours that can never succeed? */
export function isPassing(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code !== undefined && PASSING.test(error.code);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (/^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN)/.test(code)) return true;
  return /^(Connection terminated|Client has encountered a connection error|timeout expired)/.test(error.message);
}

/** A schema, table or column that should be there is not. */
export const isMissingRelation = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '42P01' || error.code === '3F000');
