/* The program that creates the event store's users, run as compose does, against the embedded store with TLS. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { AccessDeniedError, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { folderForTests } from '../contracts/testing/folder.js';
import { startEventStore } from '../embedded/event-store/start-event-store.js';
import { authorizeUsers } from '../embedded/event-store/testing/access-control.js';
import { createTlsFiles } from '../embedded/event-store/testing/tls-files.js';
import { createTestDatabase, type TestDatabase } from '../embedded/postgres/testing/test-database.js';
import { composeFile } from './testing/deployment-files.js';
import { runToEnd } from './testing/service.js';

/** The embedded store has no HTTP API for users: it knows them from the start, and this server stands in for the API. */
const USERS = {
  admin: { password: 'changeit', groups: ['$admins'] },
  omni: { password: 'writer-password', groups: ['omni'] },
  'omni-reader': { password: 'reader-password', groups: ['omni-reader'] },
  stranger: { password: 'stranger-password', groups: [] },
};
type UserName = keyof typeof USERS;

const folder = folderForTests('all');
let certFile: string;
let database: TestDatabase;
let store: Awaited<ReturnType<typeof startEventStore>>;
let users: Server;
const clients: EventStoreDBClient[] = [];
/** The bodies of the requests to the users’ API. */
const created: unknown[] = [];

beforeAll(async () => {
  const files = await createTlsFiles(folder());
  certFile = files.certFile;
  database = await createTestDatabase();
  const secure = { tls: files.tls, authorize: authorizeUsers(USERS) };
  store = await startEventStore({ databaseUrl: database.url, secure });
  users = createServer(files.tls, async (request, response) => {
    const isAdmin = request.headers.authorization === `Basic ${btoa('admin:changeit')}`;
    const exists = created.length >= 2;
    if (isAdmin) created.push(await json(request));
    const status = exists ? 409 : 201;
    response.writeHead(isAdmin ? status : 401).end();
  });
  await new Promise<void>((resolve) => users.listen(0, '127.0.0.1', resolve));
  await createUsers();
});
afterAll(async () => {
  for (const client of clients) await client.dispose();
  users?.close();
  await store?.close();
  await database?.drop();
});

const urlOf = (name: UserName): string =>
  `esdb://${name}:${USERS[name].password}@127.0.0.1:${store.port}?tlsCAFile=${certFile}`;

function as(name: UserName): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(urlOf(name));
  clients.push(client);
  return client;
}

/** The service's own command, with the settings that docker-compose.yml names. */
async function createUsers(adminPassword = 'changeit'): Promise<string> {
  const { command = [], environment = {} } = composeFile('docker-compose.yml').services['event-store-users'] ?? {};
  const settings = {
    ADMIN_URL: urlOf('admin'),
    USERS_URL: `https://127.0.0.1:${(users.address() as AddressInfo).port}/users/`,
    NODE_EXTRA_CA_CERTS: certFile,
    ADMIN_PASSWORD: adminPassword,
    WRITER_PASSWORD: USERS.omni.password,
    READER_PASSWORD: USERS['omni-reader'].password,
    STREAM_PREFIX: 'omni_',
  };
  expect(Object.keys(environment).sort()).toEqual(Object.keys(settings).sort());
  return runToEnd(
    command.map((word) => word.replace('create-users.mjs', 'deploy/event-store/create-users.mjs')),
    settings,
  );
}

const event = () => jsonEvent({ type: 'Tried', data: {} });
async function read(client: EventStoreDBClient, stream?: string): Promise<number> {
  const events = stream ? client.readStream(stream, { maxCount: 5 }) : client.readAll({ maxCount: 5 });
  let count = 0;
  for await (const _event of events) count += 1;
  return count;
}

it('creates both users in groups of their own, and may be repeated', async () => {
  expect(created).toEqual([
    { LoginName: 'omni', FullName: expect.any(String), Groups: ['omni'], Password: 'writer-password' },
    { LoginName: 'omni-reader', FullName: expect.any(String), Groups: ['omni-reader'], Password: 'reader-password' },
  ]);
  expect(await createUsers()).toContain('omni-reader may read');
});

it('ends with a sentence when the administrator’s password is wrong', async () => {
  await expect(createUsers('a wrong password')).rejects.toThrow('the event store answered 401 for the user omni');
});

it('lets the api write the ledger and tombstone other streams; it and the worker read everything', async () => {
  await as('omni').appendToStream('omni_ledger', event());
  await as('omni').tombstoneStream('gamer-of-the-api');
  for (const name of ['omni', 'omni-reader'] as const) {
    expect(await read(as(name), 'omni_ledger')).toBe(1);
    expect(await read(as(name))).toBeGreaterThan(0);
  }
});

it.each<[UserName, string, (client: EventStoreDBClient) => Promise<unknown>]>([
  ['omni-reader', 'write to the ledger', (client) => client.appendToStream('omni_ledger', event())],
  ['omni-reader', 'delete the ledger', (client) => client.tombstoneStream('omni_ledger')],
  ['omni-reader', 'truncate the ledger', (client) => client.setStreamMetadata('omni_ledger', { maxCount: 1 })],
  ['omni-reader', 'open $all', (client) => client.setStreamMetadata('$all', { acl: { readRoles: ['$all'] } })],
  ['omni-reader', 'change all rights', (client) => client.appendToStream('$settings', event())],
  ['omni', 'delete the ledger', (client) => client.tombstoneStream('omni_ledger')],
  ['omni', 'truncate the ledger', (client) => client.setStreamMetadata('omni_ledger', { truncateBefore: 1 })],
  ['omni', 'change the ledger’s rights', (client) => client.appendToStream('$$omni_ledger', event())],
  ['stranger', 'read the ledger', (client) => read(client, 'omni_ledger')],
  ['stranger', 'read everything', (client) => read(client)],
  ['stranger', 'write to the ledger', (client) => client.appendToStream('omni_ledger', event())],
])('does not let %s %s', async (name, _, attempt) => {
  await expect(attempt(as(name))).rejects.toBeInstanceOf(AccessDeniedError);
});

it('states the rights of all other streams in $settings, in the form that EventStoreDB documents', async () => {
  const settings = [];
  for await (const { event: stated } of as('admin').readStream('$settings')) settings.push(stated?.data);
  const readers = ['$admins', 'omni', 'omni-reader'];
  const only = ['$admins'];
  expect(settings.at(-1)).toEqual({
    $userStreamAcl: { $r: readers, $w: ['omni'], $d: ['omni'], $mr: readers, $mw: only },
    $systemStreamAcl: { $r: only, $w: only, $d: only, $mr: only, $mw: only },
  });
});
