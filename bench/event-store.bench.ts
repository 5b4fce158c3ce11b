import { randomUUID } from 'node:crypto';
import { type EventStoreDBClient, START } from '@eventstore/db-client';
import { Client } from 'pg';
import { EventLog } from '../event-log/event-log.js';
import type { NewEvent } from '../event-log/event-log.types.js';
import { openFastClient } from '../event-log/fast-client.js';
import { EVENTS_AHEAD } from '../event-log/reads.js';
import { quantile } from './closed-loop.js';
import { say, whole } from './report.js';
import type { Stores } from './stores.js';

/** Makes an event as large as one of the ledger. */
const TEXT = 'x'.repeat(560);
const RAW_ROWS = 40_000;
const RAW_INSERT_ROWS = 1_000;
const READ_LIMIT = 150_000;
const LIVE_EVENTS_PER_S = 5_000;
const LIVE_S = 4;
/** The first round is the warm-up; its figures are not printed. */
const ROUNDS = 4;

/** A figure of a round. `raw` is raw Postgres' figure of the same round, for the ratio. */
interface Figure {
  name: string;
  unit: 'events/s' | 'ms';
  value: number;
  raw?: number;
}

/**
 * Measures the embedded event store through `EventLog`, which appends, and the official client, which reads,
 * against raw multi-row inserts and reads of the same bytes on the same Postgres in the same round. As in the application, the event store runs in its own process, and the client has
 * the shortcuts and the read-ahead of event-log/.
 */
export async function eventStoreBench(stores: Stores): Promise<void> {
  const raw = new Client({ connectionString: await stores.createDatabase('bench_raw') });
  await raw.connect();
  await raw.query('CREATE TABLE raw_events (position bigint PRIMARY KEY, stream uuid, revision bigint, data bytea)');
  await raw.query('CREATE UNIQUE INDEX ON raw_events (stream, revision)');
  const store = await stores.startEventStore('bench_event_store');
  const client = openFastClient(store.url);
  const log = new EventLog(store.url);
  try {
    const rounds: Figure[][] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(raw, log, client, round));
    print(rounds.slice(1));
  } finally {
    await log.close();
    await client.dispose();
    await store.stop();
    await raw.end();
  }
}

async function measure(raw: Client, log: EventLog, client: EventStoreDBClient, round: number): Promise<Figure[]> {
  // After a checkpoint Postgres reuses its log files instead of creating new ones, as it does after its first minutes.
  await raw.query('CHECKPOINT');
  const { inserts, reads } = await measureRaw(raw);
  const rate = (name: string, value: number, raw?: number): Figure => ({ name, unit: 'events/s', value, raw });
  const figures = [
    rate('raw inserts of 1,000 rows', inserts),
    rate('raw reads', reads),
    rate('appends of 1, 64 in flight', await appendMany(log, `single-${round}`, 20_000, 1, 64)),
    rate('appends of 100, 8 in flight', await appendMany(log, `hundreds-${round}`, 40_000, 100, 8), inserts),
  ];
  const thousandsMs: number[] = [];
  const thousands = await appendMany(log, `thousands-${round}`, 30_000, 1_000, 1, thousandsMs);
  figures.push(rate('appends of 1,000, one at a time', thousands, inserts));
  figures.push({ name: 'append of 1,000, median', unit: 'ms', value: quantile(thousandsMs, 0.5) });
  figures.push(rate('reading $all', await readAll(client), reads));
  figures.push(rate('catching up on $all', await catchUp(client), reads));
  const deliveryMs = await liveDelivery(log, client, `live-${round}`);
  figures.push({ name: 'append to delivery, p50', unit: 'ms', value: quantile(deliveryMs, 0.5) });
  figures.push({ name: 'append to delivery, p99', unit: 'ms', value: quantile(deliveryMs, 0.99) });
  return figures;
}

function event(): NewEvent {
  return {
    id: randomUUID(),
    event: { type: 'TokenPurchased', data: { purchaseId: randomUUID(), costCents: 500, text: TEXT } },
    metadata: { commandId: randomUUID(), schema: 1 },
  } as unknown as NewEvent;
}

function events(count: number): NewEvent[] {
  return Array.from({ length: count }, event);
}

async function measureRaw(connection: Client): Promise<{ inserts: number; reads: number }> {
  await connection.query('TRUNCATE raw_events');
  const tuples = Array.from({ length: RAW_INSERT_ROWS }, (_, row) => {
    const first = row * 4;
    return `($${first + 1}, $${first + 2}, $${first + 3}, $${first + 4})`;
  });
  const text = `INSERT INTO raw_events VALUES ${tuples.join(', ')}`;
  const stream = randomUUID();
  const data = Buffer.from(JSON.stringify(event()));
  const startedMs = performance.now();
  for (let first = 0; first < RAW_ROWS; first += RAW_INSERT_ROWS) {
    const values: unknown[] = [];
    for (let at = first; at < first + RAW_INSERT_ROWS; at++) values.push(at, stream, at, data);
    await connection.query({ name: 'raw-insert', text, values });
  }
  const inserts = perSecond(RAW_ROWS, startedMs);
  const readStartedMs = performance.now();
  for (let first = 0; first < RAW_ROWS; first += RAW_INSERT_ROWS) {
    const values = [first, RAW_INSERT_ROWS];
    await connection.query('SELECT * FROM raw_events WHERE position >= $1 ORDER BY position LIMIT $2', values);
  }
  const reads = perSecond(RAW_ROWS, readStartedMs);
  return { inserts, reads };
}

/** Appends batches to one stream per append in flight. Returns events per second; adds each append's time to `tookMs`. */
async function appendMany(
  log: EventLog,
  prefix: string,
  total: number,
  batch: number,
  inFlight: number,
  tookMs: number[] = [],
): Promise<number> {
  const batches = Array.from({ length: total / batch }, () => events(batch));
  const startedMs = performance.now();
  const worker = async (index: number) => {
    let expected = -1;
    for (let next = batches.pop(); next !== undefined; next = batches.pop()) {
      const before = performance.now();
      const appended = await log.append(`${prefix}-${index}`, next, expected);
      tookMs.push(performance.now() - before);
      expected = appended.revision;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, index) => worker(index)));
  return perSecond(total, startedMs);
}

async function readAll(client: EventStoreDBClient): Promise<number> {
  const startedMs = performance.now();
  let count = 0;
  for await (const _ of client.readAll({ maxCount: READ_LIMIT }, EVENTS_AHEAD)) count++;
  return perSecond(count, startedMs);
}

async function catchUp(client: EventStoreDBClient): Promise<number> {
  const startedMs = performance.now();
  let count = 0;
  const subscription = client.subscribeToAll({ fromPosition: START }, EVENTS_AHEAD).on('data', () => count++);
  await new Promise((resolve) => subscription.on('caughtUp', resolve));
  const rate = perSecond(count, startedMs);
  await subscription.unsubscribe();
  return rate;
}

/** Appends small batches at an even pace. Returns the time of each event from before its append to its delivery, ms. */
async function liveDelivery(log: EventLog, client: EventStoreDBClient, prefix: string): Promise<number[]> {
  const sentMs = new Map<string, number>();
  const tookMs: number[] = [];
  const subscription = client.subscribeToAll({ fromPosition: 'end' }).on('data', ({ event: recorded }) => {
    tookMs.push(performance.now() - sentMs.get(recorded!.id)!);
  });
  await new Promise((resolve) => subscription.on('caughtUp', resolve));
  const batch = 10;
  const total = LIVE_EVENTS_PER_S * LIVE_S;
  const appends: Promise<unknown>[] = [];
  const startedMs = performance.now();
  for (let sent = 0; sent < total; ) {
    const due = ((performance.now() - startedMs) / 1_000) * LIVE_EVENTS_PER_S;
    for (; sent < due && sent < total; sent += batch) {
      const next = events(batch);
      for (const { id } of next) sentMs.set(id, performance.now());
      appends.push(log.append(`${prefix}-${sent / batch}`, next, -1));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(appends);
  while (tookMs.length < total) await new Promise((resolve) => setTimeout(resolve, 5));
  await subscription.unsubscribe();
  return tookMs;
}

function perSecond(count: number, startedMs: number): number {
  return count / ((performance.now() - startedMs) / 1_000);
}

function print(rounds: Figure[][]): void {
  const shown = (value: number): string => (value >= 100 ? whole(value) : value.toFixed(1));
  say(`  median of ${rounds.length} rounds, in brackets the lowest and the highest`);
  for (const [index, { name, unit, raw }] of rounds[0]!.entries()) {
    const values = rounds.map((figures) => figures[index]!.value);
    const [lowest, middle, highest] = [0, 0.5, 1].map((share) => quantile(values, share)) as [number, number, number];
    const rawMiddle = quantile(
      rounds.map((figures) => figures[index]!.raw ?? 0),
      0.5,
    );
    const ratio = raw === undefined ? '' : `${(middle / rawMiddle).toFixed(2)} of raw`;
    const range = `(${shown(lowest)} to ${shown(highest)})`;
    say(`  ${name.padEnd(34)}${shown(middle).padStart(8)} ${unit.padEnd(9)}${range.padEnd(21)}${ratio}`);
  }
}
