import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccessDeniedError, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { createTestDatabase, type TestDatabase } from '../../postgres/testing/test-database.js';
import { type RunningEventStore, startEventStore } from '../start-event-store.js';
import { startScavenge } from '../start-scavenge.js';
import { collect, rejection, revisionsOf } from '../testing/store-under-test.js';
import { createTlsFiles } from '../testing/tls-files.js';

const users = {
  admin: { password: 'changeit', groups: ['$admins'] },
  alice: { password: 'pässword:1', groups: ['players'] },
  bob: { password: 'secret', groups: [] },
};
const event = () => jsonEvent({ type: 'Written', data: {} });

let folder: string;
let address: string;
let database: TestDatabase;
let store: RunningEventStore;
const clients: EventStoreDBClient[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'event-store-tls-'));
  const { certFile, tls } = await createTlsFiles(folder);
  database = await createTestDatabase();
  store = await startEventStore({ databaseUrl: database.url, secure: { tls, users } });
  address = `127.0.0.1:${store.port}?tls=true&tlsCAFile=${certFile}`;
});
afterAll(async () => {
  for (const client of clients) await client.dispose();
  await store.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

function as(login: keyof typeof users, password = users[login].password): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(`esdb://${login}:${encodeURIComponent(password)}@${address}`);
  clients.push(client);
  return client;
}

async function isDenied(promise: Promise<unknown>): Promise<void> {
  expect(await rejection(promise)).toBeInstanceOf(AccessDeniedError);
}

it('every user may use ordinary streams, and only administrators $all and system streams', async () => {
  await as('bob').appendToStream('open', event());
  expect(await revisionsOf(as('alice').readStream('open'))).toEqual([0]);
  await as('admin').appendToStream('$settings-of-test', event());
  expect((await collect(as('admin').readAll())).length).toBeGreaterThan(0);
  await isDenied(collect(as('alice').readAll()));
  await isDenied(collect(as('alice').readStream('$settings-of-test')));
  expect(await rejection(startScavenge(`esdb://bob:secret@${address}`))).toMatchObject({
    message: expect.stringContaining('Access denied'),
  });
});

it('who does not sign in, or with a wrong password, may do nothing', async () => {
  const nobody = EventStoreDBClient.connectionString(`esdb://${address}`);
  clients.push(nobody);
  for (const client of [nobody, as('bob', 'wrong')]) {
    await isDenied(client.appendToStream('open', event()));
    await isDenied(collect(client.readStream('open')));
    await isDenied(client.tombstoneStream('open'));
  }
});

it('a stream with an ACL is for those whom it names, by login or by group, and for administrators', async () => {
  const acl = {
    readRoles: ['players'],
    writeRoles: ['bob'],
    deleteRoles: ['$admins'],
    metaReadRoles: [],
    metaWriteRoles: [],
  };
  await as('admin').appendToStream('closed', event());
  await as('admin').setStreamMetadata('closed', { acl });
  expect(await revisionsOf(as('alice').readStream('closed'))).toEqual([0]);
  await isDenied(collect(as('bob').readStream('closed')));
  await as('bob').appendToStream('closed', event());
  await isDenied(as('alice').appendToStream('closed', event()));
  await isDenied(as('bob').tombstoneStream('closed'));
  await isDenied(as('alice').getStreamMetadata('closed'));
  await isDenied(as('bob').setStreamMetadata('closed', {}));
  await as('admin').tombstoneStream('closed');
});
