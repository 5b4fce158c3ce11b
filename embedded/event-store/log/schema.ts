import type { Client } from 'pg';

/** Grows when the tables or the frames change in a way that an older server would misread. */
const FORMAT = 1;
/** Where the first event goes: not at 0, which clients like to use for "nothing seen yet". */
export const FIRST_POSITION = 1;
/** Chosen once; with it one server fences off another on the same database. */
const WRITER_LOCK = 0x65765374;
const LOCK_PATIENCE_MS = 5_000;
const LOCK_RETRY_MS = 100;

const TABLES = `
  CREATE TABLE IF NOT EXISTS store (format integer NOT NULL);
  CREATE TABLE IF NOT EXISTS runs (
    position bigint PRIMARY KEY,
    stream uuid NOT NULL,
    first_revision bigint NOT NULL,
    events integer NOT NULL CHECK (events > 0),
    bytes bytea STORAGE EXTERNAL NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS runs_by_stream ON runs (stream, first_revision);
  INSERT INTO store (format) SELECT ${FORMAT} WHERE NOT EXISTS (SELECT FROM store);
`;

/** Whatever the database's own setting is, a commit that has returned is on the disk. */
const DURABLE = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;

/**
 * Makes this connection the database's only writer, for as long as it lives, and makes the tables.
 * Waits a little, because a killed predecessor's session takes a moment to be noticed.
 */
export async function becomeWriter(connection: Client): Promise<void> {
  const deadlineMs = Date.now() + LOCK_PATIENCE_MS;
  while (!(await tryLock(connection))) {
    if (Date.now() >= deadlineMs) throw new Error('Another event store is writing to this database.');
    await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
  }
  await connection.query(DURABLE);
  await connection.query(TABLES);
  const found = await connection.query<{ format: number }>('SELECT format FROM store');
  const format = found.rows[0]?.format;
  if (format !== FORMAT) throw new Error(`The database has format ${format}; this event store reads format ${FORMAT}.`);
}

async function tryLock(connection: Client): Promise<boolean> {
  const result = await connection.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    WRITER_LOCK,
  ]);
  return result.rows[0]?.locked === true;
}
