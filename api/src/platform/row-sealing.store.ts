import { Pool } from 'pg';
import type { RowSeals } from './row-seals.js';
import { SEALED_TABLES, type SealedRow } from './sealed-tables.js';

const BATCH = 500;

type TableName = keyof typeof SEALED_TABLES;
type Chosen = (table: TableName, row: SealedRow<{ gamerId: string }>) => boolean;

type Sealer = Pick<RowSeals, 'of'>;

interface Row extends SealedRow<{ gamerId: string }> {
  at: string;
  key: string;
}

/** Seals the chosen rows as they stand. Returns how many. */
export async function sealRows(pool: Pool, seals: Sealer, chosen: Chosen): Promise<number> {
  let count = 0;
  for (const table of Object.keys(SEALED_TABLES) as TableName[]) count += await sealTable(pool, seals, chosen, table);
  return count;
}

/** sealRows for a command. */
export async function sealDatabase(databaseUrl: string, seals: Sealer, chosen: Chosen): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl, max: 1, application_name: 'omni-jackpot-seal-rows' });
  try {
    await sealRows(pool, seals, chosen);
  } finally {
    await pool.end();
  }
}

async function sealTable(pool: Pool, seals: Sealer, chosen: Chosen, table: TableName): Promise<number> {
  let count = 0;
  let after = '';
  for (;;) {
    const batch = await inTransaction(pool, (query) => sealBatch(query, seals, chosen, { table, after }));
    count += batch.sealed;
    if (batch.last === null) return count;
    after = batch.last;
  }
}

/** Seals the chosen ones of the next rows. Returns how many, and the last row's key; null at the table's end. */
export async function sealBatch(
  query: Query,
  seals: Sealer,
  chosen: Chosen,
  { table, after }: { table: TableName; after: string },
): Promise<{ sealed: number; last: string | null }> {
  const { key, content } = SEALED_TABLES[table];
  // Locked: a row that another node changes meanwhile must not get the seal of its former content.
  const rows = await query<Row>(
    `SELECT ctid::text AS at, ${key} AS key, ${content} AS content, seal FROM auth.${table}
     WHERE ${key} > $1 ORDER BY ${key} LIMIT ${BATCH} FOR UPDATE`,
    [after],
  );
  const mine = rows.filter((row) => chosen(table, row));
  await query(
    `UPDATE auth.${table} AS row SET seal = sealed.seal
     FROM unnest($1::tid[], $2::bytea[]) AS sealed (at, seal) WHERE row.ctid = sealed.at`,
    [mine.map(({ at }) => at), mine.map((row) => seals.of(table, row.content))],
  );
  return { sealed: mine.length, last: rows.length < BATCH ? null : (rows.at(-1)?.key ?? null) };
}

/** Runs a query in a transaction. */
export type Query = <Row>(sql: string, parameters: unknown[]) => Promise<Row[]>;

export async function inTransaction<T>(pool: Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(async (sql, parameters) => (await client.query(sql, parameters)).rows as never);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // With an error the connection is closed, which rolls back.
    client.release(failure);
  }
}
