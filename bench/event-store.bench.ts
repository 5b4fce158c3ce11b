import { randomUUID } from 'node:crypto';
import { type AppendResult, type EventData, type EventStoreDBClient, jsonEvent, START } from '@eventstore/db-client';
import { Client } from 'pg';
import { EVENTS_AHEAD, openEventStore } from '../event-log/event-store-client.js';
import { quantile } from './closed-loop.js';
import { say, whole } from './report.js';
import type { Stores } from './stores.js';

/** An event as large as the ledger's. */
const TEXT = 'x'.repeat(560);
const RAW_ROWS = 40_000;
const RAW_INSERT_ROWS = 1_000;
const SMALL_BATCH = 100;
const LARGE_BATCH = 1_000;
const READ_LIMIT = 150_000;
const LIVE_EVENTS_PER_S = 5_000;
const LIVE_S = 4;
/** The first of them is the warm-up, whose figures nobody sees. */
const ROUNDS = 4;

/** What one round measured; with a raw measure a figure is also shown as a share of that. */
type Round = Record<string, number>;
const UNITS = { perSecond: 'events/s', ms: 'ms' };
const ROWS: { name: string; measure: string; unit: string; ofRaw?: string }[] = [
  { name: 'raw inserts of 1,000 rows', measure: 'rawInserts', unit: UNITS.perSecond },
  { name: 'raw reads', measure: 'rawReads', unit: UNITS.perSecond },
  { name: 'appends of 1, 64 in flight', measure: 'singles', unit: UNITS.perSecond },
  { name: 'appends of 100, 8 in flight', measure: 'hundreds', unit: UNITS.perSecond, ofRaw: 'rawInserts' },
  { name: 'appends of 1,000, one at a time', measure: 'thousands', unit: UNITS.perSecond, ofRaw: 'rawInserts' },
  { name: 'append of 1,000, median', measure: 'thousandMs', unit: UNITS.ms },
  { name: 'reading $all', measure: 'reading', unit: UNITS.perSecond, ofRaw: 'rawReads' },
  { name: 'catching up on $all', measure: 'catchingUp', unit: UNITS.perSecond, ofRaw: 'rawReads' },
  { name: 'append to delivery, p50', measure: 'deliveryP50', unit: UNITS.ms },
  { name: 'append to delivery, p99', measure: 'deliveryP99', unit: UNITS.ms },
];

/**
 * Measures the embedded event store through the official client, against raw multi-row inserts and reads of the same
 * bytes on the same Postgres in the same round. As in the application, the event store is a process of its own, and the
 * client has the shortcuts of event-log/ and reads as far ahead.
 */
export async function eventStoreBench(stores: Stores): Promise<void> {
  const raw = new Client({ connectionString: await stores.createDatabase('bench_raw') });
  await raw.connect();
  await raw.query('CREATE TABLE raw_events (position bigint PRIMARY KEY, stream uuid, revision bigint, data bytea)');
  await raw.query('CREATE UNIQUE INDEX ON raw_events (stream, revision)');
  const store = await stores.startEventStore('bench_event_store');
  const client = openEventStore(store.url);
  try {
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(raw, client, round));
    print(rounds.slice(1));
  } finally {
    await client.dispose();
    await store.stop();
    await raw.end();
  }
}

async function measure(raw: Client, client: EventStoreDBClient, round: number): Promise<Round> {
  // Then it writes over the log files it no longer needs, as it does from its first minutes on, and makes no new ones.
  await raw.query('CHECKPOINT');
  const { inserts: rawInserts, reads: rawReads } = await measureRaw(raw);
  const singles = await appendMany(client, `single-${round}`, 20_000, 1, 64);
  const hundreds = await appendMany(client, `hundreds-${round}`, 40_000, SMALL_BATCH, 8);
  const thousands = await appendLarge(client, `thousands-${round}`, 30);
  const reading = await readAll(client);
  const catchingUp = await catchUp(client);
  const live = await liveDelivery(client, `live-${round}`);
  return {
    rawInserts,
    rawReads,
    singles,
    hundreds,
    thousands: thousands.perSecond,
    thousandMs: thousands.medianMs,
    reading,
    catchingUp,
    deliveryP50: live.p50Ms,
    deliveryP99: live.p99Ms,
  };
}

function event(): EventData {
  return jsonEvent({
    type: 'TokenPurchased',
    data: { purchaseId: randomUUID(), costCents: 500, text: TEXT },
    metadata: { commandId: randomUUID(), schema: 1 },
  });
}

function events(count: number): EventData[] {
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

async function appendMany(client: EventStoreDBClient, prefix: string, total: number, batch: number, inFlight: number) {
  const batches = Array.from({ length: total / batch }, () => events(batch));
  const startedMs = performance.now();
  const worker = async (index: number) => {
    for (let next = batches.pop(); next !== undefined; next = batches.pop()) {
      await client.appendToStream(`${prefix}-${index}`, next);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, index) => worker(index)));
  return perSecond(total, startedMs);
}

async function appendLarge(client: EventStoreDBClient, stream: string, rounds: number) {
  const batches = Array.from({ length: rounds }, () => events(LARGE_BATCH));
  const tookMs: number[] = [];
  let revision: bigint | 'no_stream' = 'no_stream';
  const startedMs = performance.now();
  for (const batch of batches) {
    const before = performance.now();
    const result: AppendResult = await client.appendToStream(stream, batch, { expectedRevision: revision });
    revision = result.nextExpectedRevision;
    tookMs.push(performance.now() - before);
  }
  return { perSecond: perSecond(rounds * LARGE_BATCH, startedMs), medianMs: quantileOf(tookMs, 0.5) };
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

/** Appends at an even pace, in small batches, and times each event from before its append to its delivery. */
async function liveDelivery(client: EventStoreDBClient, prefix: string) {
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
      appends.push(client.appendToStream(`${prefix}-${(sent / batch) % 10}`, next));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(appends);
  while (tookMs.length < total) await new Promise((resolve) => setTimeout(resolve, 5));
  await subscription.unsubscribe();
  return { p50Ms: quantileOf(tookMs, 0.5), p99Ms: quantileOf(tookMs, 0.99) };
}

function perSecond(count: number, startedMs: number): number {
  return count / ((performance.now() - startedMs) / 1_000);
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

const quantileOf = (values: readonly number[], share: number): number => quantile(sorted(values), share);

function print(rounds: Round[]): void {
  const shown = (value: number): string => (value >= 100 ? whole(value) : value.toFixed(1));
  const of = (measure: string): number[] => sorted(rounds.map((round) => round[measure]!));
  const middle = (measure: string): number => quantile(of(measure), 0.5);
  say(`  the middle of ${rounds.length} rounds, and in brackets the lowest and the highest`);
  for (const { name, measure, unit, ofRaw } of ROWS) {
    const values = of(measure);
    const range = `(${shown(values[0]!)} to ${shown(values.at(-1)!)})`;
    const ratio = ofRaw === undefined ? '' : `${(middle(measure) / middle(ofRaw)).toFixed(2)} of raw`;
    say(`  ${name.padEnd(34)}${shown(middle(measure)).padStart(8)} ${unit.padEnd(9)}${range.padEnd(21)}${ratio}`);
  }
}
