import type { Measurement } from './closed-loop.js';
import type { Effort } from './commands.bench.js';
import { bestConnections, compareInTurns } from './comparison.js';
import { type BenchApi, BUY_PATH, BUYERS, runLoad, startBenchApi } from './http/bench-api.js';
import type { LoadOptions } from './http/load.js';
import { heading } from './report.js';
import { withSql } from './sql-purchases.js';
import type { Stores } from './stores.js';

/** Requests in flight, one per connection. */
const REQUESTS = 128;
/** Fewer than a batch takes: each purchase is alone, and comes to processes that have been idle. */
const SPARSE_PER_SECOND = 10;
const SQL_CONNECTIONS = [1, 4, 8, 16];
/** Many short rounds: a stall of the machine spoils some of them, and not their median. */
const LONE = { rounds: 21, roundMs: 500 };
const AGAINST_FLOOR = { rounds: 9, roundMs: 1_000 };
/** About 2,000 purchases of each way: before them V8 has not compiled the work that an append does once for all its purchases. */
const LONE_WARM_UP_MS = 3_000;

/** POST /api/buy-from-balance against SQL behind the same pipeline, and then against a bare server, its floor. */
export async function benchHttp(stores: Stores, effort: Effort): Promise<void> {
  heading('Purchases over HTTP: sessions, guards, validation; the load comes from its own process');
  await compareWithSql(stores, effort);
  await compareWithFloor(stores, effort);
}

async function compareWithSql(stores: Stores, effort: Effort): Promise<void> {
  const api = await startBenchApi(stores, 'http');
  try {
    const load = loadOf(api, effort);
    await load(BUY_PATH, effort.sweepMs);
    const sqlPath = (connections: number) => `/api/bench/buy-by-sql/${connections}`;
    const best = await bestConnections(SQL_CONNECTIONS, (connections) => load(sqlPath(connections), effort.sweepMs));
    const compare = (
      title: string,
      { rounds, roundMs }: Pick<Effort, 'rounds' | 'roundMs'>,
      more: Partial<LoadOptions>,
    ) =>
      compareInTurns(
        title,
        rounds,
        stores.folder,
        { name: 'api: POST /api/buy-from-balance', measure: () => load(BUY_PATH, roundMs, more) },
        { name: `SQL: ${best} connections to Postgres`, measure: () => load(sqlPath(best), roundMs, more) },
      );
    await compare(`${REQUESTS} requests at once`, effort, {});
    for (const path of [BUY_PATH, sqlPath(best)]) await load(path, LONE_WARM_UP_MS, { connections: 1 });
    await compare('1 request at once', LONE, { connections: 1 });
    const sparse = { connections: SPARSE_PER_SECOND, perSecond: SPARSE_PER_SECOND };
    await compare(`${SPARSE_PER_SECOND} requests a second`, effort, sparse);
    await withSql(api.sqlUrl, 1, (sql) => sql.assertBalanced(BUYERS));
  } finally {
    await api.stop();
  }
}

/** Both servers are fresh: the SQL way in the api's process, and a log that is longer by minutes, would count against the api alone. */
async function compareWithFloor(stores: Stores, effort: Effort): Promise<void> {
  const api = await startBenchApi(stores, 'floor');
  const store = await stores.startEventStore('bench_bare_events');
  const env = { EVENT_STORE_URL: store.url, BENCH_BUYERS: String(BUYERS) };
  const bare = await stores.start({ like: 'api', script: 'bench/http/bare-server.js', env, log: 'bare' });
  try {
    const load = loadOf(api, effort);
    for (const { port } of [api, bare]) await load(BUY_PATH, effort.sweepMs, { port });
    for (const connections of [REQUESTS / 2, REQUESTS]) {
      const measure = (port: number) => () => load(BUY_PATH, AGAINST_FLOOR.roundMs, { connections, port });
      await compareInTurns(
        `${connections} requests at once against the floor`,
        AGAINST_FLOOR.rounds,
        stores.folder,
        { name: 'api: POST /api/buy-from-balance', measure: measure(api.port) },
        { name: 'node:http: JSON and Ledger.execute alone', measure: measure(bare.port) },
      );
    }
  } finally {
    await bare.stop();
    await store.stop();
    await api.stop();
  }
}

const loadOf =
  ({ port, buyersFile }: BenchApi, { warmUpMs }: Effort) =>
  async (path: string, durationMs: number, more: Partial<LoadOptions> = {}): Promise<Measurement> => {
    const options = { port, path, buyersFile, connections: REQUESTS, warmUpMs, durationMs };
    const { refused, ...measured } = await runLoad({ ...options, ...more });
    if (refused > 0) throw new Error(`${refused} responses were not 200`);
    return measured;
  };
