import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { canonicalEmail } from '../../contracts/email.js';
import { startScavenge } from '../event-store/start-scavenge.js';
import type { RunningAddresses } from './launch.js';

/*
 * `npm run scavenge`: removes what removed gamers left in the event store, and on a data folder also in the files of its
 * databases and in the mail box. With EVENT_STORE_URL it starts the scavenge of that server and nothing else.
 */

async function addresses(): Promise<RunningAddresses> {
  const { EVENT_STORE_URL, DATA_DIR = '.data' } = process.env;
  if (EVENT_STORE_URL) return { eventStoreUrl: EVENT_STORE_URL, practiceToken: '' };
  const path = join(DATA_DIR, 'running.json');
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`No application runs here (there is no ${path}), and EVENT_STORE_URL is not set.`);
  });
  return JSON.parse(text) as RunningAddresses;
}

/** Deletes the mails to addresses that no account has (any longer). */
async function dropMails(mailUrl: string, practiceToken: string, database: Client): Promise<void> {
  const { rows } = await database.query<{ email: string }>('SELECT email_key AS email FROM auth.accounts');
  const known = new Set(rows.map(({ email }) => email));
  const headers = { authorization: `Bearer ${practiceToken}` };
  const mails = (await (await fetch(`${mailUrl}/messages`, { headers })).json()) as { id: string; to: string[] }[];
  for (const { id, to } of mails) {
    if (to.every((address) => known.has(canonicalEmail(address)))) continue;
    await fetch(`${mailUrl}/messages/${id}`, { method: 'DELETE', headers });
  }
}

/** Rewrites the files of all tables: a deleted row's bytes stay in them, and samples of rows in Postgres' statistics. */
async function rewriteTables(database: Client): Promise<void> {
  await database.query('ANALYZE');
  await database.query('VACUUM FULL');
}

/** Drops Postgres' own log up to now, which holds the rows as they were written. */
async function dropWriteAheadLog(database: Client): Promise<void> {
  await database.query('SELECT pg_switch_wal()');
  await database.query('CHECKPOINT');
}

async function scavenge(running: RunningAddresses): Promise<void> {
  const { eventStoreUrl, embeddedDatabaseUrl, mailUrl, practiceToken } = running;
  const database = embeddedDatabaseUrl === undefined ? null : new Client({ connectionString: embeddedDatabaseUrl });
  await database?.connect();
  try {
    if (database !== null && mailUrl !== undefined) await dropMails(mailUrl, practiceToken, database);
    if (database !== null) await rewriteTables(database);
    const isStarted = await startScavenge(eventStoreUrl);
    if (database !== null) await dropWriteAheadLog(database);
    console.log(isStarted ? 'The event store scavenges.' : 'The event store was scavenging already.');
    if (database !== null) console.log('The files of the databases are rewritten.');
  } finally {
    await database?.end();
  }
}

try {
  await scavenge(await addresses());
} catch (error) {
  console.error(`Scavenging failed: ${(error as Error).message}`);
  process.exitCode = 1;
}
