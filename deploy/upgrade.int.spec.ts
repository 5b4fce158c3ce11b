/* A rolling upgrade: the built program, and a copy of it that writes one more version of an event. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HealthReport } from '../api/src/features/health/readiness.js';
import { ADMIN_PASSWORD, type Stores, startStores } from '../api/test/api-under-test.js';
import { ok, Visitor } from '../api/test/visitor.js';
import { folderForTests } from '../contracts/testing/folder.js';
import { until } from '../contracts/testing/until.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { projectRoot } from './testing/deployment-files.js';
import { runToEnd, Service } from './testing/service.js';

// Six starts of processes, on a machine that may be busy.
jest.setTimeout(240_000);

/** The changes of a release that adds `quantity` to TimeExtended (docs/changing.md), in the built files. */
const CHANGES: [file: string, from: RegExp, to: string][] = [
  ['contracts/events/ledger-events.js', /TimeExtended: {/, '$& quantity: { ...int, version: 2 },'],
  ['domain/purchases.js', /addedSeconds,\s+endsAtEpochMs/, '$&, quantity'],
];

let stores: Stores;
const newFolder = folderForTests('all');
let newBuild: string;
const oldBuild = projectRoot;
const services: Service[] = [];

beforeAll(async () => {
  newBuild = newFolder();
  mkdirSync(join(newBuild, 'dist'), { recursive: true });
  for (const part of ['api', 'audit', 'contracts', 'domain', 'event-log', 'projections'])
    cpSync(join(projectRoot, 'dist', part), join(newBuild, 'dist', part), { recursive: true });
  for (const part of ['node_modules', 'package.json']) symlinkSync(join(projectRoot, part), join(newBuild, part));
  for (const [file, from, to] of CHANGES) {
    const path = join(newBuild, 'dist', file);
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(from);
    writeFileSync(path, text.replace(from, to));
  }
  stores = await startStores();
});
afterAll(async () => {
  for (const service of services) await service.end('SIGKILL');
  await stores?.close();
});

const addresses = () => ({ DATABASE_URL: stores.databaseUrl, EVENT_STORE_URL: stores.eventStoreUrl });
const programOf = (build: string, script: string) => [process.execPath, join(build, 'dist', script)];

async function start(command: string[], env = {}, probe?: () => Promise<unknown>): Promise<Service> {
  const service = new Service({ command, env: { ...addresses(), ...env }, ...(probe && { probe }) });
  services.push(service);
  return service.start();
}
const startWorker = (build: string) => start(programOf(build, 'projections/src/main.js'));

/** A node of one of the builds. */
async function startNode(build: string) {
  const port = await anyFreePort();
  const visitor = new Visitor(`http://127.0.0.1:${port}`);
  const health = () => visitor.get<HealthReport>('/api/health').catch(() => null);
  const settings = { SESSION_SECRET: 'a secret that only tests know', ADMIN_PASSWORD, RATE_LIMITS: 'off' };
  const env = { ...settings, PORT: String(port), LOG_LEVEL: 'warn' };
  const service = await start(programOf(build, 'api/src/main.js'), env, () => visitor.get('/api/health'));
  return { service, visitor, health };
}
type Node = Awaited<ReturnType<typeof startNode>>;

async function gamerWithMoney({ visitor: admin }: Node): Promise<{ id: string; browser: Visitor }> {
  const browser = new Visitor(admin.node);
  await ok(admin.post('/api/login', { username: 'admin', password: ADMIN_PASSWORD }));
  const account = { username: 'upgraded', email: 'upgraded@example.com', password: 'open sesame', referralCode: null };
  const { body } = await ok(browser.post<{ id: string }>('/api/register', account));
  const money = { purchaseBalanceCents: 10_000, totalWinningsCents: 0, reason: 'play money' };
  await ok(admin.post(`/api/admin/mini/gamers/${body.id}/adjust`, money));
  await ok(admin.post('/api/admin/game/start-live'));
  return { id: body.id, browser };
}

it('writes the new version only when every process reads it; the old ones then turn unready, and fold nothing wrong', async () => {
  const oldWorker = await startWorker(oldBuild);
  const oldNode = await startNode(oldBuild);
  await until(async () => (await oldNode.health())?.body.status === 'ok');
  const { id, browser } = await gamerWithMoney(oldNode);
  const buyAt = async ({ visitor }: Node) => {
    const order = { quantity: 1, userId: id };
    const { status, headers } = await browser.at(String(visitor.node)).post('/api/buy-from-balance', order);
    return [status, headers.get('retry-after')];
  };
  const bought = [200, null];
  const refused = [503, '1'];
  expect(await buyAt(oldNode)).toEqual(bought);

  // The upgrade begins: the new node serves, but writes nothing that the old processes cannot read.
  const newWorker = await startWorker(newBuild);
  const newNode = await startNode(newBuild);
  expect(await newNode.health()).toMatchObject({
    status: 200,
    body: { checks: { eventVersions: 'an older node runs: TimeExtended 2 not written yet' } },
  });
  expect(await buyAt(newNode)).toEqual(refused);
  expect(await buyAt(oldNode)).toEqual(bought);
  await oldWorker.end('SIGTERM');
  expect(await buyAt(newNode)).toEqual(refused);

  // The old node freezes: the new one goes on without it, and the old one turns unready when it wakes.
  oldNode.service.signal('SIGSTOP');
  await until(async () => (await buyAt(newNode))[0] === 200);
  oldNode.service.signal('SIGCONT');
  const unready = await until(
    () => oldNode.health(),
    (report) => report?.body.checks.eventVersions.includes('upgrade this node') === true,
  );
  expect(unready.status).toBe(503);
  expect(await buyAt(oldNode)).toEqual(refused);
  expect((await oldNode.service.end('SIGTERM')).seconds).toBeLessThan(10);

  // A rollback: an old process says what to do, and does not hold the new ones back.
  const olderWorker = runToEnd(programOf(oldBuild, 'projections/src/main.js'), addresses());
  await expect(olderWorker).rejects.toThrow(/TimeExtended 2\): upgrade this node/);
  expect(await buyAt(newNode)).toEqual(bought);
  await until(async () => (await newNode.health())?.body.status === 'ok');

  // The old auditor stops with the event's name; the new one verifies log and tables.
  const verify = (build: string) => runToEnd([...programOf(build, 'audit/main.js'), 'verify'], addresses());
  await expect(verify(oldBuild)).rejects.toThrow(/ledger@\d+: TimeExtended of version 2, .* upgrade this node/);
  expect(await verify(newBuild)).toContain('Everything is as it must be');
  await newWorker.end('SIGTERM');
});
