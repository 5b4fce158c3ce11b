import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type EventData, jsonEvent } from '@eventstore/db-client';
import { builtFile } from '../embedded/launcher/built-files.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { openFastClient } from '../event-log/fast-client.js';
import { heading, ms, say, whole } from './report.js';
import type { Stores } from './stores.js';

const BATCH = 1_000;
const IN_FLIGHT = 4;
/** The data of an event; with metadata and framing, an event has about 500 bytes. */
const TEXT = 'x'.repeat(280);
const MIB = 2 ** 20;

/** Measures the time and memory that the event store needs to start after a kill -9 on a long log. */
export async function benchEventStoreStart(stores: Stores, events: number): Promise<void> {
  heading(`The embedded event store starts on ${whole(events)} events`);
  const databaseUrl = await stores.createDatabase('bench_start');
  const empty = await startTimed(databaseUrl);
  say(`  on an empty log:      ${ms(empty.tookMs)}, then ${await memory(empty.store)}`);
  await fill(empty.url, events);
  say(`  when it was filled:   ${await memory(empty.store)}`);
  await end(empty.store, 'SIGKILL');
  const full = await startTimed(databaseUrl);
  say(`  after a kill -9:      ${ms(full.tookMs)}, then ${await memory(full.store)}`);
  await end(full.store, 'SIGTERM');
}

/** Starts an event store; `tookMs` ends when it has answered a read of the newest event. */
async function startTimed(databaseUrl: string): Promise<{ store: ChildProcess; url: string; tookMs: number }> {
  const from = performance.now();
  const port = await anyFreePort();
  const store = spawn(process.execPath, [builtFile('embedded/event-store/main.js')], {
    env: { ...process.env, EVENT_STORE_DATABASE_URL: databaseUrl, EVENT_STORE_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([once(store.stdout!, 'data'), once(store, 'exit').then(failed)]);
  const url = `esdb://127.0.0.1:${port}?tls=false`;
  const client = openFastClient(url);
  for await (const _ of client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 1 }));
  const tookMs = performance.now() - from;
  await client.dispose();
  return { store, url, tookMs };
}

function failed(): never {
  throw new Error('the event store ended before it was ready');
}

async function end(store: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(store, 'exit');
  store.kill(signal);
  await ended;
}

/** Appends events to one stream for each append in flight. */
async function fill(url: string, events: number): Promise<void> {
  const client = openFastClient(url);
  let left = events;
  const worker = async (stream: string) => {
    for (; left > 0; left -= BATCH) await client.appendToStream(stream, Array.from({ length: BATCH }, event));
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, (_, index) => worker(`start-${index}`)));
  await client.dispose();
}

function event(): EventData {
  return jsonEvent({ type: 'Filled', data: { id: randomUUID(), text: TEXT }, metadata: { schema: 1 } });
}

async function memory({ pid }: ChildProcess): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const resident = /VmRSS:\s+(\d+) kB/.exec(status)?.[1];
  return resident === undefined ? 'memory not known here' : `${whole((Number(resident) * 1024) / MIB)} MiB resident`;
}
