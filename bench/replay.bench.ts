import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { builtFile } from '../embedded/launcher/built-files.js';
import { quantile } from './closed-loop.js';
import { measureIdle } from './replay/idle.js';
import { fillLog, type LogEnd } from './replay/long-log.js';
import type { ReaderOrder, Reading, Work } from './replay/reader.js';
import { heading, say, whole } from './report.js';
import type { Stores } from './stores.js';

const run = promisify(execFile);

interface Figure {
  perSecond: number;
  tookMs: number;
  residentMiB: number;
}

const NAMES = {
  reading: 'reading alone, through EventLog',
  start: 'an api node’s start without a snapshot',
  'start from a snapshot': 'an api node’s start from a snapshot',
  tables: 'catching up of the tables',
  verify: 'audit verify, with tables and snapshot',
} as const satisfies Record<Work, string>;

/** Flags of the application's own processes (embedded/launcher/supervised-process.ts, event-log/startup.ts). */
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
    const figures = new Map<Work, Figure[]>((Object.keys(NAMES) as Work[]).map((name) => [name, []]));
    for (const databaseUrl of databases) {
      for (const [name, measured] of figures) {
        measured.push(await figureOf(end, { work: name, eventStoreUrl: store.url, databaseUrl, end }));
      }
    }
    print(figures, end);
  } finally {
    await store.stop();
  }
  await measureIdle(stores.folder, idleMs);
}

async function figureOf({ revision }: LogEnd, order: ReaderOrder): Promise<Figure> {
  const { tookMs, residentMiB } = await read(order);
  return { perSecond: ((revision + 1) * 1_000) / tookMs, tookMs, residentMiB };
}

async function read(order: ReaderOrder): Promise<Reading> {
  const script = builtFile('bench/replay/reader.js');
  const { stdout } = await run(process.execPath, [...(FLAGS[order.work] ?? []), script, JSON.stringify(order)]);
  return JSON.parse(stdout) as Reading;
}

function print(figures: Map<Work, Figure[]>, { revision }: LogEnd): void {
  const values = (name: Work, by: keyof Figure): number[] => figures.get(name)!.map((one) => one[by]);
  const middle = (name: Work, by: keyof Figure): number => quantile(values(name, by), 0.5);
  say(`  ${whole(revision + 1)} events; median of ${figures.get('reading')!.length} rounds, lowest and highest`);
  say('  memory: the reader’s highest');
  for (const [name, title] of Object.entries(NAMES) as [Work, string][]) {
    const rates = values(name, 'perSecond');
    const range = `(${whole(Math.min(...rates))} to ${whole(Math.max(...rates))})`;
    const share = `${(middle(name, 'perSecond') / middle('reading', 'perSecond')).toFixed(2)} of reading`;
    say(`  ${title.padEnd(42)}${whole(middle(name, 'perSecond')).padStart(8)}/s ${range.padEnd(22)}${share}`);
    say(
      `  ${''.padEnd(42)}${(middle(name, 'tookMs') / 1_000).toFixed(1).padStart(8)} s; ${whole(Math.max(...values(name, 'residentMiB')))} MiB`,
    );
  }
}
