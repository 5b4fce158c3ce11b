import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EventStoreDBClient } from '@eventstore/db-client';
import { events, freshStream, revisionsOf, StoreUnderTest } from '../testing/store-under-test.js';

const store = new StoreUnderTest();

it('a client finds the store through its gossip', async () => {
  const discovering = store.connectionString.replace(/^esdb:/, 'esdb+discover:');
  const client = EventStoreDBClient.connectionString(discovering);
  const stream = freshStream();
  await client.appendToStream(stream, events(2));
  expect(await revisionsOf(client.readStream(stream))).toEqual([0, 1]);
  await client.dispose();
});

it('a client that gives several hosts finds the store among them', async () => {
  const [, host, query] = /^esdb(?:\+discover)?:\/\/([^?/]+)\/?(.*)$/.exec(store.connectionString)!;
  const client = EventStoreDBClient.connectionString(`esdb://${host},${host}${query}`);
  const stream = freshStream();
  await client.appendToStream(stream, events(1));
  expect(await revisionsOf(client.readStream(stream))).toEqual([0]);
  await client.dispose();
});

it('the client of KurrentDB, EventStoreDB’s successor, appends, reads, subscribes and tombstones', async () => {
  const program = join(__dirname, '../testing/kurrentdb-client.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [program, store.connectionString, freshStream()]);
  const types = ['First', 'Second'];
  expect(JSON.parse(stdout)).toEqual({
    success: true,
    last: 1,
    metadata: { maxCount: 10 },
    read: types,
    subscribed: types,
    afterTombstone: 'StreamDeletedError',
  });
});
