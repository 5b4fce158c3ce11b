import { Client } from 'pg';
import { sealBatch } from '../platform/row-sealing.store.js';
import type { RowSeals } from '../platform/row-seals.js';
import { SEALED_TABLES } from '../platform/sealed-tables.js';

/** Changes rows in Postgres and seals them, as the application would have: time passes, or a role is another. */
export async function changeSealed(
  databaseUrl: string,
  seals: Pick<RowSeals, 'of'>,
  sql: string,
  parameters: unknown[] = [],
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const query = async (text: string, values: unknown[]) => (await client.query(text, values)).rows as never;
  await client.query('BEGIN');
  await query(sql, parameters);
  for (const table of Object.keys(SEALED_TABLES) as (keyof typeof SEALED_TABLES)[])
    await sealBatch(query, seals, () => true, { table, after: '' });
  await client.query('COMMIT');
  await client.end();
}
