import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtFile } from '../embedded/launcher/built-files.js';
import { startPart } from '../embedded/launcher/part.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { type Measured, medianRound } from './closed-loop.js';
import type { Effort } from './commands.bench.js';
import type { LoadOrder } from './http/load.js';
import { diskPaceMs } from './machine.js';
import { heading, say, sayMeasured, sayPaces, sayRatios, whole } from './report.js';
import { SqlPurchases } from './sql-purchases.js';
import type { Stores } from './stores.js';

const run = promisify(execFile);
const CONNECTIONS = 128;
/** Few enough that each comes back within the two seconds that the api remembers a session, on either way. */
const BUYERS = 256;
const SQL_CLIENTS = [1, 4, 8, 16];

/** Purchases over HTTP: POST /api/buy-from-balance against the SQL way behind the same pipeline of the same process. */
export async function benchHttp(stores: Stores, effort: Effort): Promise<void> {
  heading('Purchases over HTTP: sessions, guards, validation; the load comes from a process of its own');
  const sqlUrl = await stores.createDatabase('bench_http_sql');
  const store = await stores.startEventStore('bench_http_events');
  const port = await anyFreePort();
  const buyersFile = join(stores.folder, 'buyers.json');
  const api = await startPart({
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
    say: console.error,
  });
  const load = async (path: string, durationMs: number, connections = CONNECTIONS): Promise<Measured> => {
    const order: LoadOrder = { port, path, buyersFile, connections, warmUpMs: effort.warmUpMs, durationMs };
    const { stdout } = await run(process.execPath, [builtFile('bench/http/load.js'), JSON.stringify(order)]);
    return JSON.parse(stdout) as Measured;
  };
  try {
    await load('/api/buy-from-balance', effort.sweepMs);
    say('  the SQL way by its number of connections to Postgres:');
    let best = { path: '', clients: 0, perSecond: 0 };
    for (const clients of SQL_CLIENTS) {
      const path = `/api/bench/buy-by-sql/${clients}`;
      const measured = await load(path, effort.sweepMs);
      sayMeasured(`  ${clients} connections`, measured);
      if (measured.perSecond > best.perSecond) best = { path, clients, perSecond: measured.perSecond };
    }
    for (const connections of [CONNECTIONS, 1]) {
      const ours: Measured[] = [];
      const theirs: Measured[] = [];
      const pacesMs: number[] = [];
      for (let round = 0; round < effort.rounds; round += 1) {
        pacesMs.push(diskPaceMs(stores.folder));
        ours.push(await load('/api/buy-from-balance', effort.roundMs, connections));
        theirs.push(await load(best.path, effort.roundMs, connections));
      }
      say(
        `\n  ${whole(connections)} request${connections === 1 ? '' : 's'} at once, median of ${effort.rounds} rounds`,
      );
      const [our, their] = [medianRound(ours), medianRound(theirs)];
      sayMeasured('ours: POST /api/buy-from-balance', our);
      sayMeasured(`SQL: ${best.clients} connections to Postgres`, their);
      sayRatios(our, their);
      sayPaces(pacesMs);
    }
    await assertBalanced(sqlUrl);
  } finally {
    await api.stop();
    await store.stop();
  }
}

async function assertBalanced(sqlUrl: string): Promise<void> {
  const sql = new SqlPurchases(sqlUrl, 1);
  const { purchases } = await sql.assertBalanced(BUYERS);
  await sql.close();
  say(`  every cent accounted for after ${whole(purchases)} purchases by SQL`);
}
