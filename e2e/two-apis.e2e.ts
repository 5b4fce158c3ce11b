import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { RecordedLedgerEvent } from '../contracts/events/recorded.js';
import type { PurchaseReceipt, StateResponse } from '../contracts/http/game.js';
import { TOKEN_PRICE_CENTS } from '../contracts/limits.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { booksOf } from './books.js';
import { GamerByHttp } from './gamers-by-http.js';
import { startSecondApi } from './second-api.js';
import { type StartedApplication, startApplication } from './started-application.js';

/*
 * Two api processes on one log, racing: for the last second of a round, for one balance, and for one double click.
 * Whatever they answered must be what the log says, and the log must keep the rules.
 */

let dataDir: string;
let application: StartedApplication;
let second: { url: string; stop(): Promise<void> };
let admin: GamerByHttp;
let nodes: string[];

test.beforeAll(async () => {
  test.setTimeout(180_000);
  dataDir = await mkdtemp(join(tmpdir(), 'omni-race-'));
  application = await startApplication(dataDir, await anyFreePort());
  second = await startSecondApi(application, dataDir);
  nodes = [application.url, second.url];
  admin = await GamerByHttp.logIn(application.url, 'admin', application.adminPassword ?? '');
});

test.afterAll(async () => {
  await second?.stop();
  await application?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const BUYERS = 8;
const ROUNDS = 2;

test('the last second of a round', async () => {
  test.setTimeout(180_000);
  const buyers = await Promise.all(
    Array.from({ length: BUYERS }, (_, index) => GamerByHttp.register(nodeFor(index), `racer_${index}`)),
  );
  for (const { id } of buyers) await credit(id, 1_000 * TOKEN_PRICE_CENTS);
  await asAdmin('timers', {
    pregameDurationSeconds: 1,
    liveDurationSeconds: 2,
    downtimeDurationSeconds: 1,
    tokenExtensionSeconds: 1,
  });
  await asAdmin('game/start', {});

  const receipts: PurchaseReceipt[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    await until(({ gameState, roundId }) => gameState === 'live' && roundId === round);
    await Promise.all(buyers.map((buyer, index) => buyTowardsZero(buyer, index, receipts)));
    await until(({ lastResult }) => lastResult?.roundId === round);
  }
  await asAdmin('game/reset', { reason: 'the race is over' });
  const events = await checkBooks();
  const bought = events.filter(({ event }) => event.type === 'TokenPurchased');
  expect(receipts.length).toBeGreaterThanOrEqual(BUYERS);
  expect(new Set(receipts.map(({ revision }) => revision))).toEqual(new Set(bought.map(({ revision }) => revision)));
});

test('one balance', async () => {
  test.setTimeout(120_000);
  const gamer = await GamerByHttp.register(application.url, 'one_balance');
  const affordable = 10;
  await credit(gamer.id, affordable * TOKEN_PRICE_CENTS);
  await asAdmin('game/start-live', {});
  const answers = await Promise.all(Array.from({ length: 4 * affordable }, (_, index) => gamer.buy(nodeFor(index), 1)));
  const receipts = answers.filter((answer) => typeof answer !== 'string');
  expect(receipts).toHaveLength(affordable);
  expect(receipts.map(({ purchaseBalanceCents }) => purchaseBalanceCents).sort((a, b) => a - b)).toEqual(
    Array.from({ length: affordable }, (_, index) => index * TOKEN_PRICE_CENTS),
  );
  expect(new Set(answers.filter((answer) => typeof answer === 'string'))).toEqual(
    new Set(['You need $0.30 but only have $0.00']),
  );
  await checkBooks();
});

test('one double click', async () => {
  test.setTimeout(120_000);
  const gamer = await GamerByHttp.register(application.url, 'double_click');
  await credit(gamer.id, 1_000 * TOKEN_PRICE_CENTS);
  const keys = Array.from({ length: 50 }, () => randomUUID());
  const pairs = await Promise.all(
    keys.map((key) => Promise.all([...nodes, application.url].map((url) => gamer.buy(url, 2, key)))),
  );
  for (const [first, ...repeats] of pairs) {
    expect(typeof first).toBe('object');
    for (const repeat of repeats) expect(repeat).toEqual(first);
  }
  const events = await checkBooks();
  const mine = events.filter(({ event }) => event.type === 'TokenPurchased' && event.data.buyerId === gamer.id);
  expect(mine).toHaveLength(keys.length);
});

const nodeFor = (index: number): string => nodes[index % nodes.length] as string;

/** Buys now and then while the round has time, and as fast as it can when the countdown is nearly over. */
async function buyTowardsZero(buyer: GamerByHttp, index: number, receipts: PurchaseReceipt[]): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await buyer.buy(nodeFor(index + attempt), 1);
    if (typeof answer === 'string') {
      expect(answer).toBe('Game has ended. Please wait for the next round.');
      return;
    }
    receipts.push(answer);
    // The others' seconds come on top, so each buys a few times only and then leaves the clock alone.
    if (attempt >= 1) return aimAtZero(buyer, index, receipts);
  }
}

async function aimAtZero(buyer: GamerByHttp, index: number, receipts: PurchaseReceipt[]): Promise<void> {
  for (let shots = 0; shots < 2; ) {
    const { endsAtEpochMs, serverTimeEpochMs, gameState } = await game();
    if (gameState !== 'live' || endsAtEpochMs === null) return;
    const leftMs = endsAtEpochMs - serverTimeEpochMs;
    if (leftMs > 120) {
      await sleep(Math.min(leftMs - 60, 500));
      continue;
    }
    shots += 1;
    const answer = await buyer.buy(nodeFor(index + shots), 1);
    if (typeof answer === 'string') return;
    receipts.push(answer);
  }
}

async function game() {
  return ((await (await fetch(`${application.url}/api/state`)).json()) as StateResponse).currentGame;
}

async function until(condition: (state: StateResponse['currentGame']) => boolean): Promise<void> {
  while (!condition(await game())) await sleep(50);
}

async function asAdmin(path: string, body: object): Promise<void> {
  const answer = await admin.post(`${application.url}/api/admin/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

const credit = (gamerId: string, cents: number): Promise<void> =>
  asAdmin(`mini/gamers/${gamerId}/adjust`, { purchaseBalanceCents: cents, totalWinningsCents: 0 });

/** I1 to I6 of whatever is in the log by now. */
async function checkBooks(): Promise<RecordedLedgerEvent[]> {
  const { events, fromLog, fromJournal, fromBalances, chainHolds } = await booksOf(application);
  expect(chainHolds).toBe(true);
  expect([...fromLog.values()].reduce((sum, cents) => sum + cents, 0)).toBe(0);
  expect(fromJournal).toEqual(fromLog);
  expect(fromBalances).toEqual(fromLog);
  for (const [account, cents] of fromLog) if (account !== 'house:adjustments') expect(cents).toBeGreaterThan(0);
  checkRounds(events);
  return events;
}

/** Every purchase came before the countdown's end as it then was; the last one of a round won it, and there is one winner. */
function checkRounds(events: RecordedLedgerEvent[]): void {
  let endsAt = 0;
  let last: string | null = null;
  for (const { event, metadata } of events) {
    if (event.type === 'LiveStarted') [endsAt, last] = [event.data.endsAtEpochMs, null];
    if (event.type === 'TokenPurchased') {
      expect(metadata.at).toBeLessThan(endsAt);
      last = event.data.purchaseId;
    }
    if (event.type === 'TimeExtended' || event.type === 'LiveResumed') endsAt = event.data.endsAtEpochMs;
    if (event.type === 'RoundEnded') {
      expect(event.data.winner?.purchaseId ?? null).toBe(last);
      expect(metadata.at).toBeGreaterThanOrEqual(endsAt);
      endsAt = 0;
    }
  }
}
