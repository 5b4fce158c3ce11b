import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { anyFreePort } from '../postgres/free-port.js';
import { startPostgres } from '../postgres/postgres-server.js';
import { LOOPBACK } from '../shared/stand-in-process.js';
import { Witness } from '../witness/witness.js';
import type { DataFolder } from './data-folder.js';

/** A stand-in's program and settings, and the api's settings for reaching it. */
export interface StandIn {
  /** Address of its practice page. */
  url: string;
  script: string;
  ownEnv: Record<string, string>;
  apiEnv: Record<string, string>;
}

/** The usual port of a practice page, so that its address outlives a restart; any port where that is taken or `setting` is 0. */
type PortChoice = (setting: string, usual: number) => Promise<number>;

/** The event store has a database of its own, so that dropping the application's tables loses no history. */
const EVENTS_DATABASE = 'omni_events';
const APPLICATION_DATABASE = 'omni';

export async function startDatabases(data: DataFolder) {
  const options = { dataDir: join(data.folder, 'postgres'), logFile: data.logFile('postgres') };
  const { url, ...server } = await startPostgres(options);
  for (const name of [EVENTS_DATABASE, APPLICATION_DATABASE]) await ensureDatabase(url('postgres'), name);
  return { ...server, databaseUrl: url(APPLICATION_DATABASE), eventsDatabaseUrl: url(EVENTS_DATABASE) };
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

export async function practiceGateway(data: DataFolder, portOf: PortChoice, apiUrl: string): Promise<StandIn> {
  const port = await portOf('PAYMENTS_PORT', 4010);
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

export async function practiceMail(data: DataFolder, portOf: PortChoice): Promise<StandIn> {
  const [webPort, smtpPort] = [await portOf('MAIL_WEB_PORT', 8025), await anyFreePort()];
  const addresses = { MAIL_WEB_PORT: String(webPort), MAIL_SMTP_PORT: String(smtpPort) };
  return {
    url: `http://${LOOPBACK}:${webPort}`,
    script: 'embedded/mail/main.js',
    ownEnv: { ...addresses, MAIL_DATA_DIR: join(data.folder, 'mail'), MAIL_PAGES_TOKEN: data.practiceToken },
    apiEnv: { SMTP_URL: `smtp://${LOOPBACK}:${smtpPort}` },
  };
}

/** The witness gets the log's key from the running api, which needs the witness's key to start. */
export async function practiceWitness(data: DataFolder): Promise<StandIn> {
  const port = await anyFreePort();
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
