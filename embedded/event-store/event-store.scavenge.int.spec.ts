import { EventStoreDBClient, jsonEvent, type Position, START, StreamDeletedError } from '@eventstore/db-client';
import { createTestDatabase, query, type TestDatabase } from '../postgres/testing/test-database.js';
import { startEventStore } from './start-event-store.js';
import { startScavenge } from './start-scavenge.js';
import { collect, rejection } from './testing/store-under-test.js';

/** Fills more than two pages of a read. */
const WIDE_GAP_EVENTS = 60;
const FILLING = 'filling '.repeat(1_500);
const SECRET = 'the text that must be forgotten';

let database: TestDatabase;
let store: Awaited<ReturnType<typeof startEventStore>>;
let client: EventStoreDBClient;

beforeEach(async () => {
  database = await createTestDatabase();
  await start();
});

afterEach(async () => {
  await stop();
  await database.drop();
});

async function start(): Promise<void> {
  store = await startEventStore({ databaseUrl: database.url });
  client = EventStoreDBClient.connectionString(store.connectionString);
}

async function stop(): Promise<void> {
  await client.dispose();
  await store.close();
}

const append = (stream: string, text: string) =>
  client.appendToStream(stream, jsonEvent({ type: 'Written', data: { text } }));

/** A kept event, a gap of a stream that is tombstoned, its metadata and tombstone, and a kept event. Returns the gap's positions. */
async function writeAndTombstone(): Promise<Position[]> {
  await append('kept', 'before');
  const positions: Position[] = [];
  for (let left = WIDE_GAP_EVENTS; left > 0; left -= 1) {
    positions.push((await append('gone', SECRET + FILLING)).position!);
  }
  await client.setStreamMetadata('gone', { note: SECRET });
  await append('kept', 'between');
  await client.tombstoneStream('gone');
  await append('kept', 'after');
  return positions;
}

const everything = async () => (await collect(client.readAll())).flatMap(({ event }) => (event ? [event] : []));

const ours = (events: Awaited<ReturnType<typeof everything>>) =>
  events.filter(({ streamId }) => ['kept', 'gone', '$$gone'].includes(streamId));

const inTable = async (text: string): Promise<boolean> =>
  (await query(database.url, 'SELECT 1 FROM runs WHERE position($1::bytea IN bytes) > 0', [Buffer.from(text)])).length >
  0;

const fileOfTable = async () => (await query(database.url, "SELECT pg_relation_filenode('runs') AS file"))[0]?.file;

it('a tombstone removes the events and the metadata of its stream, and keeps all others where they were, also in a scavenge', async () => {
  const { position } = await append('kept', 'before all');
  await writeAndTombstone();
  expect(await inTable(SECRET)).toBe(false);
  const left = ours(await everything());
  expect(left.map(({ type }) => type)).toEqual(['Written', 'Written', 'Written', '$streamDeleted', 'Written']);
  expect(left[0]?.position).toEqual(position);
  const held = async () => {
    expect(ours(await everything())).toEqual(left);
    expect(await rejection(collect(client.readStream('gone')))).toBeInstanceOf(StreamDeletedError);
    expect(await rejection(append('gone', 'again'))).toBeInstanceOf(StreamDeletedError);
  };
  await held();
  // Reads from the disk, because the server's memory is gone.
  await stop();
  await start();
  await held();
  await append('kept', 'later');
  expect(ours(await everything()).at(-1)?.revision).toBe(4n);

  // A scavenge rewrites the files of the log.
  const before = await everything();
  const file = await fileOfTable();
  expect(await startScavenge(store.connectionString)).toBe(true);
  expect(await fileOfTable()).not.toBe(file);
  expect(await everything()).toEqual(before);
});

it('serves subscriptions and reads that begin at a removed event', async () => {
  const positions = await writeAndTombstone();
  const [first, middle] = [positions[0]!, positions[positions.length >> 1]!];
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
  const before = { commit: first.commit - 1n, prepare: first.commit - 1n };
  expect(await rejection(collect(client.readAll({ fromPosition: before })))).toMatchObject({
    message: expect.stringContaining('within an event'),
  });
});
