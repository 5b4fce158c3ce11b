/*
 * The event store becomes unavailable in seven ways, on a played cluster of three, while gamers buy in a closed loop and retry with
 * their keys. Every answer comes within six seconds, every key buys once, other nodes' sockets and the tables go on, and the
 * auditor agrees.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { verify } from '../../../audit/replay/verify.js';
import { until } from '../../../contracts/testing/until.js';
import { startEventStore } from '../../../embedded/event-store/start-event-store.js';
import { Link } from '../../../embedded/event-store/testing/link.js';
import { TestCluster } from '../../../embedded/event-store/testing/test-cluster.js';
import { createTestDatabase } from '../../../embedded/postgres/testing/test-database.js';
import { EventLog } from '../../../event-log/event-log.js';
import { Ledger } from '../../src/ledger/ledger.js';
import type { Stores } from '../api-under-test.js';
import { type Person, WholeApplication } from '../whole-application.js';

/** How long a real cluster of three takes to elect a leader (docs/operations.md). */
const ELECTION_MS = 2_000;
/** `npm test` plays each form shortly, `npm run campaigns` as long as it was seen on a real cluster. */
const IS_FULL = process.env.CAMPAIGNS === 'full';
const BUYERS = 4;

const cluster = new TestCluster();
const nodes: Link[] = [];
let gamers: Person[];
let url: string;

async function openCluster(): Promise<Stores> {
  const [database, logDatabase] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const store = await startEventStore({ databaseUrl: logDatabase.url, reroute: cluster.reroute });
  for (let count = 0; count < 3; count += 1) nodes.push(await Link.to(store.port));
  cluster.ports = nodes.map(({ port }) => port);
  cluster.leaderPort = cluster.ports[0] as number;
  url = `esdb://${cluster.ports.map((port) => `127.0.0.1:${port}`).join(',')}?tls=false`;
  const close = async () => {
    for (const node of nodes) await node.kill();
    await store.close();
    await Promise.all([database.drop(), logDatabase.drop()]);
  };
  return { databaseUrl: database.url, eventStoreUrl: url, close };
}

const application = WholeApplication.forTests({}, { stores: openCluster });
const other = application.anotherNodeForTests();
const admin = application.adminForTests();

beforeAll(async () => {
  gamers = await Promise.all(Array.from({ length: BUYERS }, (_, index) => application.register(`buyer_${index}`)));
  for (const gamer of gamers) await application.give(gamer, 1_000_000);
  expect((await admin.visitor.post('/api/admin/game/start-live')).status).toBe(200);
});

/** Buys one token at a time until `isOver`, and retries each purchase with its key until the answer is definite. */
async function buyInLoop({ id, visitor }: Person, onBought: () => void, isOver: () => boolean): Promise<number> {
  const body = { quantity: 1, userId: id };
  let slowestMs = 0;
  while (!isOver()) {
    const key = { 'idempotency-key': randomUUID() };
    for (;;) {
      const sentAtMs = performance.now();
      const { status } = await visitor.post('/api/buy-from-balance', body, key);
      slowestMs = Math.max(slowestMs, performance.now() - sentAtMs);
      if (status === 200) break;
      expect(status).toBe(503);
      await sleep(100);
    }
    onBought();
  }
  return slowestMs;
}

const tablesAt = async () => (await admin.visitor.get('/api/stats')).headers.get('x-position');

/** Another node leads, after the time of an election. */
async function elect(index: number): Promise<void> {
  await sleep(ELECTION_MS);
  cluster.leaderPort = cluster.ports[index] as number;
}

const leader = () => nodes[cluster.ports.indexOf(cluster.leaderPort)] as Link;
const followerIndex = () => (cluster.ports.indexOf(cluster.leaderPort) + 1) % nodes.length;

async function stopLeader(openAppends: Parameters<TestCluster['stop']>[1]): Promise<void> {
  const stopped = leader();
  await Promise.all([cluster.stop(stopped, openAppends), elect(followerIndex())]);
  await stopped.revive();
}

const forms: [string, () => Promise<void>][] = [
  ['the leader is stopped and refuses appends', () => stopLeader('are refused')],
  ['the leader is stopped and answers nothing', () => stopLeader('get no answer')],
  [
    'the leader dies',
    async () => {
      const dead = leader();
      await dead.kill();
      await elect(followerIndex());
      await sleep(IS_FULL ? 10_000 : 3_000);
      await dead.revive();
    },
  ],
  [
    'the leader freezes',
    async () => {
      const frozen = leader();
      frozen.freeze();
      await elect(followerIndex());
      await sleep(IS_FULL ? 18_000 : 4_000);
      frozen.thaw();
    },
  ],
  [
    'a follower dies',
    async () => {
      const dead = nodes[followerIndex()] as Link;
      await dead.kill();
      await sleep(IS_FULL ? 10_000 : 2_000);
      await dead.revive();
    },
  ],
  [
    'the leader resigns and names its successor',
    async () => {
      cluster.leaderPort = cluster.ports[followerIndex()] as number;
      await sleep(2_000);
    },
  ],
  [
    'all three die and come back',
    async () => {
      for (const node of nodes) await node.kill();
      // Long enough for the client to give up its search for a server.
      await sleep(IS_FULL ? 8_000 : 6_500);
      for (const node of nodes) await node.revive();
      await sleep(ELECTION_MS);
    },
  ],
];

/** `npm test` plays two of them: event-log/connection.int.spec.ts has the others for the client. */
const played = forms.filter(([name]) => IS_FULL || /freezes|all three/.test(name));

it.each(played)('when %s, every answer comes in time and every key buys once', async (_name, play) => {
  const before = application.api.app.get(Ledger).committed.game.tokenCount;
  let isOver = false;
  let bought = 0;
  let shown = 0;
  const onBought = () => {
    bought += 1;
  };
  const socket = (await application.socket(undefined, other.url)).on('purchase:added', () => {
    shown += 1;
  });
  const loops = gamers.map((gamer) => buyInLoop(gamer, onBought, () => isOver));
  await sleep(500);
  await play();
  const seen = { bought, shown, tables: await tablesAt() };
  await until(async () => bought >= seen.bought + 10 && shown > seen.shown && (await tablesAt()) !== seen.tables);
  isOver = true;
  expect(Math.max(...(await Promise.all(loops)))).toBeLessThan(6_000);
  socket.close();
  const ledger = application.api.app.get(Ledger);
  expect(ledger.committed.game.tokenCount - before).toBe(bought);
  expect((await verify(application.api.app.get(EventLog), null)).findings).toEqual([]);
});
