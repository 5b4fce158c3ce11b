import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';

export interface TestDatabase {
  name: string;
  url: string;
  /** Drops the database and closes its open connections. */
  drop(): Promise<void>;
}

/**
 * Creates a database on the tests' Postgres (`TEST_POSTGRES_URL`, which the jest project `int` starts and sets).
 *
 * @param template database to clone, see `prepareTestTemplate`; the new database is empty without it
 */
export async function createTestDatabase(template?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const clause = template === undefined ? '' : ` TEMPLATE ${escapeIdentifier(template)}`;
  await administer((client) => client.query(`CREATE DATABASE ${escapeIdentifier(name)}${clause}`));
  return { name, url: urlOf(name), drop: () => dropDatabase(name) };
}

/**
 * Creates a template database once for all test files and workers: the first caller fills it, the others wait.
 *
 * @param fill prepares the empty database, for example by migrations, and closes its connections
 * @returns the name, for `createTestDatabase`
 */
export async function prepareTestTemplate(name: string, fill: (url: string) => Promise<void>): Promise<string> {
  await administer(async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const existing = await client.query('SELECT datistemplate FROM pg_database WHERE datname = $1', [name]);
    if (existing.rows[0]?.datistemplate === true) return;
    if (existing.rowCount !== 0) await client.query(`DROP DATABASE ${escapeIdentifier(name)} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
    await fill(urlOf(name));
    await client.query(`ALTER DATABASE ${escapeIdentifier(name)} IS_TEMPLATE true`);
  });
  return name;
}

async function dropDatabase(name: string): Promise<void> {
  await administer((client) => client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`));
}

async function administer(work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}

function serverUrl(): string {
  const url = process.env.TEST_POSTGRES_URL;
  if (url === undefined) throw new Error('TEST_POSTGRES_URL is not set: run this through the jest project "int"');
  return url;
}
