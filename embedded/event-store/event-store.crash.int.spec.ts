import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { collect } from './conformance/store-under-test.js';
import { becomeWriter } from './log/schema.js';
import { startEventStore } from './start-event-store.js';
import { buildForNode } from './testing/build-for-node.js';

// A laptop may be busy with other things.
jest.setTimeout(60_000);

let database: TestDatabase;
let build: string;
let main: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  build = await buildForNode();
  main = join(build, 'embedded', 'event-store', 'main.js');
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await database.drop();
  await rm(build, { recursive: true });
});

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

/** Carries out SQL on the store's database, past the store. */
async function onDatabase(sql: string): Promise<Record<string, unknown>[]> {
  const connection = new Client({ connectionString: database.url });
  await connection.connect();
  try {
    return (await connection.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await connection.end();
  }
}

it('a store that has lost its lock breaks all connections off, and another can take over', async () => {
  const failed = new Promise<Error>((resolve) => {
    void startEventStore({ databaseUrl: database.url, onFailure: resolve }).then(async (store) => {
      const client = EventStoreDBClient.connectionString(store.connectionString);
      await client.appendToStream('fenced', jsonEvent({ type: 'Written', data: {} }));
      await onDatabase(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'event-store writer' AND datname = current_database()",
      );
      await expect(client.appendToStream('fenced', jsonEvent({ type: 'Written', data: {} }))).rejects.toThrow();
      await client.dispose();
      await store.close();
    });
  });
  expect((await failed).message).toMatch(/terminat/);
  const next = await startEventStore({ databaseUrl: database.url });
  await next.close();
});

it('a commit that the disk refuses in its middle leaves nothing behind', async () => {
  const failed: Error[] = [];
  const store = await startEventStore({ databaseUrl: database.url, onFailure: (error) => failed.push(error) });
  const client = EventStoreDBClient.connectionString(store.connectionString);
  await onDatabase('ALTER TABLE runs ADD CONSTRAINT full_disk CHECK (octet_length(bytes) < 10000) NOT VALID');
  const text = (stream: number) => (stream === 90 ? 'x'.repeat(20_000) : '');
  // More rows than one insert takes: together in a commit, but for the first, which goes ahead alone.
  const appends = Array.from({ length: 100 }, (_, stream) =>
    client.appendToStream(`full-${stream}`, jsonEvent({ type: 'Written', data: { text: text(stream) } })),
  );
  const outcomes = await Promise.allSettled(appends);
  expect(failed).toHaveLength(1);
  await client.dispose();
  await store.close();
  await onDatabase('ALTER TABLE runs DROP CONSTRAINT full_disk');

  const again = await startEventStore({ databaseUrl: database.url });
  const reader = EventStoreDBClient.connectionString(again.connectionString);
  const kept = await Promise.all(
    appends.map((_, stream) =>
      collect(reader.readStream(`full-${stream}`)).then(
        () => 'fulfilled',
        () => 'rejected',
      ),
    ),
  );
  expect(kept).toEqual(outcomes.map(({ status }) => status));
  await reader.dispose();
  await again.close();
});

it('a commit waits for the disk, whatever the database is set to', async () => {
  await onDatabase(`ALTER DATABASE "${database.name}" SET synchronous_commit = off`);
  const connection = new Client({ connectionString: database.url });
  await connection.connect();
  await becomeWriter(connection);
  expect((await connection.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
  await connection.end();
});
