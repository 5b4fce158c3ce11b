import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { EventStoreDBClient } from '@eventstore/db-client';
import { folderForTests } from '../contracts/testing/folder.js';
import { startEventStore } from '../embedded/event-store/start-event-store.js';
import { authorizeUsers } from '../embedded/event-store/testing/access-control.js';
import { createTlsFiles } from '../embedded/event-store/testing/tls-files.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { createTestDatabase, type TestDatabase } from '../embedded/postgres/testing/test-database.js';
import { explainFailure } from './connection-check.js';
import { EventLog } from './event-log.js';
import { LogUnavailable } from './event-log.types.js';
import { InvalidSetting } from './settings.js';

const PASSWORD = 'canary-password';
const NOT_VALID = 'EVENT_STORE_URL is not a valid connection string, such as esdb://user:password@host:2113.';
const NOT_READ = 'EVENT_STORE_URL names a certificate file that cannot be read.';
const NO_CERTIFICATE = 'EVENT_STORE_URL names a certificate file that holds no valid certificate.';
const NO_USER = 'The event store requires a user; EVENT_STORE_URL names none.';
const WRONG_LOGIN = 'The event store refuses the user or the password in EVENT_STORE_URL.';
const NO_RIGHT = 'The user in EVENT_STORE_URL may not read $all; docs/operations.md says how to give this right.';
const TLS_ONLY = 'The event store requires TLS, but EVENT_STORE_URL has tls=false.';
const NO_TLS = 'The event store has no TLS; EVENT_STORE_URL needs tls=false to use it without.';
const NOT_TRUSTED =
  'The event store’s certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); name its authority by tlsCAFile in EVENT_STORE_URL.';
const UNAVAILABLE = 'the event store does not respond: gone';
const users = {
  admin: { password: 'changeit', groups: ['$admins'] },
  omni: { password: PASSWORD, groups: [] },
  reader: { password: PASSWORD, groups: [] },
};

describe('the check of EVENT_STORE_URL', () => {
  const folder = folderForTests('all');
  let certFile: string;
  let databases: TestDatabase[];
  let secure: Awaited<ReturnType<typeof startEventStore>>;
  let plain: Awaited<ReturnType<typeof startEventStore>>;

  beforeAll(async () => {
    const files = await createTlsFiles(folder());
    certFile = files.certFile;
    databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const options = { tls: files.tls, authorize: authorizeUsers(users) };
    secure = await startEventStore({ databaseUrl: databases[0]!.url, secure: options });
    plain = await startEventStore({ databaseUrl: databases[1]!.url });
    await writeFile(invalidFile(), 'no certificate');
  });

  afterAll(async () => {
    await secure.close();
    await plain.close();
    await Promise.all(databases.map((database) => database.drop()));
  });

  const trusted = (user: string, password = PASSWORD) =>
    `esdb://${user}:${password}@127.0.0.1:${secure.port}?tls=true&tlsCAFile=${certFile}`;

  const invalidFile = () => join(folder(), 'not-a-certificate.pem');

  async function check(connectionString: string): Promise<Error | undefined> {
    let log: EventLog | undefined;
    try {
      log = new EventLog(connectionString);
      await log.checkConnection();
      return undefined;
    } catch (error) {
      return error as Error;
    } finally {
      await log?.close();
    }
  }

  it.each<[string, () => string, string]>([
    ['an invalid connection string', () => `esdb:/omni:${PASSWORD}@127.0.0.1`, NOT_VALID],
    ['an invalid port', () => `esdb://omni:${PASSWORD}@127.0.0.1:port`, NOT_VALID],
    ['an invalid option', () => `esdb://omni:${PASSWORD}@127.0.0.1?tls=maybe`, NOT_VALID],
    ['a missing CA file', () => `${trusted('omni')}.missing`, NOT_READ],
    ['a folder as CA file', () => trusted('omni').replace(/[^/]*$/, ''), NOT_READ],
    ['an invalid CA file', () => trusted('omni').replace('cert.pem', 'not-a-certificate.pem'), NOT_TRUSTED],
    [
      'an invalid certificate',
      () => `${trusted('omni')}&userCertFile=${invalidFile()}&userKeyFile=${invalidFile()}`,
      NO_CERTIFICATE,
    ],
    ['a wrong password', () => trusted('omni', `${PASSWORD}-wrong`), WRONG_LOGIN],
    ['an unknown user', () => trusted('nobody'), WRONG_LOGIN],
    ['no user', () => trusted('omni').replace(`omni:${PASSWORD}@`, ''), NO_USER],
    ['a user without the right to read $all', () => trusted('omni'), NO_RIGHT],
    ['a certificate that is not trusted', () => trusted('omni').replace(/&.*/, ''), NOT_TRUSTED],
    ['TLS against a plain server', () => `esdb://omni:${PASSWORD}@127.0.0.1:${plain.port}`, NO_TLS],
    ['plain against a TLS server', () => `esdb://omni:${PASSWORD}@127.0.0.1:${secure.port}?tls=false`, TLS_ONLY],
  ])('refuses %s in one sentence without the password', async (_, connectionString, sentence) => {
    const error = await check(connectionString());
    expect(error).toBeInstanceOf(InvalidSetting);
    expect(error?.message).toBe(sentence);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(PASSWORD);
  });

  it.each<[string, () => string, string]>([
    [
      'TLS with its authority',
      () => `esdb://omni:a/b?c@127.0.0.1:${secure.port}/?TLSCAFILE=${encodeURIComponent(certFile)} `,
      UNAVAILABLE,
    ],
    ['TLS without verification', () => `esdb://127.0.0.1:${secure.port}?tlsVerifyCert=false`, NOT_TRUSTED],
    ['the second host without TLS', () => `esdb://127.0.0.1:1,127.0.0.1:${plain.port}`, NO_TLS],
    ['no TLS at a plain server', () => `esdb://127.0.0.1:${plain.port}?TLS=false&tlsCAFile=missing`, UNAVAILABLE],
  ])('explains a failure with %s', async (_, connectionString, sentence) => {
    const gone = new Error('gone');
    const error = await explainFailure(gone, connectionString());
    expect([error.message, error.cause]).toEqual([sentence, sentence === UNAVAILABLE ? gone : undefined]);
  });

  it('reports a server that does not respond as unavailable, without the password', async () => {
    const error = await check(`esdb://omni:${PASSWORD}@127.0.0.1:${await anyFreePort()}?tls=false`);
    expect(error).toBeInstanceOf(LogUnavailable);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(PASSWORD);
  });

  it('accepts a user that may read $all', async () => {
    const admin = EventStoreDBClient.connectionString(trusted('admin', 'changeit'));
    await admin.setStreamMetadata('$all', { acl: { readRoles: ['$admins', 'reader'] } });
    await admin.dispose();
    expect(await check(trusted('reader'))).toBeUndefined();
    expect(await check(trusted('admin', 'changeit'))).toBeUndefined();
    expect(await check(`esdb://127.0.0.1:${plain.port}?tls=false`)).toBeUndefined();
  });
});
