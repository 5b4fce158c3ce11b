import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtFile } from '../embedded/launcher/built-files.js';
import { startProcess } from '../embedded/launcher/supervised-process.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import type { Measured } from './closed-loop.js';
import type { Effort } from './commands.bench.js';
import { bestConnections, compareInTurns } from './comparison.js';
import type { LoadOrder, MeasuredLoad } from './http/load.js';
import { heading } from './report.js';
import { withSql } from './sql-purchases.js';
import type { Stores } from './stores.js';

const run = promisify(execFile);
/** Requests in flight, one per connection. */
const REQUESTS = 128;
/** Few enough that each buyer buys again within the two seconds for which the api caches a session. */
const BUYERS = 256;
const SQL_CONNECTIONS = [1, 4, 8, 16];

/** Measures POST /api/buy-from-balance against the SQL way behind the same HTTP pipeline, in the same process. */
export async function benchHttp(stores: Stores, effort: Effort): Promise<void> {
  heading('Purchases over HTTP: sessions, guards, validation; the load comes from its own process');
  const sqlUrl = await stores.createDatabase('bench_http_sql');
  const store = await stores.startEventStore('bench_http_events');
  const port = await anyFreePort();
  const buyersFile = join(stores.folder, 'buyers.json');
  const api = await startProcess({
    name: 'api',
    script: builtFile('bench/http/server.js'),
    env: {
      DATABASE_URL: await stores.createDatabase('bench_http_api'),
      EVENT_STORE_URL: store.url,
      PORT: String(port),
      SESSION_SECRET: 'known to this run alone',
      RATE_LIMITS: 'off',
      NODE_ENV: 'production',
      BENCH_SQL_URL: sqlUrl,
      BENCH_BUYERS: String(BUYERS),
      BENCH_BUYERS_FILE: buyersFile,
    },
    logFile: join(stores.folder, 'api.log'),
    notify: console.error,
  });
  const load = async (path: string, durationMs: number, connections = REQUESTS): Promise<Measured> => {
    const order: LoadOrder = { port, path, buyersFile, connections, warmUpMs: effort.warmUpMs, durationMs };
    const { stdout } = await run(process.execPath, [builtFile('bench/http/load.js'), JSON.stringify(order)]);
    const { refused, ...measured } = JSON.parse(stdout) as MeasuredLoad;
    if (refused > 0) throw new Error(`${refused} answers were not 200`);
    return measured;
  };
  try {
    await load('/api/buy-from-balance', effort.sweepMs);
    const sqlPath = (connections: number) => `/api/bench/buy-by-sql/${connections}`;
    const best = await bestConnections(SQL_CONNECTIONS, (connections) => load(sqlPath(connections), effort.sweepMs));
    for (const requests of [REQUESTS, 1]) {
      await compareInTurns(
        `${requests} request${requests === 1 ? '' : 's'} at once`,
        effort.rounds,
        stores.folder,
        {
          name: 'api: POST /api/buy-from-balance',
          measure: () => load('/api/buy-from-balance', effort.roundMs, requests),
        },
        { name: `SQL: ${best} connections to Postgres`, measure: () => load(sqlPath(best), effort.roundMs, requests) },
      );
    }
    await withSql(sqlUrl, 1, (sql) => sql.assertBalanced(BUYERS));
  } finally {
    await api.stop();
    await store.stop();
  }
}
