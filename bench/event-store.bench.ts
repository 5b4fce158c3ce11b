import { randomUUID } from 'node:crypto';
import { type AppendResult, type EventData, EventStoreDBClient, jsonEvent, START } from '@eventstore/db-client';
import { Client } from 'pg';
import { decodeFaster } from '../event-log/client-decoding.js';
import { encodeFaster } from '../event-log/client-encoding.js';
import type { Stores } from './stores.js';

/** An event as large as the ledger's. */
const TEXT = 'x'.repeat(560);
const RAW_INSERT_ROWS = 1_000;
const SMALL_BATCH = 100;
const LARGE_BATCH = 1_000;

export interface EventStoreFigures {
  [measure: string]: { value: number; unit: string; ofRaw?: number };
}

/**
 * Measures the embedded event store through the official client, against raw multi-row inserts and reads of the same
 * bytes on the same Postgres in the same run. As in the application, the event store is a process of its own, and the
 * client has the shortcuts of event-log/; one row shows it without.
 */
export async function eventStoreBench(stores: Stores): Promise<EventStoreFigures> {
  const raw = await measureRaw(await stores.createDatabase('bench_raw'));
  const store = await stores.startEventStore('bench_event_store');
  const client = EventStoreDBClient.connectionString(store.url);
  const figures: EventStoreFigures = {
    'raw inserts of 1,000 rows': { value: raw.inserts, unit: 'events/s' },
    'raw reads': { value: raw.reads, unit: 'events/s' },
  };
  try {
    await appendMany(client, 'warm-up', 10_000, 1, 64);
    await appendMany(client, 'as-it-comes', 50_000, SMALL_BATCH, 8);
    figures['reading $all, the client as it comes'] = { value: await readAll(client), unit: 'events/s' };
    encodeFaster();
    decodeFaster();
    await readAll(client);
    const oneByOne = await appendMany(client, 'single', 20_000, 1, 64);
    figures['appends of 1, 64 in flight'] = { value: oneByOne, unit: 'events/s' };
    const hundreds = await appendMany(client, 'hundreds', 80_000, SMALL_BATCH, 8);
    figures['appends of 100, 8 in flight'] = { value: hundreds, unit: 'events/s', ofRaw: hundreds / raw.inserts };
    const large = await appendLarge(client, 60);
    figures['appends of 1,000, one at a time'] = {
      value: large.perSecond,
      unit: 'events/s',
      ofRaw: large.perSecond / raw.inserts,
    };
    figures['append of 1,000, median'] = { value: large.medianMs, unit: 'ms' };
    const read = await readAll(client);
    figures['reading $all'] = { value: read, unit: 'events/s', ofRaw: read / raw.reads };
    const caughtUp = await catchUp(client);
    figures['catching up on $all'] = { value: caughtUp, unit: 'events/s', ofRaw: caughtUp / raw.reads };
    const live = await liveDelivery(client, 5_000, 4);
    figures['append to delivery, p50'] = { value: live.p50Ms, unit: 'ms' };
    figures['append to delivery, p99'] = { value: live.p99Ms, unit: 'ms' };
  } finally {
    await client.dispose();
    await store.stop();
  }
  print(figures);
  return figures;
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

async function measureRaw(databaseUrl: string): Promise<{ inserts: number; reads: number }> {
  const connection = new Client({ connectionString: databaseUrl });
  await connection.connect();
  await connection.query(
    'CREATE TABLE raw_events (position bigint PRIMARY KEY, stream uuid, revision bigint, data bytea)',
  );
  await connection.query('CREATE UNIQUE INDEX ON raw_events (stream, revision)');
  const tuples = Array.from({ length: RAW_INSERT_ROWS }, (_, row) => {
    const first = row * 4;
    return `($${first + 1}, $${first + 2}, $${first + 3}, $${first + 4})`;
  });
  const text = `INSERT INTO raw_events VALUES ${tuples.join(', ')}`;
  const stream = randomUUID();
  const data = Buffer.from(JSON.stringify(event()));
  const rounds = 40;
  const startedMs = performance.now();
  for (let round = 0; round < rounds; round++) {
    const values: unknown[] = [];
    for (let row = 0; row < RAW_INSERT_ROWS; row++) {
      const at = round * RAW_INSERT_ROWS + row;
      values.push(at, stream, at, data);
    }
    await connection.query({ name: 'raw-insert', text, values });
  }
  const inserts = perSecond(rounds * RAW_INSERT_ROWS, startedMs);
  const readStartedMs = performance.now();
  for (let round = 0; round < rounds; round++) {
    const values = [round * RAW_INSERT_ROWS, RAW_INSERT_ROWS];
    await connection.query('SELECT * FROM raw_events WHERE position >= $1 ORDER BY position LIMIT $2', values);
  }
  const reads = perSecond(rounds * RAW_INSERT_ROWS, readStartedMs);
  await connection.query('DROP TABLE raw_events');
  await connection.end();
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

async function appendLarge(client: EventStoreDBClient, rounds: number) {
  const batches = Array.from({ length: rounds }, () => events(LARGE_BATCH));
  const tookMs: number[] = [];
  let revision: bigint | 'no_stream' = 'no_stream';
  const startedMs = performance.now();
  for (const batch of batches) {
    const before = performance.now();
    const result: AppendResult = await client.appendToStream('ledger', batch, { expectedRevision: revision });
    revision = result.nextExpectedRevision;
    tookMs.push(performance.now() - before);
  }
  return { perSecond: perSecond(rounds * LARGE_BATCH, startedMs), medianMs: quantile(tookMs, 0.5) };
}

async function readAll(client: EventStoreDBClient): Promise<number> {
  const startedMs = performance.now();
  let count = 0;
  for await (const _ of client.readAll()) count++;
  return perSecond(count, startedMs);
}

async function catchUp(client: EventStoreDBClient): Promise<number> {
  const startedMs = performance.now();
  let count = 0;
  const subscription = client.subscribeToAll({ fromPosition: START }).on('data', () => count++);
  await new Promise((resolve) => subscription.on('caughtUp', resolve));
  const rate = perSecond(count, startedMs);
  await subscription.unsubscribe();
  return rate;
}

/** Appends so many events a second, in small batches, and times each from before its append to its delivery. */
async function liveDelivery(client: EventStoreDBClient, eventsPerSecond: number, seconds: number) {
  const sentMs = new Map<string, number>();
  const tookMs: number[] = [];
  const subscription = client.subscribeToAll({ fromPosition: 'end' }).on('data', ({ event: recorded }) => {
    tookMs.push(performance.now() - sentMs.get(recorded!.id)!);
  });
  await new Promise((resolve) => subscription.on('caughtUp', resolve));
  const batch = 10;
  const total = eventsPerSecond * seconds;
  const appends: Promise<unknown>[] = [];
  const startedMs = performance.now();
  for (let sent = 0; sent < total; ) {
    const due = ((performance.now() - startedMs) / 1_000) * eventsPerSecond;
    for (; sent < due && sent < total; sent += batch) {
      const next = events(batch);
      for (const { id } of next) sentMs.set(id, performance.now());
      appends.push(client.appendToStream(`live-${(sent / batch) % 10}`, next));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(appends);
  while (tookMs.length < total) await new Promise((resolve) => setTimeout(resolve, 5));
  await subscription.unsubscribe();
  return { p50Ms: quantile(tookMs, 0.5), p99Ms: quantile(tookMs, 0.99) };
}

function perSecond(count: number, startedMs: number): number {
  return count / ((performance.now() - startedMs) / 1_000);
}

function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function print(figures: EventStoreFigures): void {
  console.log('Embedded event store, through the official client');
  for (const [measure, { value, unit, ofRaw }] of Object.entries(figures)) {
    const shown = value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
    const ratio = ofRaw === undefined ? '' : `${ofRaw.toFixed(2)} of raw`;
    console.log(`  ${measure.padEnd(38)}${shown.padStart(10)} ${unit.padEnd(10)}${ratio}`);
  }
}
