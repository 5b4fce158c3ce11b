import type { Measured } from './closed-loop.js';
import type { Effort } from './commands.bench.js';
import { bestConnections, compareInTurns } from './comparison.js';
import { BUY_PATH, BUYERS, runLoad, startBareServer, startBenchApi } from './http/bench-api.js';
import type { LoadOrder } from './http/load.js';
import { heading } from './report.js';
import { withSql } from './sql-purchases.js';
import type { Stores } from './stores.js';

/** Requests in flight, one per connection. */
const REQUESTS = 128;
/** Fewer than a batch takes: each purchase is alone, and comes to processes that have been idle. */
const SPARSE_PER_SECOND = 10;
const SQL_CONNECTIONS = [1, 4, 8, 16];
/** Many short rounds: a stall of the machine spoils some of them, and not their median. */
const LONE_ROUNDS = 21;
const LONE_ROUND_MS = 500;
/** About 2,000 purchases of each way, because the first 1,500 after 128 at once take up to twice as long. */
const LONE_WARM_UP_MS = 3_000;

/**
 * Measures POST /api/buy-from-balance against the SQL way behind the same HTTP pipeline, in the same process, and against its
 * floor, a bare server in a process of its own.
 */
export async function benchHttp(stores: Stores, effort: Effort): Promise<void> {
  heading('Purchases over HTTP: sessions, guards, validation; the load comes from its own process');
  const api = await startBenchApi(stores, 'http', { RATE_LIMITS: 'off' });
  const { port, buyersFile, sqlUrl } = api;
  const load = async (path: string, durationMs: number, more: Partial<LoadOrder> = {}): Promise<Measured> => {
    const order = { port, path, buyersFile, connections: REQUESTS, warmUpMs: effort.warmUpMs, durationMs, ...more };
    const { refused, ...measured } = await runLoad(order);
    if (refused > 0) throw new Error(`${refused} answers were not 200`);
    return measured;
  };
  try {
    await load(BUY_PATH, effort.sweepMs);
    const sqlPath = (connections: number) => `/api/bench/buy-by-sql/${connections}`;
    const best = await bestConnections(SQL_CONNECTIONS, (connections) => load(sqlPath(connections), effort.sweepMs));
    const compare = (
      title: string,
      { rounds, roundMs }: Pick<Effort, 'rounds' | 'roundMs'>,
      more: Partial<LoadOrder>,
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
    await compare('1 request at once', { rounds: LONE_ROUNDS, roundMs: LONE_ROUND_MS }, { connections: 1 });
    const sparse = { connections: SPARSE_PER_SECOND, perSecond: SPARSE_PER_SECOND };
    await compare(`${SPARSE_PER_SECOND} requests a second`, effort, sparse);
    await withSql(sqlUrl, 1, (sql) => sql.assertBalanced(BUYERS));
    await compareWithFloor();
  } finally {
    await api.stop();
  }

  async function compareWithFloor(): Promise<void> {
    const bare = await startBareServer(stores);
    try {
      for (const requests of [REQUESTS / 2, REQUESTS]) {
        await compareInTurns(
          `${requests} requests at once against the floor`,
          effort.rounds,
          stores.folder,
          {
            name: 'api: POST /api/buy-from-balance',
            measure: () => load(BUY_PATH, effort.roundMs, { connections: requests }),
          },
          {
            name: 'node:http: JSON and Ledger.execute alone',
            measure: () => load(BUY_PATH, effort.roundMs, { connections: requests, port: bare.port }),
          },
        );
      }
    } finally {
      await bare.stop();
    }
  }
}
