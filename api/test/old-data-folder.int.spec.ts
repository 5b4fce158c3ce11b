/*
 * The data of an earlier release: both databases of a data folder in which that release played two rounds, as SQL.
 * This version starts on it, shows it as it was, goes on with it, and proves it.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { readSnapshots } from '../../audit/snapshots.js';
import { readTables } from '../../audit/tables.js';
import { verify } from '../../audit/verify.js';
import type { GamerSession } from '../../contracts/http/accounts.js';
import type { CommunityPost } from '../../contracts/http/community.js';
import type { PurchaseReceipt, WinnersResponse } from '../../contracts/http/game.js';
import type { GamerProfile } from '../../contracts/http/gamers.js';
import type { PendingDeposit } from '../../contracts/http/payments.js';
import type { SupportTicket } from '../../contracts/http/support.js';
import type { AdminProfits, Withdrawal } from '../../contracts/http/withdrawals.js';
import { startEventStore } from '../../embedded/event-store/start-event-store.js';
import { createTestDatabase } from '../../embedded/postgres/testing/test-database.js';
import { EventLog } from '../../event-log/event-log.js';
import { compareViews, rebuildViews } from '../../projections/src/rebuild-views.js';
import { allViews } from '../../projections/src/views/all-views.js';
import type { Stores } from '../src/testing/api-under-test.js';
import type { Visitor } from '../src/testing/visitor.js';
import { readAfter, WholeApplication } from '../src/testing/whole-application.js';

const PASSWORD = 'open sesame, old folder';
const ADMIN_PASSWORD = 'the admin of the old folder';

/** The balances of each gamer: purchase balance, winnings now, winnings ever, paid withdrawals, in cents. */
const BALANCES: Record<string, [number, number, number, number]> = {
  alice: [1_610, 70, 70, 0],
  bob: [3_620, 545, 2_895, 1_000],
  carol: [2_540, 0, 0, 0],
  dave: [1_670, 36, 36, 0],
  erin: [1_940, 0, 0, 0],
  gracie: [0, 0, 0, 0],
  heidi: [1_820, 260, 260, 0],
  ivan: [0, 0, 0, 0],
};

let application: WholeApplication;
let admin: Visitor;
let log: EventLog;
let database: Client;

async function oldStores(): Promise<Stores> {
  const dump = gunzipSync(readFileSync(path.join(__dirname, 'fixtures', 'old-data-folder.sql.gz'))).toString('utf8');
  const [, events = '', tables = ''] = dump.split(/^-- database .*\n/m);
  const restored = await Promise.all([events, tables].map(restore));
  const [eventsDatabase, applicationDatabase] = restored as [(typeof restored)[number], (typeof restored)[number]];
  const eventStore = await startEventStore({ databaseUrl: eventsDatabase.url });
  return {
    databaseUrl: applicationDatabase.url,
    eventStoreUrl: eventStore.connectionString,
    close: async () => {
      await eventStore.close();
      for (const { drop } of restored) await drop();
    },
  };
}

async function restore(sql: string) {
  const restored = await createTestDatabase();
  const client = new Client({ connectionString: restored.url });
  await client.connect();
  await client.query(sql);
  await client.end();
  return restored;
}

async function logIn(username: string, password: string): Promise<GamerSession & { visitor: Visitor }> {
  const visitor = application.visitor();
  const { status, body } = await visitor.post<GamerSession>('/api/login', { username, password });
  expect(status).toBe(200);
  return { ...body, visitor };
}

const balancesOf = async ({ id, visitor }: { id: string; visitor: Visitor }) => {
  const { wallet, balances } = (await visitor.get<GamerProfile>(`/api/gamer/${id}`)).body;
  const { currentWinningsCents, totalWinningsCents, personalWithdrawalsPaidCents } = balances;
  return [wallet.purchaseBalanceCents, currentWinningsCents, totalWinningsCents, personalWithdrawalsPaidCents];
};

const posts = async () =>
  (await admin.get<CommunityPost[]>('/api/community/posts')).body.map(({ gamerTag, message }) => [gamerTag, message]);

/** Ends with what `audit verify` would say, once the tables have every event. */
async function findings(): Promise<string[]> {
  for (;;) {
    const snapshots = await readSnapshots(database);
    const verdict = await verify(log, { tables: await readTables(database), snapshots });
    if (verdict.comparedEvents === verdict.events) return verdict.findings.map(({ says }) => says);
  }
}

async function expectNoDifference(): Promise<void> {
  const compared = await compareViews(allViews, { databaseUrl: application.stores.databaseUrl, log });
  expect(compared.filter(({ onlyServing, onlyRebuilt }) => onlyServing + onlyRebuilt > 0)).toEqual([]);
}

beforeAll(async () => {
  const stores = await oldStores();
  application = await WholeApplication.start({}, stores);
  admin = (await logIn('admin', ADMIN_PASSWORD)).visitor;
  log = new EventLog(stores.eventStoreUrl);
  database = new Client({ connectionString: stores.databaseUrl });
  await database.connect();
});

afterAll(async () => {
  await database?.end();
  await log?.close();
  await application?.close();
});

it('logs gamers in with their old passwords and shows their balances', async () => {
  for (const [gamerTag, balances] of Object.entries(BALANCES)) {
    expect([gamerTag, await balancesOf(await logIn(gamerTag, PASSWORD))]).toEqual([gamerTag, balances]);
  }
});

it('shows rounds, profit, deposits, withdrawals and tickets as they were', async () => {
  const { winners } = (await admin.get<WinnersResponse>('/api/winners')).body;
  expect(winners.map((won) => [won.roundId, won.winnerGamerTag, won.jackpotCents])).toEqual([
    [2, 'heidi', 260],
    [1, 'bob', 338],
  ]);
  expect((await admin.get<AdminProfits>('/api/admin/profits')).body).toEqual({
    totalProfitCents: 92,
    currentProfitCents: 92,
    totalTokensPurchased: 46,
    unclaimedCents: 527,
    depositFeesCents: 275,
    forfeitedCents: 1_970,
  });
  const { body: pending } = await admin.get<PendingDeposit[]>('/api/admin/deposits/pending');
  expect(pending).toMatchObject([{ gamerTag: 'carol', amountCents: 1_300, reason: 'More arrived than was due' }]);
  const bob = await logIn('bob', PASSWORD);
  const { body: withdrawals } = await bob.visitor.get<Withdrawal[]>(`/api/gamer/${bob.id}/withdrawals`);
  expect(withdrawals.map(({ amountCents, status, txid }) => [amountCents, status, txid])).toEqual([
    [1_100, 'pending', null],
    [1_000, 'completed', 'old-tx-1'],
  ]);
  const alice = await logIn('alice', PASSWORD);
  const { body: tickets } = await alice.visitor.get<SupportTicket[]>('/api/support/tickets');
  expect(tickets).toMatchObject([{ subject: 'A question', status: 'closed', adminNotes: 'In four hours' }]);
});

it('shows the posts of the stream community, and can hide them', async () => {
  const old = [
    ['bob', 'Paid out within the hour'],
    ['deleted-gamer', ''],
    ['alice', 'Good luck, everybody'],
  ];
  expect(await posts()).toEqual(old);
  const { body } = await admin.get<CommunityPost[]>('/api/community/posts');
  const hidden = await admin.send('DELETE', `/api/admin/community/posts/${body[2]?.id}`, { reason: 'A test' });
  expect(hidden.status).toBe(200);
  await readAfter(admin, hidden, '/api/community/posts');
  const carol = await logIn('carol', PASSWORD);
  const posted = await carol.visitor.post('/api/community/posts', { gamerId: carol.id, message: 'Still here' });
  await readAfter(admin, posted, '/api/community/posts');
  expect(await posts()).toEqual([['carol', 'Still here'], ...old.slice(0, 2)]);
});

it('plays a new round with the old balances, and pays the old uplines', async () => {
  // A round opens by itself, because the old downtime is over; it is reset unless it is still on its way.
  await admin.post('/api/admin/game/reset', { reason: 'A test' });
  expect((await admin.post('/api/admin/game/start-live')).status).toBe(200);
  const dave = await logIn('dave', PASSWORD);
  const bought = await dave.visitor.post<PurchaseReceipt>('/api/buy-from-balance', { quantity: 10, userId: dave.id });
  expect([bought.status, bought.body]).toMatchObject([200, { costCents: 300, purchaseBalanceCents: 1_370 }]);
  const profits = await readAfter<AdminProfits>(admin, bought, '/api/admin/profits');
  expect(profits).toMatchObject({ totalProfitCents: 112, totalTokensPurchased: 56 });
});

it('is proved by the auditor, and rebuilt without a difference', async () => {
  expect(await findings()).toEqual([]);
  await expectNoDifference();
  await rebuildViews(allViews, { databaseUrl: application.stores.databaseUrl, log });
  expect(await findings()).toEqual([]);
  await expectNoDifference();
  const carol = await logIn('carol', PASSWORD);
  expect(await balancesOf(carol)).toEqual(BALANCES.carol);
});
