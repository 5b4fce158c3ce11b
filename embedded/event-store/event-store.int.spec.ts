import { once } from 'node:events';
import { EventStoreDBClient, jsonEvent, START } from '@eventstore/db-client';
import { until } from '../../contracts/testing/until.js';
import { createTestDatabase, type TestDatabase } from '../postgres/testing/test-database.js';
import { startEventStore } from './start-event-store.js';
import { collect, rejection } from './testing/store-under-test.js';

/** Events of 10 MiB in all: for each subscriber of its own they would take 200 MiB. */
const TOTAL = 20_000;

let database: TestDatabase;
let store: Awaited<ReturnType<typeof startEventStore>>;
let client: EventStoreDBClient;
beforeAll(async () => {
  database = await createTestDatabase();
  store = await startEventStore({ databaseUrl: database.url });
  client = EventStoreDBClient.connectionString(store.connectionString);
});
afterAll(async () => {
  await client.dispose();
  await store.close();
  await database.drop();
});

const events = (count: number) =>
  Array.from({ length: count }, () => jsonEvent({ type: 'Unread', data: { text: 'x'.repeat(500) } }));

it('a new log holds system events only, so that no reader takes the first event for its own', async () => {
  const existing = (await collect(client.readAll())).map(({ event }) => event!.type);
  expect(existing).toEqual(['$epoch-information', '$metadata']);
});

it('a call of another kind, and an invalid event, are refused with a sentence', async () => {
  expect(await rejection(client.listProjections())).toMatchObject({ message: expect.stringContaining('no method') });
  const nameless = { ...jsonEvent({ type: 'A', data: {} }), type: '' };
  expect(await rejection(client.appendToStream('any', nameless))).toMatchObject({
    message: expect.stringContaining('needs a type'),
  });
});

it('subscribers that read nothing of 20,000 events block nobody and take no memory; they get all of them later', async () => {
  const stalled = Array.from({ length: 20 }, () => client.subscribeToAll({ fromPosition: START }));
  for (const subscription of stalled) subscription.pause();
  const before = process.memoryUsage().rss;
  for (let written = 0; written < TOTAL; written += 1_000) await client.appendToStream('unread', events(1_000));
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 2 ** 20);
  const [first, ...others] = stalled;
  let count = 0;
  first!.on('data', ({ event }) => {
    if (event?.streamId === 'unread' && Number(event.revision) === count) count += 1;
  });
  first!.resume();
  await until(() => count === TOTAL);
  await Promise.all(others.map((subscription) => subscription.unsubscribe()));
  await first!.unsubscribe();
});

it('a client that breaks its calls off does not end the server', async () => {
  // The client calls Append when it has credentials: its BatchAppend throws when a response comes after the call was broken off.
  const credentials = { username: 'admin', password: 'changeit' };
  for (let round = 0; round < 20; round++) {
    const leaving = EventStoreDBClient.connectionString(store.connectionString);
    const subscription = leaving.subscribeToAll({ fromPosition: START }).on('error', () => undefined);
    await once(subscription, 'data');
    void leaving.appendToStream('left', events(10), { credentials }).catch(() => undefined);
    await leaving.dispose();
  }
  await client.appendToStream('undisturbed', events(1));
});
