import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';

export interface TestDatabase {
  name: string;
  url: string;
  drop(): Promise<void>;
}

/** Creates an empty database on the tests' Postgres. To copy the template's files takes a quarter of the time of logging each page. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_POSTGRES_URL;
  if (serverUrl === undefined) throw new Error('TEST_POSTGRES_URL is not set: run this through the jest project "int"');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(serverUrl, `CREATE DATABASE ${escapeIdentifier(name)} STRATEGY file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const drop = async () => {
    await query(serverUrl, `DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
  };
  return { name, url: url.href, drop };
}

/** Runs one statement on a connection of its own. Returns the rows. */
export async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
