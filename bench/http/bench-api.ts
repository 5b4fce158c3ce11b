import { join } from 'node:path';
import type { Stores } from '../stores.js';
import { runScript } from './forked.js';
import type { LoadMeasurement, LoadOptions } from './load.js';

export const BUYERS = 256;
export const BUY_PATH = '/api/buy-from-balance';

export type BenchApi = Awaited<ReturnType<typeof startBenchApi>>;

/** @param name of the databases and the log file */
export async function startBenchApi(stores: Stores, name: string, more: Record<string, string> = {}) {
  const store = await stores.startEventStore(`bench_${name}_events`);
  const sqlUrl = await stores.createDatabase(`bench_${name}_sql`);
  const buyersFile = join(stores.folder, `${name}-buyers.json`);
  const env = {
    DATABASE_URL: await stores.createDatabase(`bench_${name}_api`),
    EVENT_STORE_URL: store.url,
    SESSION_SECRET: 'known to this run alone',
    NODE_ENV: 'production',
    RATE_LIMITS: 'off',
    ...more,
  };
  const own = { BENCH_SQL_URL: sqlUrl, BENCH_BUYERS: String(BUYERS), BENCH_BUYERS_FILE: buyersFile };
  const api = await stores.start({ like: 'api', script: 'bench/http/server.js', env: { ...env, ...own }, log: name });
  return {
    port: api.port,
    /** The environment of a further process of the same application. */
    env,
    eventStoreUrl: store.url,
    /** Holds a `Buyer[]` as JSON. */
    buyersFile,
    /** The URL of the SQL way's database. */
    sqlUrl,
    /** The response of one of the bench's own routes. */
    ask: async <Result>(what: 'commits' | 'memory') =>
      (await (await fetch(`http://127.0.0.1:${api.port}/api/bench/${what}`)).json()) as Result,
    async stop() {
      await api.stop();
      await store.stop();
    },
  };
}

export const runLoad = (options: LoadOptions): Promise<LoadMeasurement> => runScript('bench/http/load.js', options);
