import { join } from 'node:path';
import { verify } from '../audit/replay/verify.js';
import { builtFile } from '../embedded/launcher/built-files.js';
import { startProcess } from '../embedded/launcher/supervised-process.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { EventLog } from '../event-log/event-log.js';
import type { Effort } from './commands.bench.js';
import { type BenchApi, BUY_PATH, runLoad, startBenchApi } from './http/bench-api.js';
import type { MeasuredLoad } from './http/load.js';
import { heading, ms, say, sayMeasured } from './report.js';
import type { Stores } from './stores.js';

/** Purchases in flight on the busy node. */
const BUSY = 150;
/** Purchases a second on the quiet node. */
const QUIET_PER_SECOND = 10;
const QUIET_CONNECTIONS = 10;

/** Whether a busy node starves another (decision 45): alone, beside ten a second, beside a busy one; then audited. */
export async function benchTwoNodes(stores: Stores, { rounds, roundMs, warmUpMs }: Effort): Promise<void> {
  heading('Two api processes on one log; the loads come from their own processes');
  const a = await startBenchApi(stores, 'two_nodes', { RATE_LIMITS: 'off', LOG_LEVEL: 'silent' });
  const b = await startSecondNode(stores, a);
  const all = { path: BUY_PATH, buyersFile: a.buyersFile, durationMs: roundMs };
  const load = (port: number, connections: number, perSecond?: number, warmMs = warmUpMs) =>
    runLoad({ ...all, port, connections, perSecond, warmUpMs: warmMs });
  try {
    const alone: MeasuredLoad[] = [];
    const unequal: [MeasuredLoad, MeasuredLoad][] = [];
    const equal: [MeasuredLoad, MeasuredLoad][] = [];
    // Wait until both nodes have compiled their code.
    for (const { port } of [a, b, a, b]) await load(port, BUSY, undefined, 3_000);
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await load(a.port, BUSY));
      unequal.push(await Promise.all([load(a.port, BUSY), load(b.port, QUIET_CONNECTIONS, QUIET_PER_SECOND)]));
      equal.push(await Promise.all([load(a.port, BUSY / 2), load(b.port, BUSY / 2)]));
    }
    report(alone, unequal, equal);
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

async function startSecondNode(stores: Stores, { env }: BenchApi) {
  const port = await anyFreePort();
  const node = await startProcess({
    name: 'api',
    script: builtFile('api/src/main.js'),
    env: { ...env, PORT: String(port) },
    logFile: join(stores.folder, 'second-node.log'),
    healthUrl: `http://127.0.0.1:${port}/api/health`,
    notify: console.error,
  });
  return { port, stop: () => node.stop() };
}

function report(
  alone: MeasuredLoad[],
  unequal: [MeasuredLoad, MeasuredLoad][],
  equal: [MeasuredLoad, MeasuredLoad][],
): void {
  for (const [round, single] of alone.entries()) {
    const [busy, quiet] = unequal[round] as [MeasuredLoad, MeasuredLoad];
    const [first, second] = equal[round] as [MeasuredLoad, MeasuredLoad];
    say(`\n  round ${round + 1}`);
    const lines: [string, MeasuredLoad][] = [
      [`A alone, ${BUSY} in flight`, single],
      [`A, ${BUSY} in flight`, busy],
      [`  B beside it, ${QUIET_PER_SECOND} a second`, quiet],
      [`A, ${BUSY / 2} in flight`, first],
      [`  B beside it, ${BUSY / 2} in flight`, second],
    ];
    for (const [name, measured] of lines) {
      sayMeasured(name, measured);
      if (measured.refused > 0) say(`    of them refused: ${measured.refused}`);
    }
    const share = (both: MeasuredLoad[]) => both.reduce((sum, one) => sum + one.perSecond, 0) / single.perSecond;
    const ratio = (quiet.p99Ms / busy.p99Ms).toFixed(2);
    say(`  B’s p99 is ${ratio} times A’s (${ms(quiet.p99Ms)} to ${ms(busy.p99Ms)})`);
    say(
      `  of A’s rate alone: ${share([busy, quiet]).toFixed(2)} with B quiet, ${share([first, second]).toFixed(2)} with both busy`,
    );
  }
}
