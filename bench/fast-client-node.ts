import { EventLog } from '../event-log/event-log.js';
import type { Shortcut } from '../event-log/fast-client/fast-client.js';
import { byLedger, openLedger, replayed } from './commands.bench.js';
import { scenarioOf } from './scenario.js';

/** Arguments of a benchmark node for the client's shortcuts. Each node has its own process, so that CPU times stay apart. */
export interface NodeArguments {
  url: string;
  shortcuts: readonly Shortcut[];
}

export type Work = 'purchases' | 'replay';

/** Average cost of one purchase, or of one event of a replay, in a round. */
export interface Cost {
  cpuUs: number;
  wallUs: number;
}

const BUYERS = 200;
const PURCHASES_PER_BUYER = 10;
const REPLAYED_EVENTS = 10_000;

const { url, shortcuts } = JSON.parse(process.argv[2] as string) as NodeArguments;
const scenario = scenarioOf('admin0000000', BUYERS);
const log = new EventLog(url, undefined, shortcuts);
const ledger = await openLedger(log, scenario);

process.on('disconnect', () => process.exit());
process.on(
  'message',
  (work: Work) => void measure(work === 'purchases' ? buy : replay).then((cost) => process.send?.(cost)),
);
process.send?.('ready');

/** @param work returns the number of its purchases or events */
async function measure(work: () => Promise<number>): Promise<Cost> {
  const cpuBefore = process.cpuUsage();
  const from = performance.now();
  const count = await work();
  const wallUs = ((performance.now() - from) * 1_000) / count;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpuUs: (user + system) / count, wallUs };
}

async function buy(): Promise<number> {
  const buyOne = byLedger(ledger, scenario);
  const buying = scenario.buyers.map(async (_, buyer) => {
    for (let count = 0; count < PURCHASES_PER_BUYER; count += 1) await buyOne(buyer);
  });
  await Promise.all(buying);
  return BUYERS * PURCHASES_PER_BUYER;
}

const replay = async (): Promise<number> => (await replayed(log, REPLAYED_EVENTS)).revision + 1;
