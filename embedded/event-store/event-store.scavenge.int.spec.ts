import { setTimeout as sleep } from 'node:timers/promises';
import { BACKWARDS, END, EventStoreDBClient, jsonEvent, START, StreamDeletedError } from '@eventstore/db-client';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { collect, rejection } from './conformance/store-under-test.js';
import { type RunningEventStore, startEventStore } from './start-event-store.js';
import { startScavenge } from './start-scavenge.js';

/** More than two pages of a read. */
const WIDE_GAP_EVENTS = 60;
const FILLING = 'filling '.repeat(1_500);
const SECRET = 'the text that must be forgotten';

let database: TestDatabase;
let store: RunningEventStore;
let client: EventStoreDBClient;

beforeEach(async () => {
  database = await createTestDatabase();
  await start();
});

afterEach(async () => {
  await stop();
  await database.drop();
});

async function start(scavengeIntervalMs?: number): Promise<void> {
  store = await startEventStore({
    databaseUrl: database.url,
    ...(scavengeIntervalMs !== undefined && { scavengeIntervalMs }),
  });
  client = EventStoreDBClient.connectionString(store.connectionString);
}

async function stop(): Promise<void> {
  await client.dispose();
  await store.close();
}

const append = (stream: string, text: string) =>
  client.appendToStream(stream, jsonEvent({ type: 'Written', data: { text } }));

/** A kept event, a gap of a stream that is tombstoned, its metadata and tombstone, and a kept event. */
async function writeAndTombstone(): Promise<void> {
  await append('kept', 'before');
  await append('gone', SECRET);
  for (let left = WIDE_GAP_EVENTS; left > 0; left -= 1) await append('gone', SECRET + FILLING);
  await client.setStreamMetadata('gone', { maxCount: 1_000, note: SECRET });
  await append('kept', 'between');
  await client.tombstoneStream('gone');
  await append('kept', 'after');
}

async function everything(direction?: typeof BACKWARDS) {
  const read = direction ? client.readAll({ direction, fromPosition: END }) : client.readAll();
  return (await collect(read)).flatMap(({ event }) => (event ? [event] : []));
}

const ours = (events: Awaited<ReturnType<typeof everything>>) =>
  events.filter(({ streamId }) => ['kept', 'gone', '$$gone'].includes(streamId));

const inTable = async (text: string): Promise<boolean> => {
  const connection = new Client({ connectionString: database.url });
  await connection.connect();
  const found = await connection.query('SELECT FROM runs WHERE position($1::bytea IN bytes) > 0', [Buffer.from(text)]);
  await connection.end();
  return found.rowCount !== 0;
};

it('removes the events and the metadata of a tombstoned stream, and keeps all others where they were', async () => {
  await writeAndTombstone();
  const before = ours(await everything()).filter(({ streamId, type }) => streamId === 'kept' || type[0] === '$');
  expect(await startScavenge(store.connectionString)).toBe(true);
  expect(await inTable(SECRET)).toBe(false);
  const left = before.filter(({ type }) => type !== '$metadata');
  expect(left.map(({ type }) => type)).toEqual(['Written', 'Written', '$streamDeleted', 'Written']);
  const held = async () => {
    expect(ours(await everything())).toEqual(left);
    expect(ours(await everything(BACKWARDS))).toEqual([...left].reverse());
    expect(await rejection(collect(client.readStream('gone')))).toBeInstanceOf(StreamDeletedError);
    expect(await rejection(append('gone', 'again'))).toBeInstanceOf(StreamDeletedError);
  };
  await held();
  // From the disk, without what the server remembered.
  await stop();
  await start();
  await held();
  await append('kept', 'later');
  expect(ours(await everything()).at(-1)?.revision).toBe(3n);
});

it('serves subscriptions and reads that begin at a scavenged event', async () => {
  await writeAndTombstone();
  const positions = (await everything()).filter(({ streamId }) => streamId === 'gone').map(({ position }) => position!);
  const [first, middle] = [positions[0]!, positions[positions.length >> 1]!];
  await startScavenge(store.connectionString);
  for (const restarted of [false, true]) {
    if (restarted) {
      await stop();
      await start();
    }
    for (const fromPosition of [START, first, middle] as const) {
      const texts: unknown[] = [];
      for await (const { event } of client.subscribeToAll({ fromPosition })) {
        if (event?.streamId === 'kept') texts.push((event.data as { text: string }).text);
        if (texts.at(-1) === 'after') break;
      }
      expect(texts).toEqual(fromPosition === START ? ['before', 'between', 'after'] : ['between', 'after']);
      const read = await collect(client.readAll({ fromPosition }));
      expect(read.filter(({ event }) => event?.streamId === 'kept').length).toBe(texts.length);
    }
  }
  const inside = { commit: positions[0]!.commit - 1n, prepare: positions[0]!.commit - 1n };
  expect(await rejection(collect(client.readAll({ fromPosition: inside })))).toMatchObject({
    message: expect.stringContaining('within an event'),
  });
});

it('removes them by itself at an interval, also those of a former run', async () => {
  await writeAndTombstone();
  await stop();
  await start(50);
  while (await inTable(SECRET)) await sleep(50);
  await append('also-gone', SECRET);
  await client.tombstoneStream('also-gone');
  while (await inTable(SECRET)) await sleep(50);
  expect((await everything()).filter(({ streamId }) => streamId.endsWith('gone')).map(({ type }) => type)).toEqual([
    '$streamDeleted',
    '$streamDeleted',
  ]);
});

describe('while somebody reads the table', () => {
  let reader: Client;

  beforeEach(async () => {
    reader = new Client({ connectionString: database.url });
    await reader.connect();
  });

  afterEach(() => reader.end());

  const indexes = async () =>
    (await reader.query("SELECT indexname FROM pg_indexes WHERE tablename = 'runs' ORDER BY 1")).rows;
  const fileOfTable = async () => (await reader.query("SELECT pg_relation_filenode('runs') AS file")).rows[0].file;

  it('commits go on during a scavenge, which waits with its last step, and nothing of them is lost', async () => {
    await writeAndTombstone();
    const [before, file] = [await indexes(), await fileOfTable()];
    await reader.query('BEGIN; SELECT FROM runs LIMIT 1');
    let isOver = false;
    const scavenging = startScavenge(store.connectionString).finally(() => {
      isOver = true;
    });
    while (await inTable(SECRET)) await sleep(10);
    for (let number = 0; number < 20; number += 1) await append('kept', `during ${number}`);
    expect(isOver).toBe(false);
    await reader.query('COMMIT');
    await scavenging;
    expect(await fileOfTable()).not.toBe(file);
    expect(await indexes()).toEqual(before);
    await stop();
    await start();
    const texts = ours(await everything()).flatMap(({ data }) => (data as { text?: string })?.text ?? []);
    expect(texts.slice(-21)).toEqual(['after', ...Array.from({ length: 20 }, (_, number) => `during ${number}`)]);
  });

  it('a stream that is tombstoned during a scavenge does not come back with it', async () => {
    await stop();
    await start(50);
    await append('late', `${SECRET} too`);
    await writeAndTombstone();
    await reader.query('BEGIN; SELECT FROM runs LIMIT 1');
    const scavenging = startScavenge(store.connectionString);
    while (await inTable(FILLING)) await sleep(10);
    await client.tombstoneStream('late');
    await sleep(300);
    await reader.query('COMMIT');
    await scavenging;
    while (await inTable(SECRET)) await sleep(50);
    await stop();
    await start();
    expect(await rejection(collect(client.readStream('late')))).toBeInstanceOf(StreamDeletedError);
    expect(await inTable(SECRET)).toBe(false);
  });
});

it('leaves a deleted stream as it is, because a real server keeps its last event', async () => {
  await append('kept', SECRET);
  await client.deleteStream('kept');
  await startScavenge(store.connectionString);
  expect(await inTable(SECRET)).toBe(true);
});
