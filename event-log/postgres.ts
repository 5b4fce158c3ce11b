import { Client, type Pool, type PoolClient } from 'pg';

interface Db {
  query(sql: string, parameters?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** SQLSTATE: connection, rollback, resources, operator, system, lock wait; and sockets refused, reset, timed out. */
const OUTAGE_CODES = /^((08|40|53|57|58)...|55P03|ECONN\w+|EPIPE|ETIMEDOUT|EHOST\w+|ENET\w+|ENOTFOUND|EAI_AGAIN)$/;
const OUTAGE_MESSAGES =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error/;

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Whether Postgres is unavailable, so that the next attempt may succeed; false for a faulty statement. */
export const isPostgresOutage = (error: unknown): error is Error =>
  error instanceof Error && (OUTAGE_CODES.test(codeOf(error)) || OUTAGE_MESSAGES.test(error.message));

/** Whether a table or schema does not exist: the worker of the projections may not have created it yet. */
export const isMissingRelation = (error: unknown): boolean => /^(42P01|3F000)$/.test(codeOf(error));

/** Whether a table is gone or locked, because the worker swaps in a rebuilt one. */
export const isSwappedTable = (error: unknown): boolean => /^(42P01|55P03)$/.test(codeOf(error));

/** Runs `work` in a transaction of a session: commits its result, or rolls back and rethrows its error. */
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

/** Runs `work` on one connection of a pool. After an error the connection is closed, which rolls back and unlocks. */
export async function onConnection<T>(
  pool: Pick<Pool, 'connect'>,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

export const transactionOn = <T>(
  pool: Pick<Pool, 'connect'>,
  work: (client: PoolClient) => Promise<T>,
  begin?: string,
): Promise<T> => onConnection(pool, (client) => inTransaction(client, () => work(client), begin));

/** Without these listeners a closed connection would end the process. The pool replaces it; a query in it fails. */
export const surviveLosses = <P extends Pool>(pool: P, warn: (message: string) => void): P =>
  pool
    .on('error', ({ message }) => warn(`an idle connection was lost: ${message}`))
    .on('connect', (client) => client.on('error', () => {})) as P;

// Advisory locks of the database, each named by its purpose. A session has one until it unlocks it, or ends.

/** Waits for the session's lock. */
export const lock = (db: Db, name: string): Promise<unknown> =>
  db.query('SELECT pg_advisory_lock(hashtext($1))', [name]);

export const unlock = (db: Db, name: string): Promise<unknown> =>
  db.query('SELECT pg_advisory_unlock(hashtext($1))', [name]);

/** Takes the session's lock; false when another session has it. */
export async function tryLock(db: Db, name: string): Promise<boolean> {
  const { rows } = await db.query('SELECT pg_try_advisory_lock(hashtext($1)) AS locked', [name]);
  return rows[0]?.locked === true;
}

/** The advisory lock of the projection worker that leads: it alone writes the tables. */
export const PROJECTIONS_LOCK = 'projections-runner';

/** Whether a session of this database has the advisory lock of this name. */
export async function isLocked(db: Db, name: string): Promise<boolean> {
  const { rows } = await db.query(
    `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND ((classid::bigint << 32) | objid::bigint) = hashtext($1)::bigint`,
    [name],
  );
  return rows.length > 0;
}

/** Waits for a lock that the transaction's end releases. */
export const lockInTransaction = (db: Db, name: string): Promise<unknown> =>
  db.query('SELECT pg_advisory_xact_lock(hashtext($1))', [name]);

/** Takes a lock that the transaction's end releases; false when another session has it. */
export async function tryLockInTransaction(db: Db, name: string): Promise<boolean> {
  const { rows } = await db.query('SELECT pg_try_advisory_xact_lock(hashtext($1)) AS locked', [name]);
  return rows[0]?.locked === true;
}

/** Runs the work under a lock, for which it waits in a session of its own: a pool's would not wait as long. */
export async function withLock(databaseUrl: string, name: string, work: () => Promise<void>): Promise<void> {
  const session = new Client({ connectionString: databaseUrl, application_name: `omni-jackpot: ${name}` });
  // Without a listener a lost connection would end the process; the work notices by itself that Postgres is gone.
  session.on('error', () => {});
  await session.connect();
  try {
    await lock(session, name);
    await work();
  } finally {
    // Ending the session releases the lock.
    await session.end();
  }
}
