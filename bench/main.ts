import { parseArgs } from 'node:util';
import { disablePretenuring } from '../event-log/startup.js';
import { benchCommands, type Effort } from './commands.bench.js';
import { benchHttp } from './http.bench.js';
import { machineFacts } from './machine.js';
import { benchReplay } from './replay.bench.js';
import { heading, say } from './report.js';
import { benchSoak } from './soak.bench.js';
import { benchCrowd, benchSockets } from './sockets.bench.js';
import { startStores } from './stores.js';
import { benchTwoNodes } from './two-nodes.bench.js';

const text = { type: 'string' } as const;
const options = { quick: { type: 'boolean' }, events: text, minutes: text } as const;
const { values, positionals: only } = parseArgs({ options, allowPositionals: true });
const isQuick = values.quick === true;
const wants = (name: string): boolean => only.length === 0 || only.includes(name);

const FULL: Effort = { buyers: 2_000, rounds: 5, roundMs: 4_000, warmUpMs: 1_000, sweepMs: 2_000 };
const QUICK: Effort = { buyers: 2_000, rounds: 3, roundMs: 1_500, warmUpMs: 500, sweepMs: 600 };
const effort = isQuick ? QUICK : FULL;

// The api does so too; its work runs in this process in some parts.
disablePretenuring();
const stores = await startStores();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stores.close().finally(() => process.exit(1)));
try {
  heading('Machine');
  for (const fact of machineFacts(stores.folder)) say(`  ${fact}`);
  if (wants('commands')) await benchCommands(stores, effort);
  if (wants('http')) await benchHttp(stores, effort);
  if (wants('two-nodes')) await benchTwoNodes(stores, effort);
  if (wants('sockets')) await benchSockets(stores, effort);
  if (wants('crowd')) await benchCrowd(stores, isQuick ? 1 : 3);
  if (only.includes('soak')) await benchSoak(stores, Number(values.minutes ?? 60));
  if (wants('replay')) {
    const events = Number(values.events ?? (isQuick ? 100_000 : 1_000_000));
    await benchReplay(stores, events, 3, 60_000);
  }
} finally {
  await stores.close();
}
