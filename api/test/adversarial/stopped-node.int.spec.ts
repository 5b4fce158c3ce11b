/* The only node is stopped (SIGSTOP) across zero: an outage, and what was sent meanwhile counts (decisions 20, 46). */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { verify } from '../../../audit/replay/verify.js';
import type { PurchaseReceipt } from '../../../contracts/http/purchases.js';
import { caseCount } from '../../../contracts/testing/case-count.js';
import { anyFreePort } from '../../../embedded/postgres/free-port.js';
import { EventLog } from '../../../event-log/event-log.js';
import { ADMIN_PASSWORD, type Stores, spawnApi, startStores } from '../api-under-test.js';
import { Visitor } from '../visitor.js';

let stores: Stores;
let node: ChildProcess;
let url: string;
let admin: Visitor;

beforeAll(async () => {
  stores = await startStores();
  url = `http://127.0.0.1:${await anyFreePort()}`;
  node = await spawnApi(stores, url);
  admin = new Visitor(url);
  expect((await admin.post('/api/login', { username: 'admin', password: ADMIN_PASSWORD })).status).toBe(200);
});

afterAll(async () => {
  node.kill('SIGCONT');
  const ended = once(node, 'exit');
  node.kill('SIGTERM');
  await ended;
  const log = new EventLog(stores.eventStoreUrl);
  expect((await verify(log, null)).findings).toEqual([]);
  await log.close();
  await stores.close();
});

async function gamer(gamerTag: string) {
  const visitor = new Visitor(url);
  const body = { username: gamerTag, email: `${gamerTag}@example.com`, password: 'open sesame', referralCode: null };
  const { id } = (await visitor.post<{ id: string }>('/api/register', body)).body;
  const money = { purchaseBalanceCents: 1_000, totalWinningsCents: 0, reason: 'play money' };
  expect((await admin.post(`/api/admin/mini/gamers/${id}/adjust`, money)).status).toBe(200);
  return {
    buy: () => visitor.post<PurchaseReceipt & { code?: string }>('/api/buy-from-balance', { quantity: 1, userId: id }),
  };
}

const until = (epochMs: number) => sleep(Math.max(0, epochMs - Date.now()));

const GAMES = Array.from({ length: caseCount(1, 5) }, (_, index) => index + 1);

it.each(GAMES)('goes on with the round, and counts the purchase that was sent meanwhile, game %i', async (number) => {
  const [alice, bob] = [await gamer(`alice_${number}`), await gamer(`bob_${number}`)];
  if (number > 1) expect((await admin.post('/api/admin/game/reset', { reason: 'the next game' })).status).toBe(200);
  const timers = {
    pregameDurationSeconds: 1,
    liveDurationSeconds: 4,
    downtimeDurationSeconds: 3_600,
    tokenExtensionSeconds: 1,
  };
  expect((await admin.post('/api/admin/timers', timers)).status).toBe(200);
  expect((await admin.post('/api/admin/game/start')).status).toBe(200);
  let first = await bob.buy();
  while (first.body.code === 'game-pregame') first = await bob.buy();
  expect(first.status).toBe(200);
  const zero = first.body.endsAtEpochMs;

  await until(zero - 1_000);
  node.kill('SIGSTOP');
  await until(zero - 800);
  const buying = alice.buy();
  await until(zero + 2_600);
  node.kill('SIGCONT');

  const second = await buying;
  expect(second).toMatchObject({ status: 200, body: { roundId: first.body.roundId } });
  // At least 30 seconds are left after an outage, and the purchase adds one.
  expect(second.body.endsAtEpochMs).toBeGreaterThanOrEqual(zero + 2_600 + 30_000);
  expect((await bob.buy()).body.endsAtEpochMs).toBe(second.body.endsAtEpochMs + 1_000);
});
