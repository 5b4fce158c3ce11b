import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccessDeniedError, EventStoreDBClient, jsonEvent, UnknownError } from '@eventstore/db-client';
import { createTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { collect, rejection, revisionsOf } from '../conformance/store-under-test.js';
import { type RunningEventStore, startEventStore } from '../start-event-store.js';
import { startScavenge } from '../start-scavenge.js';
import { createTlsFiles } from '../testing/tls-files.js';

const users = {
  admin: { password: 'changeit', groups: ['$admins'] },
  alice: { password: 'pässword:1', groups: ['players'] },
  bob: { password: 'secret', groups: [] },
};
const alice = { username: 'alice', password: users.alice.password };
const bob = { username: 'bob', password: users.bob.password };
const event = () => jsonEvent({ type: 'Written', data: {} });

let folder: string;
let address: string;
let database: TestDatabase;
let store: RunningEventStore;
let admin: EventStoreDBClient;
let nobody: EventStoreDBClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'event-store-tls-'));
  const { certFile, tls } = await createTlsFiles(folder);
  database = await createTestDatabase();
  store = await startEventStore({ databaseUrl: database.url, secure: { tls, users } });
  address = `127.0.0.1:${store.port}?tls=true&tlsCAFile=${certFile}`;
  admin = EventStoreDBClient.connectionString(`esdb://admin:changeit@${address}`);
  nobody = EventStoreDBClient.connectionString(`esdb://${address}`);
});
afterAll(async () => {
  await Promise.all([admin.dispose(), nobody.dispose()]);
  await store.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

describe('with TLS, users', () => {
  it('may use ordinary streams when they sign in', async () => {
    await nobody.appendToStream('open', event(), { credentials: bob });
    expect(await revisionsOf(nobody.readStream('open', { credentials: alice }))).toEqual([0]);
  });

  it('may scavenge only as administrators', async () => {
    const refused = rejection(startScavenge(`esdb://bob:secret@${address}`));
    expect(await refused).toMatchObject({ message: expect.stringContaining('Access denied') });
    expect(await startScavenge(`esdb://admin:changeit@${address}`)).toBe(true);
  });

  it('may do nothing when they do not sign in', async () => {
    expect(await rejection(nobody.appendToStream('open', event()))).toBeInstanceOf(AccessDeniedError);
    expect(await rejection(collect(nobody.readStream('open')))).toBeInstanceOf(AccessDeniedError);
    expect(await rejection(nobody.deleteStream('open'))).toBeInstanceOf(AccessDeniedError);
  });

  it('are refused with a wrong password or an unknown name', async () => {
    for (const credentials of [
      { username: 'bob', password: 'wrong' },
      { username: 'constructor', password: '' },
    ]) {
      expect(await rejection(nobody.appendToStream('open', event(), { credentials }))).toBeInstanceOf(
        AccessDeniedError,
      );
    }
  });

  it('need to be administrators for $all and for system streams', async () => {
    await admin.appendToStream('$settings-of-test', event());
    expect((await collect(admin.readAll())).length).toBeGreaterThan(0);
    expect(await rejection(collect(nobody.readAll({ credentials: alice })))).toBeInstanceOf(AccessDeniedError);
    const system = nobody.readStream('$settings-of-test', { credentials: alice });
    expect(await rejection(collect(system))).toBeInstanceOf(AccessDeniedError);
  });

  it('may use a stream whose ACL names them or their group; administrators always may', async () => {
    await admin.appendToStream('closed', event());
    await admin.setStreamMetadata('closed', {
      acl: {
        readRoles: ['players'],
        writeRoles: ['bob'],
        deleteRoles: ['$admins'],
        metaReadRoles: [],
        metaWriteRoles: [],
      },
    });
    expect(await revisionsOf(nobody.readStream('closed', { credentials: alice }))).toEqual([0]);
    expect(await rejection(collect(nobody.readStream('closed', { credentials: bob })))).toBeInstanceOf(
      AccessDeniedError,
    );
    await nobody.appendToStream('closed', event(), { credentials: bob });
    expect(await rejection(nobody.appendToStream('closed', event(), { credentials: alice }))).toBeInstanceOf(
      AccessDeniedError,
    );
    expect(await rejection(nobody.deleteStream('closed', { credentials: bob }))).toBeInstanceOf(AccessDeniedError);
    expect(await rejection(nobody.getStreamMetadata('closed', { credentials: alice }))).toBeInstanceOf(
      AccessDeniedError,
    );
    const change = nobody.setStreamMetadata('closed', { maxCount: 1 }, { credentials: bob });
    expect(await rejection(change)).toBeInstanceOf(AccessDeniedError);
    await admin.deleteStream('closed');
  });

  it('cannot read a forbidden event through a link', async () => {
    await admin.appendToStream('hidden', event());
    await admin.setStreamMetadata('hidden', { acl: { readRoles: ['bob'] } });
    const link = {
      ...event(),
      type: '$>',
      contentType: 'application/octet-stream' as const,
      data: Buffer.from('0@hidden'),
    };
    await admin.appendToStream('links', link);
    const resolved = async (credentials: typeof alice) =>
      (await collect(nobody.readStream('links', { resolveLinkTos: true, credentials }))).map(
        ({ event: target }) => target,
      );
    expect(await resolved(alice)).toEqual([undefined]);
    expect(await resolved(bob)).toMatchObject([{ streamId: 'hidden' }]);
  });

  it('get the same error for a service that this server does not have', async () => {
    expect(await rejection(admin.listProjections())).toBeInstanceOf(UnknownError);
  });
});
