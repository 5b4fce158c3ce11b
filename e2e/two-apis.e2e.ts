import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { RecordedLedgerEvent } from '../contracts/events/recorded.js';
import type { PurchaseReceipt } from '../contracts/http/game.js';
import { DECIDING_MS, TOKEN_PRICE_CENTS } from '../contracts/limits.js';
import { caseCount } from '../contracts/testing/case-count.js';
import { builtFile } from '../embedded/launcher/built-files.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { HttpGamer } from './http-gamer.js';
import { expectReconciled } from './reconciliation.js';
import { end, START_TIMEOUT_MS, TestApp } from './test-app.js';

/*
 * Two api processes on one log, which race for the last second of a round, for one balance, and for one double click. Every
 * answer must match the log, and the log must keep the rules.
 */

let app: TestApp;
let second: { url: string; stop(): Promise<void> };
let nodes: string[];

test.beforeAll(async () => {
  test.setTimeout(180_000);
  app = await TestApp.open('two-apis');
  second = await startSecondApi(app);
  nodes = [app.url, second.url];
});

test.afterAll(async () => {
  await second?.stop();
  await app?.close();
});

const BUYERS = caseCount(4, 8);
const ROUNDS = caseCount(1, 4);

test('agree on the last purchase of a round', async () => {
  test.setTimeout(180_000);
  const buyers = await Promise.all(
    Array.from({ length: BUYERS }, (_, index) => app.gamer(`racer_${index}`, { tokens: 1_000 })),
  );
  await app.setTimers({ pregame: 1, live: 4, downtime: 1, extension: 1 });
  await app.asAdmin('game/start');

  const receipts: PurchaseReceipt[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    await app.until(({ gameState, roundId }) => gameState === 'live' && roundId === round);
    await Promise.all(buyers.map((buyer, index) => buyTowardsZero(buyer, index, receipts)));
    await app.until(({ lastResult }) => lastResult?.roundId === round);
  }
  await app.asAdmin('game/reset', { reason: 'the race is over' });
  const events = await expectRules();
  const bought = events.filter(({ event }) => event.type === 'TokenPurchased');
  expect(receipts.length).toBeGreaterThanOrEqual(BUYERS);
  expect(new Set(receipts.map(({ revision }) => revision))).toEqual(new Set(bought.map(({ revision }) => revision)));
});

test('never spend a balance twice', async () => {
  test.setTimeout(120_000);
  const affordable = 10;
  const gamer = await app.gamer('one_balance', { tokens: affordable });
  await app.asAdmin('game/start-live');
  const answers = await Promise.all(Array.from({ length: 4 * affordable }, (_, index) => gamer.buy(nodeFor(index), 1)));
  const receipts = answers.filter((answer) => typeof answer !== 'string');
  expect(receipts).toHaveLength(affordable);
  expect(receipts.map(({ purchaseBalanceCents }) => purchaseBalanceCents).sort((a, b) => a - b)).toEqual(
    Array.from({ length: affordable }, (_, index) => index * TOKEN_PRICE_CENTS),
  );
  expect(new Set(answers.filter((answer) => typeof answer === 'string'))).toEqual(
    new Set(['You need $0.30 but only have $0.00']),
  );
  await expectRules();
});

test('buy once for one double click', async () => {
  test.setTimeout(120_000);
  const gamer = await app.gamer('double_click', { tokens: 1_000 });
  const keys = Array.from({ length: 50 }, () => randomUUID());
  const answers = await Promise.all(
    keys.map((key) => Promise.all([...nodes, app.url].map((url) => gamer.buy(url, 2, key)))),
  );
  for (const [first, ...others] of answers) {
    expect(typeof first).toBe('object');
    for (const other of others) expect(other).toEqual(first);
  }
  const events = await expectRules();
  const mine = events.filter(({ event }) => event.type === 'TokenPurchased' && event.data.buyerId === gamer.id);
  expect(mine).toHaveLength(keys.length);
});

const nodeFor = (index: number): string => nodes[index % nodes.length] as string;

/** Buys once, then aims two purchases at the end of the countdown. */
async function buyTowardsZero(buyer: HttpGamer, index: number, receipts: PurchaseReceipt[]): Promise<void> {
  const first = await buyer.buy(nodeFor(index), 1);
  if (typeof first === 'string') throw new Error(`the first purchase was refused: ${first}`);
  receipts.push(first);
  // Each purchase extends the countdown, so each buyer buys only a few times.
  for (let shots = 0; shots < 2; ) {
    const { endsAtEpochMs, serverTimeEpochMs, gameState } = await app.game();
    if (gameState !== 'live' || endsAtEpochMs === null) return;
    const leftMs = endsAtEpochMs - serverTimeEpochMs;
    if (leftMs > 120) {
      await sleep(Math.min(leftMs - 60, 500));
      continue;
    }
    shots += 1;
    const answer = await buyer.buy(nodeFor(index + shots), 1);
    if (typeof answer === 'string') {
      expect(answer).toBe('Game has ended. Please wait for the next round.');
      return;
    }
    receipts.push(answer);
  }
}

async function expectRules(): Promise<RecordedLedgerEvent[]> {
  const { events, balances } = await expectReconciled(app.application);
  for (const [account, cents] of balances) if (account !== 'house:adjustments') expect(cents).toBeGreaterThan(0);
  expectWinners(events);
  return events;
}

/** Expects the arrival of every purchase before the countdown's end at that time, and the last buyer of each round as its only winner. */
function expectWinners(events: RecordedLedgerEvent[]): void {
  let endsAt = 0;
  let last: string | null = null;
  for (const { event, metadata } of events) {
    if (event.type === 'LiveStarted') [endsAt, last] = [event.data.endsAtEpochMs, null];
    if (event.type === 'TokenPurchased') {
      expect(event.data.receivedAtEpochMs).toBeLessThan(endsAt);
      last = event.data.purchaseId;
    }
    if (event.type === 'TimeExtended' || event.type === 'LiveResumed') endsAt = event.data.endsAtEpochMs;
    if (event.type === 'RoundEnded') {
      expect(event.data.winner?.purchaseId ?? null).toBe(last);
      expect(metadata.at).toBeGreaterThanOrEqual(endsAt + DECIDING_MS);
      endsAt = 0;
    }
  }
}

/** Starts another api process on the stores of the running application, with the same secret, as behind a load balancer. */
async function startSecondApi({ application: { databaseUrl, eventStoreUrl }, dataDir }: TestApp) {
  const port = await anyFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [builtFile('api/src/main.js')], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      EVENT_STORE_URL: eventStoreUrl,
      SESSION_SECRET: (await readFile(join(dataDir, 'session-secret'), 'utf8')).trim(),
      PORT: String(port),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const startedAt = performance.now();
  while (child.exitCode === null && performance.now() - startedAt < START_TIMEOUT_MS) {
    if (await isHealthy(url)) return { url, stop: () => end(child, 'SIGTERM') };
    await sleep(250);
  }
  await end(child, 'SIGKILL');
  throw new Error('the second api did not start');
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(`${url}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  );
