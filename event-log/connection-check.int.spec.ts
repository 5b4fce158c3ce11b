import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { EventStoreDBClient } from '@eventstore/db-client';
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
const users = {
  admin: { password: 'changeit', groups: ['$admins'] },
  omni: { password: PASSWORD, groups: [] },
  reader: { password: PASSWORD, groups: [] },
};

describe('the check of EVENT_STORE_URL', () => {
  let folder: string;
  let certFile: string;
  let databases: TestDatabase[];
  let secure: Awaited<ReturnType<typeof startEventStore>>;
  let plain: Awaited<ReturnType<typeof startEventStore>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'omni-settings-'));
    const files = await createTlsFiles(folder);
    certFile = files.certFile;
    databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const options = { tls: files.tls, authorize: authorizeUsers(users) };
    secure = await startEventStore({ databaseUrl: databases[0]!.url, secure: options });
    plain = await startEventStore({ databaseUrl: databases[1]!.url });
    await writeFile(join(folder, 'not-a-certificate.pem'), 'no certificate');
  });

  afterAll(async () => {
    await secure.close();
    await plain.close();
    await Promise.all(databases.map((database) => database.drop()));
    await rm(folder, { recursive: true });
  });

  const trusted = (user: string, password = PASSWORD) =>
    `esdb://${user}:${password}@127.0.0.1:${secure.port}?tls=true&tlsCAFile=${certFile}`;

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

  it.each<[string, () => string, RegExp]>([
    ['an invalid connection string', () => `esdb:/omni:${PASSWORD}@127.0.0.1`, /not a valid connection string/],
    ['an invalid port', () => `esdb://omni:${PASSWORD}@127.0.0.1:port`, /not a valid connection string/],
    ['an invalid option', () => `esdb://omni:${PASSWORD}@127.0.0.1?tls=maybe`, /not a valid connection string/],
    ['a missing CA file', () => `${trusted('omni')}.missing`, /certificate file that cannot be read/],
    ['an invalid CA file', () => trusted('omni').replace('cert.pem', 'not-a-certificate.pem'), /certificate/],
    ['a wrong password', () => trusted('omni', `${PASSWORD}-wrong`), /refuses the user or the password/],
    ['an unknown user', () => trusted('nobody'), /refuses the user or the password/],
    ['no user', () => trusted('omni').replace(`omni:${PASSWORD}@`, ''), /requires a user/],
    ['a user without the right to read $all', () => trusted('omni'), /may not read \$all/],
    ['a certificate that is not trusted', () => trusted('omni').replace(/&.*/, ''), /certificate is not trusted/],
    ['TLS against a plain server', () => `esdb://omni:${PASSWORD}@127.0.0.1:${plain.port}`, /has no TLS/],
    ['plain against a TLS server', () => `esdb://omni:${PASSWORD}@127.0.0.1:${secure.port}?tls=false`, /requires TLS/],
  ])('refuses %s in one sentence without the password', async (_, connectionString, sentence) => {
    const error = await check(connectionString());
    expect(error).toBeInstanceOf(InvalidSetting);
    expect(error?.message).toMatch(sentence);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(PASSWORD);
  });

  it.each<[string, () => string, RegExp]>([
    ['TLS', () => `esdb://omni:a/b?c@127.0.0.1:${secure.port}/?TLSCAFILE=${encodeURIComponent(certFile)} `, /: gone$/],
    ['TLS without verification', () => `esdb://127.0.0.1:${secure.port}?tlsVerifyCert=false`, /not trusted/],
    ['the second host without TLS', () => `esdb://127.0.0.1:1,127.0.0.1:${plain.port}`, /has no TLS/],
    ['no TLS', () => `esdb://127.0.0.1:${plain.port}?TLS=false&tlsCAFile=missing`, /: gone$/],
  ])('explains the failure of a connection with %s', async (_, connectionString, sentence) =>
    expect((await explainFailure(new Error('gone'), connectionString())).message).toMatch(sentence),
  );

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
