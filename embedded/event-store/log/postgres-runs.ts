import { Client, Pool } from 'pg';
import { isMetadataStream } from '../core/stream-state.js';
import { readBinaryRows } from './binary-rows.js';
import { FrameView } from './event-frame.js';
import { checkFrames, type Run } from './run.js';
import { becomeWriter, FIRST_POSITION } from './schema.js';
import { streamKey } from './stream-key.js';

/** How much of the log one page of reading spans. */
export const PAGE_BYTES = 256 * 1024;
const ROWS_PER_INSERT = 64;
const READERS = 4;

const COLUMNS = 'position, first_revision, events, bytes';
const LAST_RUNS = `SELECT asked.index, last.* FROM unnest($1::uuid[], $2::boolean[])
  WITH ORDINALITY AS asked(stream, with_bytes, index)
  CROSS JOIN LATERAL (SELECT first_revision, events, CASE WHEN asked.with_bytes THEN bytes END AS bytes
    FROM runs WHERE runs.stream = asked.stream ORDER BY first_revision DESC LIMIT 1) AS last`;
const END_OF_LOG = 'SELECT position + octet_length(bytes) AS head FROM runs ORDER BY position DESC LIMIT 1';

/** The newest run of a stream, for its state; the bytes only of metadata streams, whose content matters. */
export interface LastRun {
  stream: string;
  firstRevision: number;
  count: number;
  bytes: Buffer | null;
}

/** The log on disk: one row a run. The one connection that writes holds the lock that keeps other writers out. */
export class PostgresRuns {
  private constructor(
    private readonly writer: Client,
    private readonly readers: Pool,
  ) {}

  /** @param onLost called when the writing connection breaks: somebody else may be the writer now */
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
    // A reader idle in the pool may break; the next query then gets another one or an error of its own.
    readers.on('error', (error) => console.error(`An idle reading connection broke: ${error.message}`));
    return new PostgresRuns(writer, readers);
  }

  async close(): Promise<void> {
    await Promise.all([this.readers.end(), this.writer.end()]);
  }

  /** Position after the last event. */
  async head(): Promise<number> {
    const result = await this.writer.query<{ head: string }>(END_OF_LOG);
    return Number(result.rows[0]?.head ?? FIRST_POSITION);
  }

  /** Durable when it returns; all of the runs or none. */
  async append(runs: readonly Run[]): Promise<void> {
    if (runs.length <= ROWS_PER_INSERT) return this.insert(runs);
    await this.writer.query('BEGIN');
    for (let start = 0; start < runs.length; start += ROWS_PER_INSERT) {
      await this.insert(runs.slice(start, start + ROWS_PER_INSERT));
    }
    await this.writer.query('COMMIT');
  }

  /** The runs from the one that holds a position on; at least one if there is one, together about `PAGE_BYTES`. */
  allForwards(position: number): Promise<Run[]> {
    const first = `(SELECT coalesce(max(position), 0) FROM runs WHERE position <= ${whole(position)})`;
    return this.read(`position >= ${first} AND position < ${whole(position + PAGE_BYTES)} ORDER BY position`);
  }

  /** The runs that begin before a position, newest first. */
  allBackwards(position: number): Promise<Run[]> {
    const first = `(SELECT coalesce(max(position), 0) FROM runs WHERE position <= ${whole(position - PAGE_BYTES)})`;
    return this.read(`position >= ${first} AND position < ${whole(position)} ORDER BY position DESC`);
  }

  /** Runs of a stream from the one that holds a revision on. */
  streamForwards(stream: string, revision: number, limit: number): Promise<Run[]> {
    const own = `stream = '${streamKey(stream)}'`;
    const first = `(SELECT coalesce(max(first_revision), 0) FROM runs WHERE ${own} AND first_revision <= ${whole(revision)})`;
    return this.read(`${own} AND first_revision >= ${first} ORDER BY first_revision LIMIT ${whole(limit)}`);
  }

  /** Runs of a stream from the one that holds a revision on, newest first. */
  streamBackwards(stream: string, revision: number, limit: number): Promise<Run[]> {
    const own = `stream = '${streamKey(stream)}' AND first_revision <= ${whole(revision)}`;
    return this.read(`${own} ORDER BY first_revision DESC LIMIT ${whole(limit)}`);
  }

  async lastRuns(streams: readonly string[]): Promise<LastRun[]> {
    const result = await this.readers.query<[string, string, number, Buffer | null]>({
      name: 'last-runs',
      text: LAST_RUNS,
      values: [streams.map(streamKey), streams.map(isMetadataStream)],
      rowMode: 'array',
    });
    return result.rows.map(([index, firstRevision, count, bytes]) => ({
      stream: streams[Number(index) - 1]!,
      firstRevision: Number(firstRevision),
      count,
      bytes,
    }));
  }

  private async insert(runs: readonly Run[]): Promise<void> {
    const values: unknown[] = [];
    for (const run of runs) values.push(run.position, streamKey(run.stream), run.firstRevision, run.count, run.bytes);
    await this.writer.query({ name: `insert-${runs.length}`, text: insertText(runs.length), values });
  }

  private read(condition: string): Promise<Run[]> {
    return readBinaryRows(this.readers, `SELECT ${COLUMNS} FROM runs WHERE ${condition}`, toRun);
  }
}

/** Reads the four columns where they lie, each after its length: one copy, of the bytes, is all that is made. */
function toRun(row: Buffer): Run {
  const bytes = Buffer.allocUnsafe(row.readInt32BE(34));
  row.copy(bytes, 0, 38);
  const position = Number(row.readBigInt64BE(6));
  const run: Run = {
    stream: new FrameView(bytes, 0).stream,
    position,
    end: position + bytes.length,
    firstRevision: Number(row.readBigInt64BE(18)),
    count: row.readInt32BE(30),
    bytes,
  };
  checkFrames(run);
  return run;
}

/** A number that may stand in a query's text; a page before the log's beginning begins there. */
function whole(number: number): number {
  if (!Number.isInteger(number)) throw new Error(`${number} is no position, revision or limit.`);
  return Math.min(Math.max(number, 0), Number.MAX_SAFE_INTEGER);
}

const insertTexts = new Map<number, string>();

function insertText(rows: number): string {
  let text = insertTexts.get(rows);
  if (text === undefined) {
    const tuples = Array.from({ length: rows }, (_, row) => {
      const first = row * 5;
      return `($${first + 1}, $${first + 2}, $${first + 3}, $${first + 4}, $${first + 5})`;
    });
    text = `INSERT INTO runs (position, stream, first_revision, events, bytes) VALUES ${tuples.join(', ')}`;
    insertTexts.set(rows, text);
  }
  return text;
}
