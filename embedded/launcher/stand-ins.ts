import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { startPostgres } from '../postgres/postgres-server.js';
import { LOOPBACK } from '../shared/stand-in-process.js';
import { Witness } from '../witness/witness.js';
import type { DataFolder } from './data-folder.js';
import type { PortClaims } from './port-claims.js';
import { supervise } from './supervisor.js';

/** A stand-in's program and settings, and the api's settings for reaching it. */
export interface StandIn {
  /** Address of its practice page; the event store's connection string. */
  url: string;
  script: string;
  ownEnv: Record<string, string>;
  apiEnv: Record<string, string>;
}

/** Fixed ports where they are free, so that a checkout page's address outlives a restart. */
const PAYMENTS_PORT = 4010;
const MAIL_WEB_PORT = 8025;
const SMTP_PORT = 1025;
const WITNESS_PORT = 4030;

/** The event store has a database of its own, so that dropping the application's tables loses no history. */
const EVENTS_DATABASE = 'omni_events';
const APPLICATION_DATABASE = 'omni';

/** Starts Postgres with the databases of the application and of the event store, and keeps it running on the same port. */
export async function startDatabases(data: DataFolder, ports: PortClaims, notify: (line: string) => void) {
  const port = await ports.any(LOOPBACK);
  const options = { dataDir: join(data.folder, 'postgres'), logFile: data.logFile('postgres'), port };
  const server = await supervise('database server', () => startPostgres(options), notify);
  const { folder, url } = server.current();
  for (const name of [EVENTS_DATABASE, APPLICATION_DATABASE]) await ensureDatabase(url('postgres'), name);
  return { databaseUrl: url(APPLICATION_DATABASE), eventsDatabaseUrl: url(EVENTS_DATABASE), folder, stop: server.stop };
}

async function ensureDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

export async function eventStore(databaseUrl: string, ports: PortClaims): Promise<StandIn> {
  const port = await ports.any(LOOPBACK);
  const url = `esdb://${LOOPBACK}:${port}?tls=false`;
  return {
    url,
    script: 'embedded/event-store/main.js',
    ownEnv: { EVENT_STORE_PORT: String(port), EVENT_STORE_DATABASE_URL: databaseUrl },
    apiEnv: {},
  };
}

export async function practiceGateway(data: DataFolder, ports: PortClaims, apiUrl: string): Promise<StandIn> {
  const port = await ports.next(PAYMENTS_PORT, LOOPBACK);
  const url = `http://${LOOPBACK}:${port}`;
  const account = {
    PAYMENTS_API_KEY: data.paymentsSecret,
    PAYMENTS_IPN_SECRET: data.paymentsSecret,
    PAYMENTS_EMAIL: 'shop@omni-jackpot.invalid',
    PAYMENTS_PASSWORD: data.paymentsSecret,
  };
  return {
    url,
    script: 'embedded/payments/main.js',
    ownEnv: {
      ...account,
      PAYMENTS_PORT: String(port),
      PAYMENTS_DATA_DIR: join(data.folder, 'payments'),
      PAYMENTS_STAND_IN_TOKEN: data.practiceToken,
    },
    apiEnv: { ...account, PAYMENTS_API_URL: `${url}/v1`, PAYMENTS_CALLBACK_URL: apiUrl },
  };
}

export async function practiceMail(data: DataFolder, ports: PortClaims): Promise<StandIn> {
  const webPort = await ports.next(MAIL_WEB_PORT, LOOPBACK);
  const smtpPort = await ports.next(SMTP_PORT, LOOPBACK);
  const addresses = { MAIL_WEB_PORT: String(webPort), MAIL_SMTP_PORT: String(smtpPort) };
  return {
    url: `http://${LOOPBACK}:${webPort}`,
    script: 'embedded/mail/main.js',
    ownEnv: { ...addresses, MAIL_DATA_DIR: join(data.folder, 'mail'), MAIL_PAGES_TOKEN: data.practiceToken },
    apiEnv: { SMTP_URL: `smtp://${LOOPBACK}:${smtpPort}` },
  };
}

/** The witness gets the log's key from the running api, which needs the witness's key to start. */
export async function practiceWitness(data: DataFolder, ports: PortClaims): Promise<StandIn> {
  const port = await ports.next(WITNESS_PORT, LOOPBACK);
  const url = `http://${LOOPBACK}:${port}`;
  const stateFile = join(data.folder, 'witness.json');
  const policyLine = (await Witness.open(stateFile, [])).policyLine(url);
  return {
    url,
    script: 'embedded/witness/main.js',
    ownEnv: { WITNESS_PORT: String(port), WITNESS_STATE_FILE: stateFile },
    apiEnv: { WITNESSES: `${policyLine}\nquorum ${policyLine.split(' ')[1]}` },
  };
}
