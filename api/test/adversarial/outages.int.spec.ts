/*
 * The leader of the event store freezes or stops, a whole cluster dies, and a Postgres neither answers nor fails, while gamers buy
 * and retry with their keys. Every response comes within six seconds, every key buys once, and the auditor agrees.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { verify } from '../../../audit/replay/verify.js';
import { startEventStore } from '../../../embedded/event-store/start-event-store.js';
import { Link } from '../../../embedded/event-store/testing/link.js';
import { TestCluster } from '../../../embedded/event-store/testing/test-cluster.js';
import { createTestDatabase } from '../../../embedded/postgres/testing/test-database.js';
import { EventLog } from '../../../event-log/event-log.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { type Stores, startApi } from '../api-under-test.js';
import { Visitor } from '../visitor.js';
import { type Person, WholeApplication } from '../whole-application.js';

/** How long a real cluster of three takes to elect a leader (docs/operations.md). */
const ELECTION_MS = 2_000;
/** `npm test` plays each form shortly, `npm run campaigns` as long as it was seen on a real cluster. */
const IS_FULL = process.env.CAMPAIGNS === 'full';
const BUYERS = 4;

const cluster = new TestCluster();
const nodes: Link[] = [];
let gamers: Person[];

async function openCluster(): Promise<Stores> {
  const [database, logDatabase] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const store = await startEventStore({ databaseUrl: logDatabase.url, reroute: cluster.reroute });
  for (let count = 0; count < 3; count += 1) nodes.push(await Link.to(store.port));
  cluster.ports = nodes.map(({ port }) => port);
  cluster.leaderPort = cluster.ports[0] as number;
  const eventStoreUrl = `esdb://${cluster.ports.map((port) => `127.0.0.1:${port}`).join(',')}?tls=false`;
  const close = async () => {
    for (const node of nodes) await node.kill();
    await store.close();
    await Promise.all([database.drop(), logDatabase.drop()]);
  };
  return { databaseUrl: database.url, eventStoreUrl, close };
}

const application = WholeApplication.forTests({}, { stores: openCluster });
const other = application.anotherNodeForTests();
const admin = application.adminForTests();

beforeAll(async () => {
  gamers = await Promise.all(Array.from({ length: BUYERS }, (_, index) => application.register(`buyer_${index}`)));
  for (const gamer of gamers) await application.give(gamer, 1_000_000);
  expect((await admin.visitor.post('/api/admin/game/start-live')).status).toBe(200);
});

class Successes {
  count = 0;
  longestMs = 0;
  private lastMs = performance.now();

  add(): void {
    this.count += 1;
    this.longestMs = Math.max(this.longestMs, performance.now() - this.lastMs);
    this.lastMs = performance.now();
  }

  get longestSeconds(): string {
    return (this.longestMs / 1_000).toFixed(1);
  }
}

/** Buys one token at a time until `isOver`, and retries each purchase with its key until the response is definite. */
async function buyInLoop({ id, visitor }: Person, bought: Successes, isOver: () => boolean): Promise<number> {
  let slowestMs = 0;
  while (!isOver()) {
    const key = randomUUID();
    for (;;) {
      const sentAtMs = performance.now();
      const { status } = await visitor.post(
        '/api/buy-from-balance',
        { quantity: 1, userId: id },
        { 'idempotency-key': key },
      );
      slowestMs = Math.max(slowestMs, performance.now() - sentAtMs);
      if (status === 200) break;
      expect(status).toBe(503);
      await sleep(100);
    }
    bought.add();
  }
  return slowestMs;
}

/** Reads what follows the tables, and counts the changes of their position. */
async function readInLoop({ visitor }: Person, changed: Successes, isOver: () => boolean): Promise<void> {
  for (let last: string | null = null; !isOver(); await sleep(20)) {
    const { headers } = await visitor.get('/api/stats');
    const position = headers.get('x-position');
    if (position !== last) changed.add();
    last = position;
  }
}

const leader = () => nodes[cluster.ports.indexOf(cluster.leaderPort)] as Link;

/** Another node leads, after the time of an election. */
async function elect(): Promise<void> {
  await sleep(ELECTION_MS);
  cluster.leaderPort = cluster.ports.find((port) => port !== cluster.leaderPort) as number;
}

async function stopLeader(openAppends: Parameters<TestCluster['stop']>[1]): Promise<void> {
  const stopped = leader();
  await Promise.all([cluster.stop(stopped, openAppends), elect()]);
  await stopped.revive();
}

const FORMS: [string, () => Promise<void>][] = [
  ['the leader is stopped and refuses appends', () => stopLeader('are refused')],
  ['the leader is stopped and answers nothing', () => stopLeader('get no response')],
  [
    'the leader freezes',
    async () => {
      const frozen = leader();
      frozen.freeze();
      await elect();
      await sleep(IS_FULL ? 18_000 : 4_000);
      frozen.thaw();
    },
  ],
  [
    'all three nodes die and come back',
    async () => {
      for (const node of nodes) await node.kill();
      // Long enough for the client to give up its search for a server.
      await sleep(IS_FULL ? 8_000 : 6_500);
      for (const node of nodes) await node.revive();
      await sleep(ELECTION_MS);
    },
  ],
];

it.each(FORMS.slice(IS_FULL ? 0 : 2))(
  'when %s, every response comes in time and every key buys once',
  async (name, play) => {
    const before = application.api.app.get(Ledger).committed.game.tokenCount;
    let isOver = false;
    const [bought, shown, changed] = [new Successes(), new Successes(), new Successes()];
    const socket = (await application.socket(undefined, other.url)).on('purchase:added', () => shown.add());
    const loops = gamers.map((gamer) => buyInLoop(gamer, bought, () => isOver));
    loops.push(readInLoop(admin, changed, () => isOver).then(() => 0));
    await sleep(500);
    await play();
    // Wait until purchases go on.
    for (const seen = bought.count; bought.count < seen + 10; ) await sleep(50);
    isOver = true;
    const slowestMs = Math.max(...(await Promise.all(loops)));
    socket.close();
    const [purchases, messages, tables] = [bought, shown, changed].map(({ longestSeconds }) => longestSeconds);
    console.log(`${name}: no purchase for ${purchases} s, message ${messages} s, change ${tables} s`);
    expect(slowestMs).toBeLessThan(6_000);
    const ledger = application.api.app.get(Ledger);
    expect(ledger.committed.game.tokenCount - before).toBe(bought.count);
    expect((await verify(application.api.app.get(EventLog), null)).findings).toEqual([]);
  },
);

it('answers every request within 6 s while Postgres is half open, and works again after it', async () => {
  const { stores } = application;
  const [gamer] = gamers as [Person];
  const { port } = new URL(stores.databaseUrl);
  const database = await Link.to(Number(port));
  application.closesLater(() => database.kill());
  const node = await startApi(
    { ...stores, databaseUrl: stores.databaseUrl.replace(`:${port}`, `:${database.port}`) },
    {},
  );
  application.closesLater(() => node.close());
  const visitor = new Visitor(node.url, { cookie: `omni.sid=${gamer.visitor.cookie('omni.sid')}` });
  expect((await visitor.get('/api/support/tickets')).status).toBe(200);
  const paths = ['/api/support/tickets', `/api/genealogy/${gamer.id}`, `/api/gamer/${gamer.id}/withdrawals`];
  const request = async (send: () => Promise<{ status: number }>) => {
    const startedAtMs = performance.now();
    const { status } = await send();
    expect(performance.now() - startedAtMs).toBeLessThan(6_000);
    return status;
  };
  database.freeze();
  // Exceeds the connections of both pools.
  const statuses = await Promise.all([
    ...Array.from({ length: 40 }, (_, index) => request(() => visitor.get(paths[index % paths.length] as string))),
    request(() => visitor.post('/api/login', { username: 'buyer_0', password: 'a wrong pass phrase' })),
  ]);
  expect([...new Set(statuses)]).toEqual([503]);
  database.thaw();
  while ((await visitor.get('/api/support/tickets')).status !== 200) await sleep(100);
  for (const path of paths) expect((await visitor.get(path)).status).toBe(200);
});
