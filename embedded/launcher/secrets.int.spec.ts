import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { LoginRequest } from '../../contracts/http/gamers.js';
import { folderForTests } from '../../contracts/testing/folder.js';
import { startEventStore } from '../event-store/start-event-store.js';
import { authorizeUsers } from '../event-store/testing/access-control.js';
import { createTlsFiles } from '../event-store/testing/tls-files.js';
import { anyFreePort } from '../postgres/free-port.js';
import { createTestDatabase, type TestDatabase } from '../postgres/testing/test-database.js';
import { builtFile } from './built-files.js';
import { type Program, startProgram } from './testing/program.js';

jest.setTimeout(300_000);

/** Part of every secret in the settings. No output may contain it. */
const CANARY = 'canary';
const users = {
  admin: { password: 'changeit', groups: ['$admins'] },
  omni: { password: `${CANARY}-event-store`, groups: [] },
  stranger: { password: `${CANARY}-event-store`, groups: [] },
};

/** Built files, each with its parameters. */
const API = 'api/src/main.js';
const WORKER = 'projections/src/main.js';
const AUDIT = 'audit/main.js verify';
const REBUILD = 'projections/src/rebuild.js all';
type Env = Record<string, string>;

describe('secrets in the settings', () => {
  const folder = folderForTests('all');
  let certFile: string;
  let eventDatabase: TestDatabase;
  let database: TestDatabase;
  let store: Awaited<ReturnType<typeof startEventStore>>;
  let closedPort: number;
  let waitingPort: number;
  /** Started while the event store does not respond. */
  let waiting: Program[];
  const started: Program[] = [];

  beforeAll(async () => {
    const files = await createTlsFiles(folder());
    certFile = files.certFile;
    [eventDatabase, database] = [await createTestDatabase(), await createTestDatabase()];
    const secure = { tls: files.tls, authorize: authorizeUsers(users) };
    store = await startEventStore({ databaseUrl: eventDatabase.url, secure });
    const admin = EventStoreDBClient.connectionString(eventStoreUrl('admin', 'changeit'));
    await admin.setStreamMetadata('$all', { acl: { readRoles: ['$admins', 'omni'] } });
    await admin.dispose();
    closedPort = await anyFreePort();
    waitingPort = await anyFreePort();
    const away = { EVENT_STORE_URL: eventStoreUrl().replace(/:\d+\?.*/, `:${closedPort}?tls=false`) };
    const env = { ...settings(), ...away, PORT: String(waitingPort) };
    // They wait during the other tests; the audit gives up after half a minute.
    waiting = [API, WORKER, AUDIT].map((script) => start(script, env));
  });

  afterAll(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await store.close();
    await Promise.all([eventDatabase.drop(), database.drop()]);
  });

  const eventStoreUrl = (user = 'omni', password = users.omni.password) =>
    `esdb://${user}:${password}@127.0.0.1:${store.port}?tls=true&tlsCAFile=${certFile}`;

  /** A right setting for everything; the mail server and the gateway do not respond. */
  const settings = (): Env => ({
    DATABASE_URL: database.url,
    EVENT_STORE_URL: eventStoreUrl(),
    SESSION_SECRET: `${CANARY}-session-secret`,
    LEDGER_SIGNING_SECRET: `${CANARY}-signing-secret`,
    PUSH_SECRET: `${CANARY}-push-secret`,
    ADMIN_PASSWORD: `${CANARY}-admin-password`,
    ADMIN_EMAIL: 'admin@omni.example',
    METRICS_TOKEN: `${CANARY}-metrics-token`,
    SMTP_URL: `smtp://omni:${CANARY}-smtp@127.0.0.1:${closedPort}`,
    PAYMENTS_API_URL: `http://127.0.0.1:${closedPort}/v1`,
    PAYMENTS_API_KEY: `${CANARY}-api-key`,
    PAYMENTS_IPN_SECRET: `${CANARY}-ipn-secret`,
    PAYMENTS_EMAIL: 'shop@omni.example',
    PAYMENTS_PASSWORD: `${CANARY}-payments-password`,
    LOG_LEVEL: 'trace',
    PORT: '0',
  });

  function start(script: string, env: Env): Program {
    const [file, ...parameters] = script.split(' ');
    const running = startProgram([process.execPath, builtFile(file!), ...parameters], env);
    started.push(running);
    return running;
  }

  const wrongUrl = `esdb:/omni:${CANARY}@host`;
  const wrongPassword = () => database.url.replace(/:[^:@]+@/, `:${CANARY}-wrong@`);

  it.each<[string, () => string, RegExp, string[]]>([
    ['EVENT_STORE_URL', () => wrongUrl, /connection string/, [API, WORKER, AUDIT, REBUILD]],
    ['EVENT_STORE_URL', () => eventStoreUrl('stranger'), /may not read \$all/, [API]],
    ['DATABASE_URL', () => `postgres//omni:${CANARY}@host:x`, /DATABASE_URL is/, [AUDIT]],
    ['DATABASE_URL', wrongPassword, /password authentication failed/, [API, WORKER, AUDIT]],
    ['LOG_LEVEL', () => `${CANARY}-level`, /LOG_LEVEL/, [WORKER]],
  ])('are not printed at a wrong %s, which ends the start with one line', async (name, wrong, sentence, scripts) => {
    const starts = scripts.map((script) => start(script, { ...settings(), [name]: wrong() }));
    for (const { ended, output } of starts) {
      expect(await ended).toBe(1);
      // A process may log steps before the failure at level trace; the last line is the reason.
      expect(output().trimEnd().split('\n').at(-1)).toMatch(sentence);
      expect(output()).not.toMatch(/^ {4}at /m);
      expect(output()).not.toContain(CANARY);
    }
  });

  it('are not printed by the launcher, which ends with the reason of the process that cannot start', async () => {
    const wrong = { EVENT_STORE_URL: eventStoreUrl('omni', `${CANARY}-wrong`), DATA_DIR: join(folder(), 'data') };
    const { ended, output } = start('embedded/launcher/main.js', { ...settings(), ...wrong });
    expect(await ended).toBe(1);
    expect(output()).toMatch(/Omni Jackpot did not start: The \w+ did not start: .* refuses the user or the password/);
    expect(output()).not.toMatch(/^ {4}at /m);
    expect(output()).not.toContain(CANARY);
  });

  it('are not printed by a running application whose servers fail one after another', async () => {
    const port = await anyFreePort();
    const worker = start(WORKER, settings());
    const api = start(API, { ...settings(), PORT: String(port) });
    await worker.untilPrinted(/"ready":true/);
    await api.untilPrinted(/"listening"/);
    const responses: string[] = [];
    const request = async (path: string, body?: object): Promise<void> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(15_000),
      });
      responses.push(JSON.stringify([...response.headers]), await response.text());
    };
    const login: LoginRequest = { username: 'admin', password: 'a wrong password' };
    const reset = { gamerTag: 'admin', email: 'admin@omni.example' };
    const requestEverything = () =>
      Promise.all([
        ...['/api/health', '/api/metrics', '/api/state', '/api/docs-json'].map((path) => request(path)),
        request('/api/login', login),
        request('/api/request-password-reset', reset),
        request('/api/payments/ipn', { payment_id: 1 }),
      ]);
    await requestEverything();
    const { port: storePort } = store;
    await store.close();
    await requestEverything();
    const files = await createTlsFiles(folder());
    const newUsers = { ...users, omni: { password: 'changed meanwhile', groups: [] } };
    store = await startEventStore({
      databaseUrl: eventDatabase.url,
      port: storePort,
      secure: { tls: files.tls, authorize: authorizeUsers(newUsers) },
    });
    await requestEverything();
    await database.drop();
    await requestEverything();
    api.child.kill('SIGTERM');
    worker.child.kill('SIGTERM');
    await Promise.all([api.ended, worker.ended]);
    for (const output of [api.output(), worker.output(), ...responses]) expect(output).not.toContain(CANARY);
  });

  it.each<[string, Env]>([
    ['event-store', { EVENT_STORE_DATABASE_URL: `postgres//omni:${CANARY}@host:x`, EVENT_STORE_PORT: '0' }],
    ['payments', { PAYMENTS_API_KEY: `${CANARY}-api-key`, PAYMENTS_IPN_SECRET: `${CANARY}-ipn-secret` }],
    ['mail', { MAIL_WEB_PORT: `${CANARY}-port` }],
  ])('are not printed by embedded/%s that cannot start', async (name, env) => {
    const { ended, output } = start(`embedded/${name}/main.js`, env);
    expect(await ended).toBe(1);
    expect(output().trim().split('\n')).toHaveLength(1);
    expect(output()).not.toContain(CANARY);
  });

  it('are not printed while the event store does not respond; api and worker wait, and health is 503', async () => {
    const [api, worker, audit] = waiting;
    for (const running of [api, worker]) await running!.untilPrinted(/does not respond.*trying again/);
    const health = await fetch(`http://127.0.0.1:${waitingPort}/api/health`);
    expect(health.status).toBe(503);
    expect(await health.json()).toMatchObject({ status: 'unavailable', checks: { eventLog: 'failed' } });
    expect(await audit!.ended).toBe(1);
    for (const { output } of waiting) expect(output()).not.toContain(CANARY);
  });
});
