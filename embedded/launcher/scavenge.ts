import { Client } from 'pg';
import { canonicalEmail } from '../../contracts/email.js';
import { startScavenge } from '../event-store/start-scavenge.js';
import { type RunningAddresses, readAddresses } from './launch.js';

type ScavengedAddresses = Partial<RunningAddresses> & Pick<RunningAddresses, 'eventStoreUrl'>;

/* `npm run scavenge`: removes the bytes of removed gamers from the event store, the databases' files and the mail box. */

async function findAddresses(): Promise<ScavengedAddresses> {
  const { EVENT_STORE_URL, DATA_DIR = '.data' } = process.env;
  if (EVENT_STORE_URL) return { eventStoreUrl: EVENT_STORE_URL };
  return readAddresses(DATA_DIR).catch(() => {
    throw new Error(`No application runs on the data in ${DATA_DIR}, and EVENT_STORE_URL is not set.`);
  });
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

async function scavenge({ eventStoreUrl, embeddedDatabaseUrl, mailUrl, practiceToken = '' }: ScavengedAddresses) {
  if (embeddedDatabaseUrl === undefined) return sayStarted(await startScavenge(eventStoreUrl));
  const database = new Client({ connectionString: embeddedDatabaseUrl });
  await database.connect();
  try {
    if (mailUrl !== undefined) await dropMails(mailUrl, practiceToken, database);
    // A deleted row's bytes stay in the files of its table, in samples for Postgres' statistics, and in Postgres' own log.
    for (const step of ['ANALYZE', 'VACUUM FULL']) await database.query(step);
    sayStarted(await startScavenge(eventStoreUrl));
    for (const step of ['SELECT pg_switch_wal()', 'CHECKPOINT']) await database.query(step);
    console.log('The files of the databases are rewritten.');
  } finally {
    await database.end();
  }
}

const sayStarted = (isStarted: boolean): void =>
  console.log(isStarted ? 'The event store scavenges.' : 'The event store was scavenging already.');

try {
  await scavenge(await findAddresses());
} catch (error) {
  console.error(`Scavenging failed: ${(error as Error).message}`);
  process.exitCode = 1;
}
