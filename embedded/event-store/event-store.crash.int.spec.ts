import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { createTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { collect } from './conformance/store-under-test.js';
import { startEventStore } from './start-event-store.js';
import { buildForNode } from './testing/build-for-node.js';

// A laptop may be busy with other things.
jest.setTimeout(60_000);

let database: TestDatabase;
let main: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  main = join(await buildForNode(), 'embedded', 'event-store', 'main.js');
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => database.drop());

async function startProcess(): Promise<{ child: ChildProcess; connectionString: string }> {
  const env = { ...process.env, EVENT_STORE_DATABASE_URL: database.url, EVENT_STORE_PORT: '0' };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, connectionString: (JSON.parse(line) as { connectionString: string }).connectionString };
}

/** Appends as fast as it can to several streams, until the store is gone. @returns what was acknowledged, by stream */
async function appendUntilGone(connectionString: string, onAcknowledged: () => void): Promise<Map<string, string[]>> {
  const acknowledged = new Map<string, string[]>();
  const writer = async (stream: string) => {
    const ids: string[] = [];
    acknowledged.set(stream, ids);
    // A client each: when a connection breaks, the client's batches may be rejected on behalf of one another.
    const client = EventStoreDBClient.connectionString(connectionString);
    for (;;) {
      const events = Array.from({ length: 5 }, () => jsonEvent({ type: 'Written', data: { text: 'x'.repeat(300) } }));
      try {
        await client.appendToStream(stream, events);
      } catch {
        break;
      }
      ids.push(...events.map((event) => event.id));
      onAcknowledged();
    }
    await client.dispose();
  };
  await Promise.all(Array.from({ length: 8 }, (_, index) => writer(`crash-${index}`)));
  return acknowledged;
}

it('a store killed under load has kept every append it acknowledged, whole and in order', async () => {
  const { child, connectionString } = await startProcess();
  let count = 0;
  const acknowledged = await appendUntilGone(connectionString, () => {
    if (++count === 200) child.kill('SIGKILL');
  });
  expect(count).toBeGreaterThanOrEqual(200);

  const again = await startEventStore({ databaseUrl: database.url });
  const client = EventStoreDBClient.connectionString(again.connectionString);
  for (const [stream, ids] of acknowledged) {
    const read = (await collect(client.readStream(stream))).map(({ event }) => event!);
    expect(read.slice(0, ids.length).map((event) => event.id)).toEqual(ids);
    // What was written and not acknowledged is whole appends of five as well.
    expect(read.length % 5).toBe(0);
    expect(read.map((event) => Number(event.revision))).toEqual(read.map((_, index) => index));
  }
  await client.dispose();
  await again.close();
});

it('a second store on the same data is refused, and the first goes on', async () => {
  const first = await startEventStore({ databaseUrl: database.url });
  await expect(startEventStore({ databaseUrl: database.url })).rejects.toThrow('Another event store');
  const client = EventStoreDBClient.connectionString(first.connectionString);
  await client.appendToStream('fenced', jsonEvent({ type: 'Written', data: {} }));
  await client.dispose();
  await first.close();
});

it('a store whose commit fails answers nothing more and says why it stops', async () => {
  const other = await createTestDatabase();
  const failures: Error[] = [];
  const store = await startEventStore({ databaseUrl: other.url, onFailure: (error) => failures.push(error) });
  const client = EventStoreDBClient.connectionString(store.connectionString);
  await client.appendToStream('doomed', jsonEvent({ type: 'Written', data: {} }));
  await other.drop();
  await expect(client.appendToStream('doomed', jsonEvent({ type: 'Written', data: {} }))).rejects.toThrow();
  expect(failures).toHaveLength(1);
  await client.dispose();
  await store.close();
});

it('a process asked to end does so in good order', async () => {
  const { child, connectionString } = await startProcess();
  const client = EventStoreDBClient.connectionString(connectionString);
  await client.appendToStream('ended', jsonEvent({ type: 'Written', data: {} }));
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await client.dispose();
});
