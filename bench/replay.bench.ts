import { quantile } from './closed-loop.js';
import { runScript } from './http/forked.js';
import { measureIdle } from './replay/idle.js';
import { fillLog } from './replay/long-log.js';
import type { ReaderOrder, ReaderResult, Work } from './replay/reader.js';
import { heading, say, whole } from './report.js';
import type { Stores } from './stores.js';

const NAMES = {
  reading: 'reading alone, through EventLog',
  start: 'an api node’s start without a snapshot',
  'start from a snapshot': 'an api node’s start from a snapshot',
  tables: 'catching up of the tables',
  verify: 'audit verify, with tables and snapshot',
} as const satisfies Record<Work, string>;

/** Flags of the application's own processes (embedded/launcher/child-process.ts, event-log/startup.ts). */
const API_FLAGS = ['--max-semi-space-size=64', '--heap-growing-percent=300'];
const ONE_THREAD = '--no-parallel-scavenge';
const FLAGS: Partial<Record<Work, string[]>> = {
  start: API_FLAGS,
  'start from a snapshot': API_FLAGS,
  tables: [...API_FLAGS, ONE_THREAD],
  verify: [ONE_THREAD],
};

/** How fast each reader of the whole log is, next to reading alone; then the application at rest. */
export async function benchReplay(stores: Stores, events: number, rounds: number, idleMs: number): Promise<void> {
  heading(`Readers of a whole log, at least ${whole(events)} events`);
  const store = await stores.startEventStore('bench_replay_events');
  const databases: string[] = [];
  for (let round = 0; round < rounds; round += 1) databases.push(await stores.createDatabase('bench_replay'));
  try {
    const end = await fillLog(store.url, databases, events);
    const readings = new Map<Work, ReaderResult[]>((Object.keys(NAMES) as Work[]).map((work) => [work, []]));
    for (const databaseUrl of databases) {
      for (const [work, done] of readings) {
        const order: ReaderOrder = { work, eventStoreUrl: store.url, databaseUrl, end };
        done.push(await runScript<ReaderResult>('bench/replay/reader.js', order, FLAGS[work]));
      }
    }
    print(readings, end.revision + 1);
  } finally {
    await store.stop();
  }
  await measureIdle(stores.folder, idleMs);
}

function print(readings: Map<Work, ReaderResult[]>, events: number): void {
  const ratesOf = (work: Work) => readings.get(work)!.map(({ tookMs }) => (events * 1_000) / tookMs);
  say(`  ${whole(events)} events; median of ${readings.get('reading')!.length} rounds, lowest and highest`);
  say('  memory: the reader’s highest');
  const alone = quantile(ratesOf('reading'), 0.5);
  for (const [work, done] of readings) {
    const rates = ratesOf(work);
    const middle = quantile(rates, 0.5);
    const range = `(${whole(Math.min(...rates))} to ${whole(Math.max(...rates))})`;
    const seconds = (events / middle).toFixed(1).padStart(8);
    const memory = whole(Math.max(...done.map(({ residentMiB }) => residentMiB)));
    say(
      `  ${NAMES[work].padEnd(42)}${whole(middle).padStart(8)}/s ${range.padEnd(22)}${(middle / alone).toFixed(2)} of reading`,
    );
    say(`  ${''.padEnd(42)}${seconds} s; ${memory} MiB`);
  }
}
