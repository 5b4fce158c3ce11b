import { benchCommands, type Effort } from './commands.bench.js';
import { eventStoreBench } from './event-store.bench.js';
import { benchEventStoreStart } from './event-store-start.bench.js';
import { benchHttp } from './http.bench.js';
import { machineFacts } from './machine.js';
import { benchPlacement } from './placement.bench.js';
import { heading, say } from './report.js';
import { startStores } from './stores.js';

const isQuick = process.argv.includes('--quick');
const only = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const wants = (name: string): boolean => only.length === 0 || only.includes(name);

/** `--events=5000000`: how long a log the event store starts on. */
function eventsNamed(): number | undefined {
  const named = process.argv.find((argument) => argument.startsWith('--events='));
  return named === undefined ? undefined : Number(named.slice('--events='.length));
}

const FULL: Effort = { buyers: 2_000, rounds: 5, roundMs: 4_000, warmUpMs: 1_000, sweepMs: 2_000 };
const QUICK: Effort = { buyers: 2_000, rounds: 3, roundMs: 1_500, warmUpMs: 500, sweepMs: 600 };
const effort = isQuick ? QUICK : FULL;

const stores = await startStores();
const stop = (): Promise<void> => stores.close();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop().finally(() => process.exit(1)));
try {
  heading('Machine');
  for (const fact of machineFacts(stores.folder)) say(`  ${fact}`);
  if (wants('commands')) await benchCommands(stores, effort);
  if (wants('http')) await benchHttp(stores, effort);
  if (wants('placement')) await benchPlacement(isQuick ? 100_000 : 1_000_000);
  if (wants('event-store')) {
    heading('The embedded event store through the official client');
    await eventStoreBench(stores);
  }
  if (wants('start')) await benchEventStoreStart(stores, eventsNamed() ?? (isQuick ? 100_000 : 1_000_000));
} finally {
  await stop();
}
