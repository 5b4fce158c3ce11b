import { verify } from '../audit/replay/verify.js';
import { EventLog } from '../event-log/event-log.js';
import type { Effort } from './commands.bench.js';
import { BUY_PATH, runLoad, startBenchApi } from './http/bench-api.js';
import type { LoadMeasurement } from './http/load.js';
import { heading, ms, say, sayMeasurement } from './report.js';
import type { Stores } from './stores.js';

/** Purchases in flight on the busy node. */
const BUSY = 150;
/** Purchases a second on the quiet node. */
const QUIET_PER_SECOND = 10;
const QUIET_CONNECTIONS = 10;

/** Whether a busy node starves another (decision 45): alone, beside ten a second, beside a busy one; then audited. */
export async function benchTwoNodes(stores: Stores, { rounds, roundMs, warmUpMs }: Effort): Promise<void> {
  heading('Two api processes on one log; the loads come from their own processes');
  const a = await startBenchApi(stores, 'two_nodes', { LOG_LEVEL: 'silent' });
  const second = { script: 'api/src/main.js', env: a.env, log: 'second-node', healthPath: '/api/health' };
  const b = await stores.start({ like: 'api', ...second });
  const all = { path: BUY_PATH, buyersFile: a.buyersFile, durationMs: roundMs };
  const load = (port: number, connections: number, perSecond?: number, warmMs = warmUpMs) =>
    runLoad({ ...all, port, connections, perSecond, warmUpMs: warmMs });
  try {
    // Wait until both nodes have compiled their code.
    for (const { port } of [a, b, a, b]) await load(port, BUSY, undefined, 3_000);
    for (let round = 1; round <= rounds; round += 1) {
      const alone = await load(a.port, BUSY);
      const unequal = await Promise.all([load(a.port, BUSY), load(b.port, QUIET_CONNECTIONS, QUIET_PER_SECOND)]);
      const equal = await Promise.all([load(a.port, BUSY / 2), load(b.port, BUSY / 2)]);
      say(`\n  round ${round}`);
      report(alone, unequal, equal);
    }
    const log = new EventLog(a.eventStoreUrl);
    const { findings } = await verify(log, null);
    await log.close();
    if (findings.length > 0) throw new Error(`the auditor found ${findings.length} errors`);
    say('  audit verify: no findings');
  } finally {
    await b.stop();
    await a.stop();
  }
}

type Both = [a: LoadMeasurement, b: LoadMeasurement];

function report(alone: LoadMeasurement, unequal: Both, equal: Both): void {
  const lines: [string, LoadMeasurement][] = [
    [`A alone, ${BUSY} in flight`, alone],
    [`A, ${BUSY} in flight`, unequal[0]],
    [`  B beside it, ${QUIET_PER_SECOND} a second`, unequal[1]],
    [`A, ${BUSY / 2} in flight`, equal[0]],
    [`  B beside it, ${BUSY / 2} in flight`, equal[1]],
  ];
  for (const [name, measured] of lines) {
    sayMeasurement(name, measured);
    if (measured.refused > 0) say(`    of them refused: ${measured.refused}`);
  }
  const [busy, quiet] = unequal;
  const ratio = (quiet.p99Ms / busy.p99Ms).toFixed(2);
  say(`  B’s p99 is ${ratio} times A’s (${ms(quiet.p99Ms)} to ${ms(busy.p99Ms)})`);
  const [withQuiet, withBusy] = [unequal, equal].map(([a, b]) =>
    ((a.perSecond + b.perSecond) / alone.perSecond).toFixed(2),
  );
  say(`  of A’s rate alone: ${withQuiet} with B quiet, ${withBusy} with both busy`);
}
