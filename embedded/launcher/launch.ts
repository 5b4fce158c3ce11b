import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { builtFile } from './built-files.js';
import { type DataFolder, openDataFolder } from './data-folder.js';
import { APPLICATION_DATABASE, EVENTS_DATABASE, startDatabases } from './databases.js';
import { type Part, type PartName, startPart } from './part.js';
import { PortClaims } from './port-claims.js';
import { practiceGateway, practiceMail } from './stand-ins.js';

export interface LaunchOptions {
  /** Databases, secrets and logs; made when absent, kept between runs. */
  dataDir: string;
  /** The web address's port. `exact`: fail when it is taken; otherwise the next free one is used. 0: any. */
  port?: { number: number; exact: boolean };
  /** The address to listen on; 127.0.0.1 when absent. */
  host?: string;
  /** Settings for the parts, over those of this process. */
  env?: Record<string, string>;
  /** Told of what a person at the console should know, a line at a time. */
  say?(line: string): void;
}

export interface Application {
  url: string;
  databaseUrl: string;
  eventStoreUrl: string;
  /** Where a person pays and reads mails; undefined where real servers are used. */
  paymentsUrl: string | undefined;
  mailUrl: string | undefined;
  adminGamerTag: string;
  /** The admin's password at the first start; undefined later: it is what it was set to then. */
  adminPassword: string | undefined;
  /** Where the data is; two folders when Postgres could not keep its part in the first. */
  dataFolders: string[];
  stop(): Promise<void>;
  /** Stops one part in good order and starts it again. */
  restart(name: PartName): Promise<void>;
  /** Kills one part as a crash would; resolves when it is back. */
  kill9(name: PartName): Promise<void>;
}

const DEFAULT_PORT = 3000;
const ATTEMPTS = 5;
const LOOPBACK = '127.0.0.1';
const ANY_ADDRESS = ['0.0.0.0', '::'];

/**
 * Starts the whole application on this machine: Postgres, event store, payment gateway, mail server, projections and api,
 * each a process that is started again when it dies, and none of which outlives this process.
 * DATABASE_URL, EVENT_STORE_URL, PAYMENTS_API_URL and SMTP_URL, where set, name real servers that are then used in place
 * of the embedded ones.
 *
 * @throws FolderInUse when it already runs on this data; Error when the asked port is taken or a part does not start.
 */
export async function launch(options: LaunchOptions): Promise<Application> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launchOnce(options);
    } catch (error) {
      // A program that knows nothing of our claims was quicker at a port; the next look finds it taken.
      if (attempt === ATTEMPTS || !/\bEADDRINUSE\b/.test((error as Error).message)) throw error;
      options.say?.('A port was taken in the meantime; starting again with others.');
    }
  }
}

async function launchOnce(options: LaunchOptions): Promise<Application> {
  const say = options.say ?? (() => undefined);
  const env = { ...definedOnly(process.env), ...options.env };
  const host = options.host ?? LOOPBACK;
  const data = await openDataFolder(resolve(options.dataDir));
  const ports = await PortClaims.open();
  const started: { stop(): Promise<void> }[] = [data.lock, ports].map((held) => ({ stop: () => held.release() }));
  const stop = () => stopAll(started);
  try {
    const port = await choosePort(options, ports, host);
    const url = `http://${ANY_ADDRESS.includes(host) ? LOOPBACK : host}:${port}`;
    const { databaseUrl, eventsDatabaseUrl, folder } = await databasesFor(data, env, say, started);

    const parts = new Map<PartName, Part>();
    const start: Start = async (name, script, own, healthUrl) => {
      const part = await startPart({
        name,
        script: builtFile(script),
        env: { ...options.env, ...own },
        logFile: data.logFile(name),
        healthUrl,
        say,
      });
      parts.set(name, part);
      started.push(part);
    };

    const eventStoreUrl = env.EVENT_STORE_URL ?? (await ownEventStore(ports, eventsDatabaseUrl, start));
    const payments = env.PAYMENTS_API_URL ? undefined : await practiceGateway(data, ports, url);
    if (payments) await start('payment gateway', 'embedded/payments/main.js', payments.ownEnv);
    const mail = env.SMTP_URL ? undefined : await practiceMail(data, ports);
    if (mail) await start('mail box', 'embedded/mail/main.js', mail.ownEnv);

    const shared = {
      DATABASE_URL: databaseUrl,
      EVENT_STORE_URL: eventStoreUrl,
      NODE_ENV: env.NODE_ENV ?? 'production',
    };
    const adminGamerTag = env.ADMIN_GAMER_TAG ?? 'admin';
    const adminPassword = env.ADMIN_PASSWORD ?? data.firstAdminPassword;
    const settings = apiSettings(data, env, host, port, { adminGamerTag, adminPassword });
    const projections = start('projections', 'projections/src/main.js', shared);
    const api = start(
      'api',
      'api/src/main.js',
      { ...shared, ...settings, ...payments?.apiEnv, ...mail?.apiEnv },
      `${url}/api/health`,
    );
    // Each waits for what it needs of the other; side by side they are ready sooner.
    await settledAll([projections, api]);

    await data.lock.annotate(url);
    const pages = { ...(payments && { paymentsUrl: payments.url }), ...(mail && { mailUrl: mail.url }) };
    await noteAddresses(data, { url, databaseUrl, eventStoreUrl, ...pages }, started);
    const partNamed = (name: PartName): Part => {
      const part = parts.get(name);
      if (part === undefined) throw new Error(`the ${name} is not one of ours: a real one is used`);
      return part;
    };
    const application: Application = {
      url,
      databaseUrl,
      eventStoreUrl,
      paymentsUrl: payments?.url,
      mailUrl: mail?.url,
      adminGamerTag,
      adminPassword: data.firstAdminPassword === undefined ? undefined : adminPassword,
      dataFolders: [...new Set([data.path, ...(folder.startsWith(`${data.path}/`) ? [] : [folder])])],
      stop,
      restart: (name) => partNamed(name).restart(),
      kill9: (name) => partNamed(name).kill9(),
    };
    await data.forgetAdminPassword();
    return application;
  } catch (error) {
    await stop();
    throw error;
  }
}

type Start = (name: PartName, script: string, own: Record<string, string>, healthUrl?: string) => Promise<void>;

/** @returns its connection string */
async function ownEventStore(ports: PortClaims, databaseUrl: string, start: Start): Promise<string> {
  const port = await ports.any(LOOPBACK);
  await start('event store', 'embedded/event-store/main.js', {
    EVENT_STORE_PORT: String(port),
    EVENT_STORE_HOST: LOOPBACK,
    EVENT_STORE_DATABASE_URL: databaseUrl,
  });
  return `esdb://${LOOPBACK}:${port}?tls=false`;
}

/** What the api is told besides the addresses of the others. */
function apiSettings(
  data: DataFolder,
  env: Record<string, string>,
  host: string,
  port: number,
  admin: { adminGamerTag: string; adminPassword: string | undefined },
): Record<string, string> {
  return {
    PORT: String(port),
    HOST: host,
    PUBLIC_ORIGIN: env.PUBLIC_ORIGIN ?? ownOrigins(host, port),
    SESSION_SECRET: env.SESSION_SECRET ?? data.sessionSecret,
    ADMIN_GAMER_TAG: admin.adminGamerTag,
    ...(admin.adminPassword !== undefined && { ADMIN_PASSWORD: admin.adminPassword }),
    WEB_ROOT: builtFile('web'),
  };
}

/** Like Promise.all, but fails only when all have come to an end, so that whatever started can be stopped. */
async function settledAll(starts: Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(starts);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

/** In the reverse order of their start. What fails to stop must not keep the others from it. */
async function stopAll(started: { stop(): Promise<void> }[]): Promise<void> {
  const failures: unknown[] = [];
  while (started.length > 0)
    await started
      .pop()
      ?.stop()
      .catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function choosePort({ port }: LaunchOptions, ports: PortClaims, host: string): Promise<number> {
  if (port?.number === 0) return ports.any(host);
  if (port === undefined || !port.exact) return ports.next(port?.number ?? DEFAULT_PORT, host);
  if (await ports.claim(port.number, host)) return port.number;
  throw new Error(`port ${port.number} of ${host} is taken; choose another one by PORT`);
}

/** A browser on this machine may call it by either name. Open to others, empty: the api then takes the host asked for. */
const ownOrigins = (host: string, port: number): string =>
  host === LOOPBACK ? `http://${LOOPBACK}:${port},http://localhost:${port}` : '';

async function databasesFor(
  data: DataFolder,
  env: Record<string, string>,
  say: (line: string) => void,
  started: { stop(): Promise<void> }[],
): Promise<{ databaseUrl: string; eventsDatabaseUrl: string; folder: string }> {
  if (env.DATABASE_URL !== undefined && env.EVENT_STORE_URL !== undefined) {
    return { databaseUrl: env.DATABASE_URL, eventsDatabaseUrl: '', folder: data.path };
  }
  const databases = await startDatabases(
    { dataDir: join(data.path, 'postgres'), logFile: data.logFile('postgres') },
    say,
  );
  started.push(databases);
  return {
    databaseUrl: env.DATABASE_URL ?? databases.url(APPLICATION_DATABASE),
    eventsDatabaseUrl: databases.url(EVENTS_DATABASE),
    folder: databases.folder,
  };
}

/** For the tools that are run beside the application, such as the auditor's command line. */
async function noteAddresses(
  data: DataFolder,
  addresses: Record<string, string>,
  started: { stop(): Promise<void> }[],
): Promise<void> {
  const path = join(data.path, 'running.json');
  await writeFile(path, `${JSON.stringify(addresses, null, 2)}\n`, { mode: 0o600 });
  started.push({ stop: () => rm(path, { force: true }) });
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
