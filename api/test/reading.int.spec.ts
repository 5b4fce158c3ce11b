import { Client, Pool } from 'pg';
import { pino } from 'pino';
import type { StateResponse, StatsResponse } from '../../contracts/http/game.js';
import type { GamerProfile, GamerSession } from '../../contracts/http/gamers.js';
import type { PurchaseReceipt, RecentPurchasesResponse } from '../../contracts/http/purchases.js';
import { EventLog } from '../../event-log/event-log.js';
import { Runner } from '../../projections/src/runner.js';
import { allViews } from '../../projections/src/views/all-views.js';
import { PriorityPool } from '../src/platform/priority-pool.store.js';
import { ADMIN_PASSWORD, type RunningApi, type Stores, startApi, startStores } from './api-under-test.js';
import { Visitor } from './visitor.js';

let stores: Stores;
let api: RunningApi;
let log: EventLog;
let worker: Runner;
const failures: Error[] = [];

const admin = () => visitors.admin;
const visitors = {} as Record<'admin' | 'alice' | 'bob' | 'carol' | 'stranger', Visitor>;
const ids = {} as Record<'alice' | 'bob' | 'carol', string>;

/** Reads like the client: a query after a command carries the command's position. */
async function readAfter<T>(visitor: Visitor, written: { headers: Headers }, path: string) {
  const position = written.headers.get('x-position') as string;
  expect(position).toMatch(/^\d+$/);
  const answer = await visitor.get<T>(path, { 'x-after-position': position });
  expect(answer.status).toBe(200);
  expect(BigInt(answer.headers.get('x-position') as string)).toBeGreaterThanOrEqual(BigInt(position));
  return answer.body;
}

async function register(name: 'alice' | 'bob' | 'carol', referralCode: string | null): Promise<GamerSession> {
  visitors[name] = new Visitor(api.url);
  const body = { username: name, email: `${name}@example.com`, password: 'open sesame', referralCode };
  const answer = await visitors[name].post<GamerSession>('/api/register', body);
  expect(answer.status).toBeLessThan(300);
  ids[name] = answer.body.id;
  return answer.body;
}

const lastPosition = async () => (await new Visitor(api.url).get('/api/state')).headers.get('x-position');

beforeAll(async () => {
  stores = await startStores();
  api = await startApi(stores);
  visitors.stranger = new Visitor(api.url);
});

afterAll(async () => {
  await worker?.stop();
  await log?.close();
  await api?.close();
  await stores?.close();
});

function startWorker(): void {
  log = new EventLog(stores.eventStoreUrl);
  worker = new Runner({
    databaseUrl: stores.databaseUrl,
    log,
    views: allViews,
    logger: pino({ level: 'silent' }),
    onFatal: (error) => failures.push(error),
  });
  worker.start();
}

it('answers 503 until the worker has created the tables', async () => {
  for (const path of ['/api/state', '/api/stats', '/api/winners', '/api/purchases/recent']) {
    const answer = await visitors.stranger.get<{ error: string }>(path);
    expect(answer.status).toBe(503);
    expect(answer.body.error).toEqual(expect.any(String));
  }
});

describe('with the worker', () => {
  beforeAll(async () => {
    startWorker();
    while ((await visitors.stranger.get('/api/stats')).status !== 200) await new Promise((go) => setTimeout(go, 20));
    visitors.admin = new Visitor(api.url);
    expect((await admin().post('/api/login', { username: 'admin', password: ADMIN_PASSWORD })).status).toBe(200);
    const alice = await register('alice', null);
    const bob = await register('bob', alice.refCode);
    await register('carol', bob.refCode);
  });

  it('shows a write to every query that carries its position', async () => {
    const deposited = await admin().post(`/api/admin/mini/gamers/${ids.alice}/depositor-status`, { isDepositor: true });
    const alice = await readAfter<GamerProfile>(visitors.alice, deposited, `/api/gamer/${ids.alice}`);
    expect(alice.isDepositor).toBe(true);
    expect(alice.depositorExpiresAt).toBeGreaterThan(Date.now());
    const change = { purchaseBalanceCents: 1_000, totalWinningsCents: 0, reason: 'a gift' };
    const adjusted = await admin().post(`/api/admin/mini/gamers/${ids.bob}/adjust`, change);
    const bob = await readAfter<GamerProfile>(visitors.bob, adjusted, `/api/gamer/${ids.bob}`);
    expect(bob.wallet.purchaseBalanceCents).toBe(1_000);
  });

  it('shows a purchase on the board, in the feed, in the balances and in the sponsor’s winnings', async () => {
    await admin().post('/api/admin/game/start-live');
    const bought = await visitors.bob.post<PurchaseReceipt>('/api/buy-from-balance', { quantity: 3, userId: ids.bob });
    expect(bought.status).toBe(200);

    const { currentGame } = await readAfter<StateResponse>(visitors.stranger, bought, '/api/state');
    expect(currentGame).toMatchObject({
      gameState: 'live',
      isActive: true,
      jackpotCents: 39,
      lastBuyerId: ids.bob,
      lastBuyerGamerTag: 'bob',
      endsAtEpochMs: bought.body.endsAtEpochMs,
    });
    const left = (bought.body.endsAtEpochMs - currentGame.serverTimeEpochMs) / 1000;
    expect(currentGame.countdownSecondsRemaining).toBe(Math.ceil(left));

    const { purchases } = await readAfter<RecentPurchasesResponse>(visitors.stranger, bought, '/api/purchases/recent');
    const boughtAt = purchases[0]?.timestamp ?? 0;
    expect(boughtAt).toBeGreaterThanOrEqual(bought.body.receivedAtEpochMs);
    expect(purchases).toEqual([
      {
        purchaseId: bought.body.purchaseId,
        roundId: 1,
        buyerId: ids.bob,
        buyerGamerTag: 'bob',
        timestamp: boughtAt,
        quantity: 3,
        addedSeconds: 90,
        newJackpot: 39,
        newCountdown: Math.ceil((bought.body.endsAtEpochMs - boughtAt) / 1000),
      },
    ]);

    const bob = await readAfter<GamerProfile>(visitors.bob, bought, `/api/gamer/${ids.bob}`);
    expect(bob.wallet.purchaseBalanceCents).toBe(1_000 - 90);
    const alice = await readAfter<GamerProfile>(visitors.alice, bought, `/api/gamer/${ids.alice}`);
    expect(alice.balances).toEqual({
      personalWithdrawalsPaidCents: 0,
      currentWinningsCents: 9,
      totalWinningsCents: 9,
      reservedCents: 0,
      transferredCents: 0,
    });
    const stats = await readAfter<StatsResponse>(visitors.stranger, bought, '/api/stats');
    expect(stats).toEqual({ totalGamers: 3, totalWinningsDollars: 0.09 });
  });

  it('refuses an invalid position, and answers after two seconds for one that is never reached', async () => {
    for (const position of ['-1', '1e3', '', '9'.repeat(21)]) {
      const answer = await visitors.stranger.get<{ error: string }>('/api/state', { 'x-after-position': position });
      expect([position, answer.status]).toEqual([position, 400]);
      expect(answer.body.error).toBe('X-After-Position must be a log position');
    }
    const future = await visitors.stranger.get<StateResponse>('/api/state', { 'x-after-position': '9'.repeat(20) });
    expect(future.status).toBe(200);
  });

  it('follows the checkpoint again after its connection was cut', async () => {
    const postgres = new Client({ connectionString: stores.databaseUrl });
    await postgres.connect();
    const cut = await postgres.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'omni-jackpot-api-listener'`,
    );
    await postgres.end();
    expect(cut.rowCount).toBe(1);
    const before = await lastPosition();
    const change = { purchaseBalanceCents: 1, totalWinningsCents: 0, reason: 'a gift' };
    const adjusted = await admin().post(`/api/admin/mini/gamers/${ids.carol}/adjust`, change);
    const carol = await readAfter<GamerProfile>(visitors.carol, adjusted, `/api/gamer/${ids.carol}`);
    expect(carol.wallet.purchaseBalanceCents).toBe(1);
    expect(BigInt((await lastPosition()) as string)).toBeGreaterThan(BigInt(before as string));
    expect(failures).toEqual([]);
  });

  it.each([['general', Pool] as const, ['priority', PriorityPool] as const])(
    'goes on when Postgres closes a connection of the %s pool that is in use',
    async (_name, token) => {
      const pool = api.app.get<Pool>(token);
      const client = await pool.connect();
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const closed = new Promise((resolve) => client.once('end', resolve));
      await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      await closed;
      await expect(client.query('SELECT 1')).rejects.toThrow('not queryable');
      client.release();
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    },
  );
});
