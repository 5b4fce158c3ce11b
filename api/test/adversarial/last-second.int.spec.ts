/* Stores that are far away or stop, and wrong clocks (decisions 41, 42, 46). The auditor checks every scenario. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { verify } from '../../../audit/replay/verify.js';
import type { StateResponse } from '../../../contracts/http/game.js';
import type { PurchaseReceipt } from '../../../contracts/http/purchases.js';
import { caseCount } from '../../../contracts/testing/case-count.js';
import { Link } from '../../../embedded/event-store/testing/link.js';
import { EventLog } from '../../../event-log/event-log.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { Clock } from '../../src/platform/clock.js';
import { type RunningApi, type Stores, startApi, startStores } from '../api-under-test.js';
import { Visitor } from '../visitor.js';
import { type Person, WholeApplication } from '../whole-application.js';

// A stalled machine sends a request later than the scenario says.
jest.retryTimes(2, { logErrorsBeforeRetry: true });

const TEN_YEARS_MS = 10 * 365 * 86_400_000;
/** Short, because the tests wait for them. */
const TIMERS = {
  pregameDurationSeconds: 1,
  liveDurationSeconds: 3,
  downtimeDurationSeconds: 3_600,
  tokenExtensionSeconds: 1,
};

/** The stores' own addresses. */
let stores: Stores;
let _postgres: Link;
const links: Link[] = [];
const application = WholeApplication.forTests(
  {},
  {
    stores: async () => {
      stores = await startStores();
      const { url, link } = await linked(stores.databaseUrl);
      _postgres = link;
      return { ...stores, databaseUrl: url };
    },
  },
);
const admin = application.adminForTests();
const alice = application.gamerForTests('alice', 10_000);
const bob = application.gamerForTests('bob', 10_000);
let node: RunningApi | undefined;

beforeAll(async () => {
  expect((await admin.visitor.post('/api/admin/timers', TIMERS)).status).toBe(200);
});

afterEach(async () => {
  await node?.close();
  node = undefined;
  const log = new EventLog(stores.eventStoreUrl);
  expect((await verify(log, null)).findings).toEqual([]);
  await log.close();
});

afterAll(async () => {
  for (const link of links) await link.kill();
});

/** The address behind a new link to it. */
async function linked(url: string): Promise<{ url: string; link: Link }> {
  const address = new URL(url.replace('esdb:', 'http:'));
  const link = await Link.to(Number(address.port));
  links.push(link);
  return { url: url.replace(`:${address.port}`, `:${link.port}`), link };
}

async function startNode({ clock }: { clock?: Clock } = {}) {
  const database = await linked(stores.databaseUrl);
  node = await startApi({ ...stores, databaseUrl: database.url }, {}, clock);
  return { node, database: database.link };
}

const game = () => application.api.app.get(Ledger).committed.game;

async function startLive(): Promise<number> {
  if (game().phase !== 'idle') await admin.visitor.post('/api/admin/game/reset', { reason: 'the next scenario' });
  expect((await admin.visitor.post('/api/admin/game/start')).status).toBe(200);
  while (game().phase !== 'live') await sleep(10);
  return game().endsAtEpochMs as number;
}

async function roundEnd(): Promise<NonNullable<ReturnType<typeof game>['lastResult']>> {
  while (game().phase !== 'downtime') await sleep(20);
  return game().lastResult as NonNullable<ReturnType<typeof game>['lastResult']>;
}

interface Bought {
  status: number;
  body: Partial<PurchaseReceipt> & { code?: string };
}

/** A buyer with open connections, whose requests reach the server at once. */
async function buyerOn(url: string, { id, visitor }: Person, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = { cookie: `omni.sid=${visitor.cookie('omni.sid')}`, 'content-type': 'application/json' };
  const send = (method: string, path: string, body?: object): Promise<Bought> =>
    new Promise((resolve, reject) => {
      const sent = request(new URL(path, url), { method, agent, headers }, async (response) => {
        const parts: Buffer[] = [];
        for await (const part of response) parts.push(part as Buffer);
        resolve({ status: response.statusCode as number, body: JSON.parse(Buffer.concat(parts).toString()) });
      });
      sent.on('error', reject);
      sent.end(body && JSON.stringify(body));
    });
  await Promise.all(Array.from({ length: connections }, () => send('GET', '/api/health/live')));
  return {
    buy: () => send('POST', '/api/buy-from-balance', { quantity: 1, userId: id }),
    close: () => agent.destroy(),
  };
}

const until = (epochMs: number) => sleep(Math.max(0, epochMs - Date.now()));

describe.each(Array.from({ length: caseCount(1, 5) }, (_, index) => index + 1))('the last second, time %i', () => {
  it('counts purchases that arrive before zero while Postgres is 150 ms away, and none that arrive after it', async () => {
    const { node, database } = await startNode();
    const buyer = await buyerOn(node.url, alice, 2);
    const endsAt = await startLive();
    database.delayMs = 75;
    // Two lookups in Postgres take 300 ms, so the purchases are decided after zero.
    await until(endsAt - 200);
    const early = await Promise.all([buyer.buy(), buyer.buy()]);
    expect(early.map(({ status }) => status)).toEqual([200, 200]);
    for (const { body } of early) expect(body.receivedAtEpochMs).toBeLessThan(endsAt);
    const newEnd = Math.max(...early.map(({ body }) => body.endsAtEpochMs ?? 0));
    expect(newEnd).toBe(endsAt + 2_000);
    await until(newEnd);
    const tooLate = await buyer.buy();
    expect(tooLate).toMatchObject({ status: 400, body: { code: 'game-downtime', lateMs: expect.any(Number) } });
    expect(await roundEnd()).toMatchObject({ winnerId: alice.id, tokenCount: 2, endedAtEpochMs: newEnd });
    buyer.close();
  });

  it.each([
    ['twenty seconds slow', -20_000],
    ['ten years fast', TEN_YEARS_MS],
  ])('decides nothing on a node whose clock is %s, and the game goes on', async (_name, aheadMs) => {
    const endsAt = await startLive();
    const { node } = await startNode({ clock: new Clock(() => Date.now() + aheadMs) });
    const buyer = await buyerOn(node.url, alice, 1);
    const honest = await buyerOn(application.api.url, bob, 1);
    expect(await buyer.buy()).toMatchObject({ status: 503, body: { code: 'clock-untrusted' } });
    const health = await new Visitor(node.url).get<{ checks: { clock: string } }>('/api/health');
    expect(health.status).toBe(503);
    expect(health.body.checks.clock).toMatch(/ms (ahead of|behind) Postgres’ clock$/);
    expect(game().phase).toBe('live');
    expect(await honest.buy()).toMatchObject({ status: 200 });
    expect(game().endsAtEpochMs).toBe(endsAt + 1_000);
    const result = await roundEnd();
    expect(result).toMatchObject({ winnerId: bob.id, endedAtEpochMs: endsAt + 1_000 });
    expect(Date.now()).toBeLessThan(endsAt + 60_000);
    const state = await application.visitor().get<StateResponse>('/api/state');
    expect(state.status).toBe(200);
    buyer.close();
    honest.close();
  });

  it('answers every request within 6 s while Postgres is half open, and works again after it', async () => {
    const { node, database } = await startNode();
    const visitor = new Visitor(node.url, { cookie: `omni.sid=${alice.visitor.cookie('omni.sid')}` });
    expect((await visitor.get('/api/support/tickets')).status).toBe(200);
    const paths = ['/api/support/tickets', `/api/genealogy/${alice.id}`, `/api/gamer/${alice.id}/withdrawals`];
    const request = async (send: () => Promise<{ status: number }>) => {
      const startedAtMs = performance.now();
      const { status } = await send();
      expect(performance.now() - startedAtMs).toBeLessThan(6_000);
      return status;
    };
    database.freeze();
    // More than the connections of both pools.
    const statuses = await Promise.all([
      ...Array.from({ length: 40 }, (_, index) => request(() => visitor.get(paths[index % paths.length] as string))),
      request(() => visitor.post('/api/login', { username: 'alice', password: 'a wrong pass phrase' })),
    ]);
    expect([...new Set(statuses)]).toEqual([503]);
    database.thaw();
    while ((await visitor.get('/api/support/tickets')).status !== 200) await sleep(100);
    for (const path of paths) expect((await visitor.get(path)).status).toBe(200);
  });
});
