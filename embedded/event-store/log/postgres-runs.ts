import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Client, Pool } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { namesOf, type Run, TOMBSTONE_REVISION } from './event-frame.js';

/** Position of the first event. It is not 0, because clients use 0 for 'nothing read yet'. */
export const FIRST_POSITION = 1;
/** A page of a read ends with the run that makes it as large as this. */
export const PAGE_BYTES = 256 * 1024;
const PAGE_RUNS_LIMIT = 512;
/** Advisory lock that excludes a second server on the same database. */
const WRITER_LOCK = 0x65765374;
/** Postgres takes a moment to end the session of a killed server. */
const LOCK_PATIENCE = '5s';
/** Postgres' code for a lock that was not free in time. */
const LOCK_NOT_AVAILABLE = '55P03';
const ROWS_PER_INSERT = 64;
const READERS = 4;

const TABLES = `
  CREATE TABLE IF NOT EXISTS runs (
    position bigint PRIMARY KEY,
    stream uuid NOT NULL,
    first_revision bigint NOT NULL,
    events integer NOT NULL CHECK (events > 0),
    bytes bytea STORAGE EXTERNAL NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS runs_by_stream ON runs (stream, first_revision);
`;
/** Makes commits wait for the disk, whatever the database's own setting is. */
const DURABLE = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;
const LAST_REVISIONS = `SELECT wanted.index, last.revision FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted(stream, index)
  CROSS JOIN LATERAL (SELECT first_revision + events - 1 AS revision
    FROM runs WHERE runs.stream = wanted.stream ORDER BY first_revision DESC LIMIT 1) AS last`;
const END_OF_LOG = 'SELECT position + octet_length(bytes) AS head FROM runs ORDER BY position DESC LIMIT 1';

/** The log on disk: one row per run. The one writing connection holds the lock that excludes other writers. */
export class PostgresRuns {
  private constructor(
    private readonly writer: Client,
    private readonly readers: Pool,
  ) {}

  /** @param onLost called when the writing connection breaks: another server may be the writer now */
  static async open(databaseUrl: string, onLost: (error: Error) => void): Promise<PostgresRuns> {
    const writer = new Client({ connectionString: databaseUrl, application_name: 'event-store writer' });
    await writer.connect();
    try {
      await becomeWriter(writer);
    } catch (error) {
      await writer.end();
      throw error;
    }
    writer.on('error', onLost);
    const readers = new Pool({ connectionString: databaseUrl, max: READERS, application_name: 'event-store reader' });
    // When an idle connection breaks, the next query gets another connection or an error of its own. One in use fails its query.
    readers.on('error', (error) => console.error(`An idle reading connection broke: ${error.message}`));
    readers.on('connect', (client) => client.on('error', () => {}));
    return new PostgresRuns(writer, readers);
  }

  async close(): Promise<void> {
    await Promise.all([this.readers.end(), this.writer.end()]);
  }

  async head(): Promise<number> {
    const result = await this.writer.query<{ head: string }>(END_OF_LOG);
    return Number(result.rows[0]?.head ?? FIRST_POSITION);
  }

  /** Durably writes all of the runs or none, and deletes the runs before the tombstones of these streams. */
  async append(runs: readonly Run[], tombstoned: readonly string[]): Promise<void> {
    if (runs.length <= ROWS_PER_INSERT && tombstoned.length === 0) return this.insert(runs);
    await this.writer.query('BEGIN');
    for (let start = 0; start < runs.length; start += ROWS_PER_INSERT) {
      await this.insert(runs.slice(start, start + ROWS_PER_INSERT));
    }
    await this.writer.query(
      `DELETE FROM runs WHERE stream = ANY ($1::uuid[]) AND first_revision < ${TOMBSTONE_REVISION}`,
      [tombstoned.map(streamKey)],
    );
    await this.writer.query('COMMIT');
  }

  /** Returns a page: the first run that ends after the position, and those after it. */
  allForwards(position: number): Promise<Run[]> {
    const first = `(SELECT coalesce(max(position), 0) FROM runs WHERE position <= ${position})`;
    const condition = `position >= ${first} AND position + octet_length(bytes) > ${position}`;
    return this.readPage(`${condition} ORDER BY position`, PAGE_RUNS_LIMIT);
  }

  streamForwards(stream: string, revision: number, limit: number): Promise<Run[]> {
    const own = `stream = '${streamKey(stream)}' AND first_revision`;
    const first = `(SELECT coalesce(max(first_revision), 0) FROM runs WHERE ${own} <= ${revision})`;
    return this.readPage(`${own} >= ${first} ORDER BY first_revision`, limit);
  }

  async lastRevisions(streams: readonly string[]): Promise<Map<string, number>> {
    const { rows } = await this.readers.query<{ index: string; revision: string }>({
      name: 'last-revisions',
      text: LAST_REVISIONS,
      values: [streams.map(streamKey)],
    });
    return new Map(rows.map(({ index, revision }) => [streams[Number(index) - 1]!, Number(revision)]));
  }

  /** Rewrites all that still holds deleted rows: table files, Postgres' log, statistics. Commits and reads wait. */
  async rewriteFiles(): Promise<void> {
    for (const step of ['VACUUM FULL runs', 'VACUUM FULL pg_statistic', 'SELECT pg_switch_wal()', 'CHECKPOINT']) {
      await this.readers.query(step);
    }
  }

  private async insert(runs: readonly Run[]): Promise<void> {
    const values = runs.flatMap((run): unknown[] => [
      run.position,
      streamKey(run.stream),
      run.firstRevision,
      run.count,
      run.bytes,
    ]);
    const tuples = runs.map((_, row) => `(${[1, 2, 3, 4, 5].map((column) => `$${5 * row + column}`).join()})`);
    const text = `INSERT INTO runs (position, stream, first_revision, events, bytes) VALUES ${tuples.join()}`;
    await this.writer.query({ name: `insert-${runs.length}`, text, values });
  }

  /** Reads by COPY, which takes no parameters: Postgres' encoding of bytes as text takes longer than the rest of a read. */
  private async readPage(condition: string, limit: number): Promise<Run[]> {
    const page = `SELECT position, first_revision, events::bigint, bytes
      FROM (SELECT *, sum(octet_length(bytes)) OVER (ROWS UNBOUNDED PRECEDING) - octet_length(bytes) AS bytes_before
        FROM (SELECT * FROM runs WHERE ${condition} LIMIT ${Math.min(limit, PAGE_RUNS_LIMIT)}) AS found) AS page
      WHERE bytes_before < ${PAGE_BYTES}`;
    const reader = await this.readers.connect();
    try {
      return runsIn(await buffer(reader.query(copyTo(`COPY (${page}) TO STDOUT (FORMAT binary)`))));
    } finally {
      reader.release();
    }
  }
}

/** Decodes a binary COPY: 19 bytes, then rows: the number of fields (16 bits, -1 at the end), and each after its length (32 bits). */
function runsIn(copied: Buffer): Run[] {
  const runs: Run[] = [];
  for (let row = 19; copied.readInt16BE(row) >= 0; ) {
    const bigintAt = (field: number) => Number(copied.readBigInt64BE(row + field));
    const [position, firstRevision, count] = [bigintAt(6), bigintAt(18), bigintAt(30)];
    const begin = row + 42;
    row = begin + copied.readInt32BE(begin - 4);
    const bytes = copied.subarray(begin, row);
    const { stream } = namesOf(bytes);
    runs.push({ stream, position, end: position + bytes.length, firstRevision, count, bytes });
  }
  return runs;
}

/** Makes this connection the database's only writer while it lasts, and creates the tables. */
export async function becomeWriter(connection: Pick<Client, 'query'>): Promise<void> {
  try {
    await connection.query(`SET lock_timeout = '${LOCK_PATIENCE}'`);
    await connection.query(`SELECT pg_advisory_lock(${WRITER_LOCK})`);
    await connection.query('RESET lock_timeout');
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new Error('Another event store is writing to this database.');
  }
  await connection.query(DURABLE);
  await connection.query(TABLES);
}

/** Returns a stream's key in the index: 128 bits of its name's SHA-256, so that long names cost no more than short ones. */
const streamKey = (stream: string): string => hash('sha256', stream, 'hex').slice(0, 32);
