import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { EventStoreDBClient, jsonEvent, NO_STREAM, START } from '@eventstore/db-client';
import { Client } from 'pg';
import { until } from '../../contracts/testing/until.js';
import { builtFile } from '../launcher/built-files.js';
import { startProgram } from '../launcher/testing/program.js';
import { createTestDatabase, query, type TestDatabase } from '../postgres/testing/test-database.js';
import { becomeWriter } from './log/postgres-runs.js';
import { startEventStore } from './start-event-store.js';
import { collect, rejection } from './testing/store-under-test.js';

let database: TestDatabase;
const started: ChildProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await database.drop();
});

/** Starts a store in this process, and a client of it. */
async function open(onFailure?: (error: Error) => void) {
  const store = await startEventStore({ databaseUrl: database.url, onFailure });
  const client = EventStoreDBClient.connectionString(store.connectionString);
  const close = async () => {
    await client.dispose();
    await store.close();
  };
  return { client, close, connectionString: store.connectionString };
}

const written = (text = '') => jsonEvent({ type: 'Written', data: { text } });

/** Events of 10 MiB in all: for each subscriber of its own they would take 200 MiB. */
const TOTAL = 10_000;

it('a new log holds system events only, so that no reader takes the first event for its own', async () => {
  const { client, close } = await open();
  const existing = (await collect(client.readAll())).map(({ event }) => event!.type);
  expect(existing).toEqual(['$epoch-information', '$metadata']);
  await close();
});

it('a call of another kind, and an invalid event, are refused with a sentence', async () => {
  const { client, close } = await open();
  expect(await rejection(client.listProjections())).toMatchObject({ message: expect.stringContaining('no method') });
  const nameless = { ...jsonEvent({ type: 'A', data: {} }), type: '' };
  expect(await rejection(client.appendToStream('any', nameless))).toMatchObject({
    message: expect.stringContaining('needs a type'),
  });
  await close();
});

it('subscribers that read nothing of 10,000 events block nobody and take no memory; they get all later; meanwhile a second store on the data is refused', async () => {
  const { client, close } = await open();
  // It waits for five seconds.
  const second = rejection(open());
  const someEvents = () => Array.from({ length: 500 }, () => written('x'.repeat(1_000)));
  const stalled = Array.from({ length: 20 }, () => client.subscribeToAll({ fromPosition: START }));
  for (const subscription of stalled) subscription.pause();
  const before = process.memoryUsage().rss;
  for (let count = 0; count < TOTAL; count += 500) await client.appendToStream('unread', someEvents());
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 2 ** 20);
  const [first, ...others] = stalled;
  let count = 0;
  first!.on('data', ({ event }) => {
    if (event?.streamId === 'unread' && Number(event.revision) === count) count += 1;
  });
  first!.resume();
  await until(() => count === TOTAL);
  expect(await second).toMatchObject({ message: expect.stringContaining('Another event store') });
  await Promise.all(others.map((subscription) => subscription.unsubscribe()));
  await first!.unsubscribe();
  await close();
});

it('a client that breaks its calls off does not end the server', async () => {
  const { client, close, connectionString } = await open();
  // The client calls Append when it has credentials: its BatchAppend throws when a response comes after the call was broken off.
  const credentials = { username: 'admin', password: 'changeit' };
  for (let round = 0; round < 20; round++) {
    const leaving = EventStoreDBClient.connectionString(connectionString);
    const subscription = leaving.subscribeToAll({ fromPosition: START }).on('error', () => undefined);
    await once(subscription, 'data');
    void leaving.appendToStream('left', written(), { credentials }).catch(() => undefined);
    await leaving.dispose();
  }
  await client.appendToStream('undisturbed', written());
  await close();
});

async function startProcess(): Promise<{ child: ChildProcess; connectionString: string }> {
  const env = { EVENT_STORE_DATABASE_URL: database.url, EVENT_STORE_PORT: '0' };
  const { child, untilPrinted } = startProgram([process.execPath, builtFile('embedded/event-store/main.js')], env);
  started.push(child);
  const [, connectionString] = await untilPrinted(/"connectionString":"([^"]+)"/);
  return { child, connectionString: connectionString! };
}

async function appendUntilGone(connectionString: string, onAcknowledged: () => void): Promise<Map<string, string[]>> {
  const acknowledged = new Map<string, string[]>();
  const writer = async (stream: string) => {
    const ids: string[] = [];
    acknowledged.set(stream, ids);
    // One client per stream: a broken connection may reject the appends of every client in the process.
    const client = EventStoreDBClient.connectionString(connectionString);
    for (;;) {
      const events = Array.from({ length: 5 }, () => written('x'.repeat(300)));
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

  const { client, close } = await open();
  for (const [stream, ids] of acknowledged) {
    const read = (await collect(client.readStream(stream))).map(({ event }) => event!);
    expect(read.slice(0, ids.length).map((event) => event.id)).toEqual(ids);
    // Appends that were written and not acknowledged are whole too: five events each.
    expect(read.length % 5).toBe(0);
    expect(read.map((event) => Number(event.revision))).toEqual(read.map((_, index) => index));
  }
  await close();
});

it('a store that starts again gives a retry its first response, and refuses stale revisions', async () => {
  const events = [written('first'), written('second')];
  const former = await open();
  const first = await former.client.appendToStream('retried', events, { expectedRevision: NO_STREAM });
  await former.close();
  const { client, close } = await open();
  const retry = await client.appendToStream('retried', events, { expectedRevision: NO_STREAM });
  expect(retry).toMatchObject({ nextExpectedRevision: 1n, position: first.position });
  for (const expectedRevision of [NO_STREAM, 0n] as const)
    await expect(client.appendToStream('retried', written(), { expectedRevision })).rejects.toMatchObject({
      type: 'wrong-expected-version',
    });
  const next = await client.appendToStream('retried', written('third'), { expectedRevision: 1n });
  expect(next.nextExpectedRevision).toBe(2n);
  const stored = await collect(client.readStream('retried'));
  expect(stored.map(({ event }) => event!.data)).toEqual(['first', 'second', 'third'].map((text) => ({ text })));
  await close();
});

it('a process closes and exits with code 0 on SIGTERM', async () => {
  const { child, connectionString } = await startProcess();
  const client = EventStoreDBClient.connectionString(connectionString);
  await client.appendToStream('ended', written());
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await client.dispose();
});

it('a store that loses its lock closes all connections, and another store can take over', async () => {
  const failed = new Promise<Error>((resolve) => {
    void open(resolve).then(async ({ client, close }) => {
      await client.appendToStream('fenced', written());
      await query(
        database.url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'event-store writer' AND datname = current_database()",
      );
      await expect(client.appendToStream('fenced', written())).rejects.toThrow();
      await close();
    });
  });
  expect((await failed).message).toMatch(/terminat/);
  await (await open()).close();
});

it('a commit that fails in its middle leaves nothing behind', async () => {
  const failed: Error[] = [];
  const { client, close } = await open((error) => failed.push(error));
  await query(database.url, 'ALTER TABLE runs ADD CONSTRAINT full_disk CHECK (octet_length(bytes) < 10000) NOT VALID');
  const text = (stream: number) => (stream === 90 ? 'x'.repeat(20_000) : '');
  // One insert takes fewer rows: all but the first, which is committed alone, share a commit.
  const appends = Array.from({ length: 100 }, (_, stream) =>
    client.appendToStream(`full-${stream}`, written(text(stream))),
  );
  const outcomes = await Promise.allSettled(appends);
  expect(failed).toHaveLength(1);
  await close();
  await query(database.url, 'ALTER TABLE runs DROP CONSTRAINT full_disk');

  const again = await open();
  const kept = await Promise.all(
    appends.map((_, stream) =>
      collect(again.client.readStream(`full-${stream}`)).then(
        () => 'fulfilled',
        () => 'rejected',
      ),
    ),
  );
  expect(kept).toEqual(outcomes.map(({ status }) => status));
  await again.close();
});

it('a commit waits for the disk, whatever the setting of the database is', async () => {
  await query(database.url, `ALTER DATABASE "${database.name}" SET synchronous_commit = off`);
  const connection = new Client({ connectionString: database.url });
  await connection.connect();
  await becomeWriter(connection);
  expect((await connection.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
  await connection.end();
});
