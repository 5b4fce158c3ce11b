/* What is read from the stores: tables that are behind, connections that break, and events of another program. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { Pool } from 'pg';
import type { StateResponse, StatsResponse } from '../../contracts/http/game.js';
import type { AdminGamersResponse, GamerProfile } from '../../contracts/http/gamers.js';
import type { PurchaseReceipt, RecentPurchasesResponse } from '../../contracts/http/purchases.js';
import { EventVersions } from '../../event-log/event-versions.js';
import { AccountsStore } from '../src/features/gamers/accounts.store.js';
import { PriorityPool } from '../src/platform/priority-pool.store.js';
import { type ApiResponse, ok, type Visitor } from './visitor.js';
import { type Person, readAfter, WholeApplication } from './whole-application.js';

const application = WholeApplication.forTests({}, { worker: false });
const { api } = application;
const stranger = application.visitor();

const lastPosition = async () => (await stranger.get('/api/state')).headers.get('x-position');

it('returns 503 until the worker has created the tables', async () => {
  for (const path of ['/api/state', '/api/stats', '/api/winners', '/api/purchases/recent']) {
    const response = await stranger.get<{ error: string }>(path);
    expect(response.status).toBe(503);
    expect(response.body.error).toEqual(expect.any(String));
  }
});

describe('with the worker', () => {
  const { visitor: admin } = application.adminForTests();
  let alice: Person;
  let bob: Person;
  let carol: Person;

  beforeAll(async () => {
    await application.startWorker();
    alice = await application.register('alice');
    bob = await application.register('bob', alice.refCode);
    carol = await application.register('carol', bob.refCode);
  });

  it('shows a write to every query that carries its position', async () => {
    const adjusted = await application.give(bob, 1_000);
    const list = `/api/admin/mini/gamers?q=${bob.id}`;
    const { gamers } = await readAfter<AdminGamersResponse>(admin, adjusted, list);
    const sponsor = { id: alice.id, gamerTag: 'alice' };
    expect(gamers).toMatchObject([{ sponsor, purchaseBalance: 1_000 }]);
  });

  it('shows a purchase on the board, in the feed and in the sum of all winnings', async () => {
    await ok(admin.post(`/api/admin/mini/gamers/${alice.id}/depositor-status`, { isDepositor: true }));
    await admin.post('/api/admin/game/start-live');
    const bought = await bob.visitor.post<PurchaseReceipt>('/api/buy-from-balance', { quantity: 3, userId: bob.id });
    expect(bought.status).toBe(200);

    const { currentGame } = await readAfter<StateResponse>(stranger, bought, '/api/state');
    expect(currentGame).toMatchObject({
      gameState: 'live',
      isActive: true,
      jackpotCents: 39,
      lastBuyerId: bob.id,
      lastBuyerGamerTag: 'bob',
      endsAtEpochMs: bought.body.endsAtEpochMs,
    });
    const left = (bought.body.endsAtEpochMs - currentGame.serverTimeEpochMs) / 1000;
    expect(currentGame.countdownSecondsRemaining).toBe(Math.ceil(left));

    const { purchases } = await readAfter<RecentPurchasesResponse>(stranger, bought, '/api/purchases/recent');
    const boughtAt = purchases[0]?.timestamp ?? 0;
    expect(boughtAt).toBeGreaterThanOrEqual(bought.body.receivedAtEpochMs);
    expect(purchases).toEqual([
      {
        purchaseId: bought.body.purchaseId,
        roundId: 1,
        buyerId: bob.id,
        buyerGamerTag: 'bob',
        timestamp: boughtAt,
        quantity: 3,
        addedSeconds: 90,
        newJackpot: 39,
        newCountdown: Math.ceil((bought.body.endsAtEpochMs - boughtAt) / 1000),
      },
    ]);

    const stats = await readAfter<StatsResponse>(stranger, bought, '/api/stats');
    expect(stats).toEqual({ totalGamers: 3, totalWinningsDollars: 0.09 });
  });

  it('refuses an invalid position, and answers after two seconds for one that is never reached', async () => {
    for (const position of ['-1', '1e3', '', '9'.repeat(21)]) {
      const response = await stranger.get<{ error: string }>('/api/state', { 'x-after-position': position });
      expect([position, response.status]).toEqual([position, 400]);
      expect(response.body.error).toBe('X-After-Position must be a log position');
    }
    const future = await stranger.get<StateResponse>('/api/state', { 'x-after-position': '9'.repeat(20) });
    expect(future.status).toBe(200);
  });

  it('follows the checkpoint again after its connection was cut, and still knows the gamers’ tags', async () => {
    const accounts = api.app.get(AccountsStore);
    await accounts.tagsOf([bob.id]);
    const cut = await application.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'omni-jackpot-api-listener'`,
    );
    expect(cut.rowCount).toBe(1);
    const before = await lastPosition();
    const adjusted = await application.give(carol, 1);
    const profile = await readAfter<GamerProfile>(carol.visitor, adjusted, `/api/gamer/${carol.id}`);
    expect(profile.wallet.purchaseBalanceCents).toBe(1);
    expect(BigInt((await lastPosition()) as string)).toBeGreaterThan(BigInt(before as string));
    expect(accounts.rememberedTagsOf([bob.id]).get(bob.id)).toBe('bob');
    expect(application.workerFailures).toEqual([]);
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

  describe('beside another program', () => {
    let neighbour: EventStoreDBClient;

    beforeAll(() => {
      neighbour = EventStoreDBClient.connectionString(application.stores.eventStoreUrl);
      application.closesLater(() => neighbour.dispose());
    });

    const foreign = (type = 'OrderPaid') => jsonEvent({ type, data: { cents: 1 } });
    const buy = (visitor: Visitor) => visitor.post('/api/buy-from-balance', { quantity: 1, userId: alice.id });

    const balanceAfter = async (bought: ApiResponse<unknown>, visitor = alice.visitor) =>
      (await readAfter<GamerProfile>(visitor, bought, `/api/gamer/${alice.id}`)).wallet.purchaseBalanceCents;

    it('goes on when that writes into streams of ours, and names its first event', async () => {
      await application.give(alice, 900);
      await admin.post('/api/admin/game/start-live');
      const asked = { gamerId: alice.id, subject: 'Help', message: 'Where is my money?' };
      const { body: ticket } = await alice.visitor.post<{ id: string }>('/api/support/tickets', asked);
      const streams = [
        `omni_ticket-${ticket.id}`,
        `omni_gamer-${alice.id}`,
        'omni_post-1',
        'omni_payment-1',
        'omni_ledger-copy',
      ];
      for (const stream of [...streams, 'ticket-1', 'gamer-x']) await neighbour.appendToStream(stream, foreign());

      const answered = await admin.put(`/api/admin/support/tickets/${ticket.id}`, {
        status: 'closed',
        adminNotes: 'Paid.',
      });
      expect(answered.status).toBe(200);
      const bought = await buy(alice.visitor);
      expect(bought.status).toBe(200);
      expect(await balanceAfter(bought)).toBe(870);
      const { status, body } = await application.visitor().get<{ checks: { foreignEvents: string } }>('/api/health');
      expect(status).toBe(200);
      expect(body.checks.foreignEvents).toMatch(/^skipped .*: omni_(post|ticket)-\S+@\d \(OrderPaid, id /);
    });

    it('stops at its event in the ledger, and goes on in a copy of the log with every acknowledged event', async () => {
      await application.worker?.stop();
      await neighbour.appendToStream('omni_ledger', foreign('Intruder'));
      expect((await buy(alice.visitor)).status).toBe(503);
      const { message } = await application.api.app.get(EventVersions).unreadable;
      expect(message).toMatch(/^omni_ledger@\d+ \(Intruder, id .*\) was not written by this application/);

      const { databaseUrl, eventStoreUrl } = application.stores;
      const env = { ...process.env, EVENT_STORE_URL: eventStoreUrl, NEW_STREAM_PREFIX: 'copy_' };
      const copy = () => promisify(execFile)(process.execPath, ['deploy/event-store/copy-log.mjs'], { env });
      const { stdout } = await copy();
      expect(stdout).toMatch(/Left out: omni_ledger@\d+, Intruder, .*\n\d+ events copied to copy_/s);
      expect((await copy()).stdout).toBe(stdout);
      await application.database.query('DROP SCHEMA read CASCADE');
      const stores = () => ({ databaseUrl, eventStoreUrl, close: async () => {} });
      const restored = await WholeApplication.start({ STREAM_PREFIX: 'copy_' }, { stores });
      try {
        const again = restored.visitor();
        await again.post('/api/login', { username: 'alice', password: 'open sesame' });
        const bought = await buy(again);
        expect(bought.status).toBe(200);
        expect(await balanceAfter(bought, again)).toBe(840);
      } finally {
        await restored.close();
      }
    });
  });
});
