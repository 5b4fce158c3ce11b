import { type Pool, Query } from 'pg';

/** Before the first row: PGCOPY\n\377\r\n\0, the flags, and the length of an extension, which there is none. */
const HEADER_LENGTH = 11 + 4 + 4;
const END_OF_ROWS = -1;

/**
 * Reads rows in Postgres's binary COPY format. Through an ordinary query a megabyte of events would come as two megabytes
 * of hexadecimal text, and turning it back cost more than all else that reading does.
 *
 * @param select a query without parameters, as COPY takes none
 * @param decode turns a row into something; the row's buffer is used again after that
 */
export async function readBinaryRows<T>(pool: Pool, select: string, decode: (row: Buffer) => T): Promise<T[]> {
  const client = await pool.connect();
  let broken = true;
  try {
    const rows = await new Promise<T[]>((resolve, reject) => {
      client.query(new BinaryCopy(select, decode, (error, copied) => (error ? reject(error) : resolve(copied))));
    });
    broken = false;
    return rows;
  } finally {
    client.release(broken);
  }
}

/** A row is the number of its columns (i16), and for each its length (i32) and its bytes. */
class BinaryCopy<T> extends Query {
  private readonly rows: T[] = [];
  private headerSeen = false;
  private failure: Error | undefined;

  constructor(
    select: string,
    private readonly decode: (row: Buffer) => T,
    done: (error: Error | undefined, rows: T[]) => void,
  ) {
    super({ text: `COPY (${select}) TO STDOUT (FORMAT binary)` });
    this.on('end', () => done(this.failure, this.rows));
    this.on('error', (error: Error) => done(error, []));
  }

  /** Called by pg's client for each row, which must not throw there: it would end the process. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const row = this.headerSeen ? chunk : chunk.subarray(HEADER_LENGTH);
    this.headerSeen = true;
    if (this.failure !== undefined || row.length < 2 || row.readInt16BE() === END_OF_ROWS) return;
    try {
      this.rows.push(this.decode(row));
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
    }
  }
}
