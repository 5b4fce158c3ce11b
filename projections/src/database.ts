import { Client, DatabaseError } from 'pg';

/** The part of a connection that views use. */
export interface Db {
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    parameters?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
}

export interface Connection extends Db {
  end(): Promise<void>;
}

/**
 * Opens a session whose unqualified table names are in `schema`. Commits do not wait for the disk: a crash loses rows and
 * checkpoint together, and the log has the events again.
 */
export async function connect(databaseUrl: string, schema: string): Promise<Connection> {
  const client = new Client({
    connectionString: databaseUrl,
    keepAlive: true,
    application_name: 'projections',
    // A statement is sent before the answers to the earlier ones have come: Postgres never waits between two statements.
    pipeline: true,
  });
  // After a lost connection the next query fails. Without a listener the event would end the process.
  client.on('error', () => {});
  await client.connect();
  await client.query(
    `SET search_path TO ${schema}; SET synchronous_commit TO off; SET idle_in_transaction_session_timeout TO '60s';
     SET tcp_keepalives_idle TO 5; SET tcp_keepalives_interval TO 2; SET tcp_keepalives_count TO 3`,
  );
  return client;
}

/** Runs `work` in a transaction: commits its result, or rolls back and rethrows its error. */
export async function inTransaction<T>(db: Db, work: () => Promise<T>, begin = 'BEGIN'): Promise<T> {
  await db.query(begin);
  try {
    const result = await work();
    await db.query('COMMIT');
    return result;
  } catch (error) {
    // The first error matters. After a lost connection the server rolls back by itself.
    await db.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention, system error, rollback. */
const TRANSIENT = /^(08|53|57|58|40)/;

/** True for an error that may be gone at the next attempt, such as a lost connection; false for a faulty statement. */
export function isTransient(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code !== undefined && TRANSIENT.test(error.code);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (/^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN)/.test(code)) return true;
  return /^(Connection terminated|Client has encountered a connection error|timeout expired)/.test(error.message);
}

/** True when a table or schema does not exist. */
export const isMissingRelation = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '42P01' || error.code === '3F000');
