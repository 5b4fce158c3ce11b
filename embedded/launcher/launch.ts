import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { LedgerKeys } from '../../contracts/http/receipts.js';
import { anyFreePort, isPortFree, nextFreePort } from '../postgres/free-port.js';
import { LOOPBACK, reachableHost } from '../shared/stand-in-process.js';
import { builtFile } from './built-files.js';
import { type Child, type ProcessName, startProcess } from './child-process.js';
import { openDataFolder } from './data-folder.js';
import * as standIns from './stand-ins.js';

export interface LaunchOptions {
  /** Folder of databases, secrets and logs; created when absent, kept between runs. */
  dataDir: string;
  /** The web address's port; 0 takes any. When absent: the first free one from 3000 on. */
  port?: number;
  host?: string;
  /** Settings for the processes; they override those of this process. */
  env?: Record<string, string>;
  /** True when the caller shows the admin's password: its file is then deleted. */
  showsAdminPassword?: boolean;
  notify?(line: string): void;
  /** Called when a process that the game needs ends by itself; nothing starts it again. */
  onEnd?(message: string): void;
  /** The api serves the client's files, so it alone waits for their build. */
  clientIsBuilt?: Promise<void>;
}

/** The addresses in `running.json`, for other commands on this data folder. */
export interface RunningAddresses {
  url: string;
  databaseUrl: string;
  /** Undefined where a real server has the application's tables. */
  embeddedDatabaseUrl: string | undefined;
  eventStoreUrl: string;
  /** Practice pages; undefined where a real server is used. */
  paymentsUrl: string | undefined;
  mailUrl: string | undefined;
  /** The practice pages' access token, as `?token=` or as a bearer token. */
  practiceToken: string;
}

export type Application = Awaited<ReturnType<typeof launch>>;

const DEFAULT_PORT = 3000;

/** The game goes on without these. */
const PRACTICE = ['payment gateway', 'mail box', 'witness'];

type Stoppable = { stop(): Promise<void> };
type Env = Record<string, string>;

/**
 * Starts the whole application on this machine. No process outlives this one.
 * DATABASE_URL, EVENT_STORE_URL, PAYMENTS_API_URL, SMTP_URL and WITNESSES name servers that replace the embedded ones. Throws
 * FolderInUse when another launcher uses this data; Error when the exact port is taken or a process does not start.
 */
export async function launch(options: LaunchOptions) {
  const { host = LOOPBACK, notify = () => undefined, onEnd = notify } = options;
  const env = { ...(process.env as Env), ...options.env };
  const data = await openDataFolder(resolve(options.dataDir));
  const started: Stoppable[] = [{ stop: () => data.lock.release() }];
  let isStopping = false;
  const stop = () => {
    isStopping = true;
    return stopAll(started);
  };
  const watch = (name: string, child: Child) => {
    started.push(child);
    void child.ended.then((reason) => {
      const report = PRACTICE.includes(name) ? notify : onEnd;
      if (!isStopping) report(`The ${name} ended (${reason}).`);
    });
  };
  try {
    const port = await choosePort(options, host);
    const url = `http://${reachableHost(host)}:${port}`;
    const pagePort = (setting: string, usual: number) =>
      options.port === 0 || env[setting] === '0' ? anyFreePort() : nextFreePort(usual, LOOPBACK);
    const start = async (name: ProcessName, script: string, settings: Env, healthUrl?: string) => {
      const files = { script: builtFile(script), logFile: data.logFile(name) };
      watch(name, await startProcess({ name, ...files, env: { ...options.env, ...settings }, healthUrl, notify }));
    };
    const startStandIn = async (name: ProcessName, chosen: Promise<standIns.StandIn>) => {
      const standIn = await chosen;
      await start(name, standIn.script, standIn.ownEnv);
      return standIn;
    };

    const startEventStore = async (database: string) => {
      const storePort = await anyFreePort();
      const settings = { EVENT_STORE_PORT: String(storePort), EVENT_STORE_DATABASE_URL: database };
      await start('event store', 'embedded/event-store/main.js', settings);
      return `esdb://${LOOPBACK}:${storePort}?tls=false`;
    };
    const startStores = async () => {
      // Postgres is not needed where real servers replace both of its databases.
      const needsPostgres = env.DATABASE_URL === undefined || env.EVENT_STORE_URL === undefined;
      const databases = needsPostgres ? await standIns.startDatabases(data) : undefined;
      if (databases) watch('database server', databases);
      const eventStoreUrl = env.EVENT_STORE_URL ?? (await startEventStore(databases!.eventsDatabaseUrl));
      const databaseUrl = env.DATABASE_URL ?? databases!.databaseUrl;
      return { databaseUrl, eventStoreUrl, folder: (databases ?? data).folder };
    };
    // The stand-ins start in parallel, because none of them needs another.
    const [{ databaseUrl, eventStoreUrl, folder }, payments, mail] = await allSettled([
      startStores(),
      env.PAYMENTS_API_URL ? undefined : startStandIn('payment gateway', standIns.practiceGateway(data, pagePort, url)),
      env.SMTP_URL ? undefined : startStandIn('mail box', standIns.practiceMail(data, pagePort)),
    ]);
    const witness = env.WITNESSES === undefined ? await standIns.practiceWitness(data) : undefined;

    const { NODE_ENV = 'production' } = env;
    const shared = { DATABASE_URL: databaseUrl, EVENT_STORE_URL: eventStoreUrl, NODE_ENV };
    const adminGamerTag = env.ADMIN_GAMER_TAG ?? 'admin';
    const adminPassword = env.ADMIN_PASSWORD ?? data.firstAdminPassword;
    const apiEnv = {
      ...shared,
      PORT: String(port),
      HOST: host,
      PUBLIC_ORIGIN: env.PUBLIC_ORIGIN ?? defaultOrigins(host, port),
      SESSION_SECRET: env.SESSION_SECRET ?? data.sessionSecret,
      ADMIN_GAMER_TAG: adminGamerTag,
      ...(adminPassword !== undefined && { ADMIN_PASSWORD: adminPassword }),
      WEB_ROOT: builtFile('web'),
      ...payments?.apiEnv,
      ...mail?.apiEnv,
      ...witness?.apiEnv,
    };
    // The worker and the api start in parallel, because each waits for the other's tables or events.
    await allSettled([
      start('projections', 'projections/src/main.js', shared),
      Promise.resolve(options.clientIsBuilt).then(() => start('api', 'api/src/main.js', apiEnv, `${url}/api/health`)),
    ]);
    if (witness) await start('witness', witness.script, { ...witness.ownEnv, WITNESS_LOG_KEYS: await ledgerKeys(url) });

    const addresses: RunningAddresses = {
      url,
      databaseUrl,
      embeddedDatabaseUrl: env.DATABASE_URL === undefined ? databaseUrl : undefined,
      eventStoreUrl,
      paymentsUrl: payments?.url,
      mailUrl: mail?.url,
      practiceToken: data.practiceToken,
    };
    const file = addressesFile(data.folder);
    await writeFile(file, `${JSON.stringify(addresses, null, 2)}\n`, { mode: 0o600 });
    started.push({ stop: () => rm(file, { force: true }) });
    if (options.showsAdminPassword || env.ADMIN_PASSWORD) await data.forgetAdminPassword();
    return {
      ...addresses,
      adminGamerTag,
      /** Generated; undefined when a setting has it or it was shown already. */
      adminPassword: env.ADMIN_PASSWORD ? undefined : data.firstAdminPassword,
      adminPasswordFile: data.adminPasswordFile,
      /** One folder, or two when Postgres could not use the first. */
      dataFolders: `${folder}/`.startsWith(`${data.folder}/`) ? [data.folder] : [data.folder, folder],
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ledgerKeys(url: string): Promise<string> {
  const response = await fetch(`${url}/api/ledger/key`);
  if (!response.ok) throw new Error(`the api answered ${response.status} for the ledger's key`);
  return ((await response.json()) as LedgerKeys).keys.join(' ');
}

/** Like Promise.all, but waits for all of them before it fails, so that everything that started can be stopped. */
const allSettled = <const Starts extends readonly unknown[]>(starts: Starts) =>
  Promise.allSettled(starts).then(() => Promise.all(starts));

/** Stops everything in reverse order, even when some stops fail. */
async function stopAll(started: Stoppable[]): Promise<void> {
  const failures: unknown[] = [];
  while (started.length > 0) {
    const stopping = started.pop()!.stop();
    await stopping.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function choosePort({ port }: LaunchOptions, host: string): Promise<number> {
  if (port === undefined) return nextFreePort(DEFAULT_PORT, host);
  if (port === 0) return anyFreePort(host);
  if (await isPortFree(port, host)) return port;
  throw new Error(`port ${port} of ${host} is taken; choose another one by PORT`);
}

/** Both names of loopback, which browsers may use. Empty for other addresses: the api then accepts the request's own host. */
const defaultOrigins = (host: string, port: number): string =>
  host === LOOPBACK ? `http://${LOOPBACK}:${port},http://localhost:${port}` : '';

/** The file from which tools such as `npm run audit` learn the application's addresses. */
const addressesFile = (dataDir: string): string => join(dataDir, 'running.json');

/** Throws when no application runs on this data. */
export const readAddresses = async (dataDir: string): Promise<RunningAddresses> =>
  JSON.parse(await readFile(addressesFile(dataDir), 'utf8'));
