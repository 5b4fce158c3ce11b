/* A rolling upgrade: the built program, and a copy of it that writes one more version of an event. */
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HealthReport } from '../api/src/features/health/readiness.js';
import { ADMIN_PASSWORD, type Stores, startStores } from '../api/test/api-under-test.js';
import { type ApiResponse, Visitor } from '../api/test/visitor.js';
import { IDEMPOTENCY_KEY } from '../contracts/http/headers.js';
import { until } from '../contracts/testing/until.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { projectRoot } from './testing/deployment-files.js';
import { runToEnd, Service } from './testing/service.js';

// Seven starts of processes, on a machine that may be busy.
jest.setTimeout(240_000);

/** The changes of a release that adds `quantity` to TimeExtended (docs/changing.md), in the built files. */
const CHANGES: [file: string, from: RegExp, to: string][] = [
  ['contracts/events/ledger-events.js', /TimeExtended: {/, '$& quantity: { ...int, version: 2 },'],
  ['domain/purchases.js', /extension\(state\.game, bought\)/, '{ ...$&, quantity: 1 }'],
];

let stores: Stores;
let newBuild: string;
const oldBuild = projectRoot;
const services: Service[] = [];

beforeAll(async () => {
  newBuild = mkdtempSync(join(tmpdir(), 'omni-upgrade-'));
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
  rmSync(newBuild, { recursive: true, force: true });
});

const addresses = () => ({ DATABASE_URL: stores.databaseUrl, EVENT_STORE_URL: stores.eventStoreUrl });

/** A node of one of the builds. */
class Node {
  private constructor(
    readonly service: Service,
    readonly visitor: Visitor,
  ) {}

  static async start(build: string): Promise<Node> {
    const port = await anyFreePort();
    const visitor = new Visitor(`http://127.0.0.1:${port}`);
    const env = {
      PORT: String(port),
      SESSION_SECRET: 'a secret that only tests know',
      ADMIN_PASSWORD,
      LOG_LEVEL: 'warn',
    };
    const service = new Service({
      command: [process.execPath, join(build, 'dist/api/src/main.js')],
      env: { ...addresses(), ...env, RATE_LIMITS: 'off' },
      isReady: () =>
        visitor.get('/api/health').then(
          () => true,
          () => false,
        ),
    });
    services.push(service);
    await service.start();
    return new Node(service, visitor);
  }

  health(): Promise<ApiResponse<HealthReport>> {
    return this.visitor.get<HealthReport>('/api/health');
  }

  /** Buys a token for the gamer who logged in with this browser. */
  buy(gamer: { id: string; cookie: string }): Promise<ApiResponse<unknown>> {
    const headers = { cookie: gamer.cookie, [IDEMPOTENCY_KEY]: randomUUID() };
    return this.visitor.post('/api/buy-from-balance', { quantity: 1, userId: gamer.id }, headers);
  }
}

async function startWorker(build: string): Promise<Service> {
  const service = new Service({
    command: [process.execPath, join(build, 'dist/projections/src/main.js')],
    env: addresses(),
  });
  services.push(service);
  await service.start();
  return service;
}

async function gamerWithMoney({ visitor }: Node): Promise<{ id: string; cookie: string }> {
  const [admin, gamer] = [new Visitor(visitor.node), new Visitor(visitor.node)];
  expect((await admin.post('/api/login', { username: 'admin', password: ADMIN_PASSWORD })).status).toBe(200);
  const account = { username: 'upgraded', email: 'upgraded@example.com', password: 'open sesame', referralCode: null };
  const { body } = await gamer.post<{ id: string }>('/api/register', account);
  const money = { purchaseBalanceCents: 10_000, totalWinningsCents: 0, reason: 'play money' };
  expect((await admin.post(`/api/admin/mini/gamers/${body.id}/adjust`, money)).status).toBe(200);
  expect((await admin.post('/api/admin/game/start-live')).status).toBe(200);
  return { id: body.id, cookie: [...gamer.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
}

it('writes the new version only when every process reads it; the old ones then turn unready, and fold nothing wrong', async () => {
  const oldWorker = await startWorker(oldBuild);
  const oldNode = await Node.start(oldBuild);
  await until(async () => (await oldNode.health()).body.status === 'ok');
  const gamer = await gamerWithMoney(oldNode);
  expect((await oldNode.buy(gamer)).status).toBe(200);

  // The upgrade begins: the new node serves, but writes nothing that the old processes cannot read.
  const newWorker = await startWorker(newBuild);
  const newNode = await Node.start(newBuild);
  expect(await newNode.health()).toMatchObject({
    status: 200,
    body: { checks: { eventVersions: 'an older node runs: TimeExtended 2 not written yet' } },
  });
  const refused = await newNode.buy(gamer);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await oldNode.buy(gamer)).status).toBe(200);
  await oldWorker.end('SIGTERM');
  expect((await newNode.buy(gamer)).status).toBe(503);

  // The old node freezes: the new one goes on without it, and the old one turns unready when it wakes.
  oldNode.service.signal('SIGSTOP');
  await until(async () => (await newNode.buy(gamer)).status === 200);
  oldNode.service.signal('SIGCONT');
  await until(async () => (await oldNode.health().catch(() => null))?.status === 503);
  await until(
    async () =>
      (await oldNode.health().catch(() => null))?.body.checks.eventVersions.includes('upgrade this node') ?? false,
  );
  const response = await oldNode.buy(gamer);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await oldNode.service.end('SIGTERM')).seconds).toBeLessThan(10);

  // A rollback: old processes say what to do, and do not hold the new ones back.
  const again = await Node.start(oldBuild);
  expect(await again.health()).toMatchObject({
    status: 503,
    body: { status: 'unavailable', checks: { eventVersions: expect.stringContaining('TimeExtended 2') } },
  });
  expect((await again.buy(gamer)).status).toBe(503);
  await expect(
    runToEnd([process.execPath, join(oldBuild, 'dist/projections/src/main.js')], addresses()),
  ).rejects.toThrow(/TimeExtended 2\): upgrade this node/);
  expect((await newNode.buy(gamer)).status).toBe(200);
  await until(async () => (await newNode.health()).body.status === 'ok');

  // The old auditor stops with the event's name; the new one verifies log and tables.
  const verify = (build: string) =>
    runToEnd([process.execPath, join(build, 'dist/audit/main.js'), 'verify'], addresses());
  await expect(verify(oldBuild)).rejects.toThrow(/ledger@\d+: TimeExtended of version 2, .* upgrade this node/);
  expect(await verify(newBuild)).toContain('Everything is as it must be');
  await newWorker.end('SIGTERM');
});
