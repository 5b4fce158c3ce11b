import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtFile } from '../../embedded/launcher/built-files.js';
import { startProcess } from '../../embedded/launcher/supervised-process.js';
import { anyFreePort } from '../../embedded/postgres/free-port.js';
import type { Stores } from '../stores.js';
import type { LoadOptions, MeasuredLoad } from './load.js';

const run = promisify(execFile);

export const BUYERS = 256;
export const BUY_PATH = '/api/buy-from-balance';

export interface BenchApi {
  port: number;
  /** The environment of a further process of the same application; it lacks PORT. */
  env: Record<string, string>;
  eventStoreUrl: string;
  /** Holds a `Buyer[]` as JSON. */
  buyersFile: string;
  /** The URL of the SQL way's database. */
  sqlUrl: string;
  stop(): Promise<void>;
}

/** @param name of the databases and the log file */
export async function startBenchApi(stores: Stores, name: string, more: Record<string, string>): Promise<BenchApi> {
  const store = await stores.startEventStore(`bench_${name}_events`);
  const sqlUrl = await stores.createDatabase(`bench_${name}_sql`);
  const buyersFile = join(stores.folder, `${name}-buyers.json`);
  const port = await anyFreePort();
  const env = {
    DATABASE_URL: await stores.createDatabase(`bench_${name}_api`),
    EVENT_STORE_URL: store.url,
    SESSION_SECRET: 'known to this run alone',
    NODE_ENV: 'production',
    ...more,
  };
  const api = await startProcess({
    name: 'api',
    script: builtFile('bench/http/server.js'),
    env: {
      ...env,
      PORT: String(port),
      BENCH_SQL_URL: sqlUrl,
      BENCH_BUYERS: String(BUYERS),
      BENCH_BUYERS_FILE: buyersFile,
    },
    logFile: join(stores.folder, `${name}.log`),
    notify: console.error,
  });
  const stop = async () => {
    await api.stop();
    await store.stop();
  };
  return { port, env, eventStoreUrl: store.url, buyersFile, sqlUrl, stop };
}

/** Starts the floor of a purchase over HTTP: a bare `node:http` server with a ledger and an event store of its own. */
export async function startBareServer(stores: Stores): Promise<{ port: number; stop(): Promise<void> }> {
  const store = await stores.startEventStore('bench_bare_events');
  const port = await anyFreePort();
  const server = await startProcess({
    // Started like the api, so that both get the same flags of Node.
    name: 'api',
    script: builtFile('bench/http/bare-server.js'),
    env: { PORT: String(port), EVENT_STORE_URL: store.url, BENCH_BUYERS: String(BUYERS) },
    logFile: join(stores.folder, 'bare.log'),
    notify: console.error,
  });
  const stop = async () => {
    await server.stop();
    await store.stop();
  };
  return { port, stop };
}

export async function runLoad(options: LoadOptions): Promise<MeasuredLoad> {
  const { stdout } = await run(process.execPath, [builtFile('bench/http/load.js'), JSON.stringify(options)]);
  return JSON.parse(stdout) as MeasuredLoad;
}
