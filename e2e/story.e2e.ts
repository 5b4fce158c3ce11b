import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, expect, type Page, test } from '@playwright/test';
import type { StateResponse } from '../contracts/http/game.js';
import { builtFile } from '../embedded/launcher/built-files.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { booksOf } from './books.js';
import {
  buy,
  creditPurchaseBalance,
  editGamer,
  login,
  makeDepositor,
  register,
  secondsShown,
  setTimers,
  stageOf,
} from './people.js';
import { type StartedApplication, startApplication } from './started-application.js';

/*
 * One round, from an empty data folder, as people see it: Alice registers, Bob and Carol with her link; the admin sets
 * short timers, credits balances and starts the game; Bob buys 3, Carol buys 1 and wins $0.52. Then the process is
 * killed and started again.
 */

const run = promisify(execFile);

let dataDir: string;
let application: StartedApplication;
let port: number;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  dataDir = await mkdtemp(join(tmpdir(), 'omni-story-'));
  port = await anyFreePort();
  application = await startApplication(dataDir, port);
});

test.afterAll(async () => {
  await application?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const password = 'a long pass phrase';

test('a whole round, and a crash after it', async ({ browser }) => {
  test.setTimeout(240_000);
  const alice = await openPage(browser, application.url);
  const bob = await openPage(browser, application.url);
  const carol = await openPage(browser, application.url);
  const admin = await openPage(browser, application.url);
  const everyone = [alice, bob, carol, admin];

  await test.step('Alice registers, Bob and Carol with her link', async () => {
    await register(alice, { gamerTag: 'Alice', password });
    const link = await alice.getByLabel('My Referral Link').inputValue();
    expect(link).toMatch(/\/\?ref=\w{8}$/);
    for (const [page, gamerTag] of [
      [bob, 'Bob'],
      [carol, 'Carol'],
    ] as const) {
      await page.goto(link);
      await expect(page.getByText('Invited by Alice')).toBeVisible();
      await register(page, { gamerTag, password });
    }
  });

  await test.step('the admin sets short timers, credits balances, makes Alice a depositor', async () => {
    await login(admin, { gamerTag: 'admin', password: application.adminPassword ?? '' });
    await setTimers(admin, { pregame: 4, live: 20, downtime: 3600, extension: 3 });
    await editGamer(admin, 'Bob', (dialog) => creditPurchaseBalance(dialog, '5.00', 'a welcome gift'));
    await editGamer(admin, 'Carol', (dialog) => creditPurchaseBalance(dialog, '5.00', 'a welcome gift'));
    await editGamer(admin, 'Alice', makeDepositor);
    await expect(stageOf(bob).getByText('$5.00')).toBeVisible();
  });

  await test.step('pregame turns live on every open page', async () => {
    await admin.getByRole('button', { name: 'Start Game' }).click();
    for (const page of everyone) await expect(stageOf(page).getByText('Game Starting Soon')).toBeVisible();
    for (const page of everyone) await expect(stageOf(page).getByText('LIVE GAME NOW ACTIVE')).toBeVisible();
  });

  await test.step('Bob buys 3, Carol buys 1 and sees the time grow', async () => {
    await buy(bob, 3);
    await expect(stageOf(carol).locator('.lastbuyer')).toContainText('Bob');
    await expect(stageOf(carol).locator('.jackpot')).toContainText('$0.39');
    const { endsAtEpochMs } = await gameSeenBy(carol);
    await buy(carol, 1);
    expect((await gameSeenBy(carol)).endsAtEpochMs).toBe((endsAtEpochMs ?? 0) + 3_000);
    await expectTrueCountdown(carol);
    for (const page of everyone) {
      await expect(stageOf(page).locator('.jackpot')).toContainText('$0.52');
      await expect(stageOf(page).locator('.lastbuyer')).toContainText(page === carol ? 'You' : 'Carol');
    }
  });

  await test.step('the countdown is the server’s, to a quarter of a second, on every page', async () => {
    for (const page of everyone) await expectTrueCountdown(page);
  });

  await test.step('the countdown ends: every page shows Carol as the winner of $0.52', async () => {
    // All at once: the banner stays for eight seconds only.
    await Promise.all(
      everyone.map((page) =>
        expect(page.locator('.winner')).toHaveText(/WINNER!Carol\$0\.52Congratulations/, { timeout: 60_000 }),
      ),
    );
    for (const page of everyone) {
      await expect(stageOf(page).getByText('Game Ended - Next Round Soon')).toBeVisible();
      await expect(stageOf(page).locator('.lastbuyer')).toContainText('Carol');
    }
    await expect(carol.locator('.stat')).toContainText('$0.52');
  });

  await test.step('Alice has the matrix cents that the rules give', async () => {
    // Four tokens of two direct referrals on her first level: 2 cents a token for the level, 1 for the referral.
    await expect(alice.locator('.stat')).toContainText('$0.12');
    await expect(alice.locator('.levels > li').first()).toContainText('$0.08');
    await expect(alice.getByText('Direct referral cents on top: $0.04')).toBeVisible();
  });

  await test.step('the log, the journal and the balances agree', checkBooks);

  await test.step('killed and started again: nothing is lost and the downtime goes on', async () => {
    const before = await gameSeenBy(carol);
    await application.kill();
    await expect(carol.getByText('Connection lost - Attempting to reconnect...')).toBeVisible();
    application = await startApplication(dataDir, port);
    await expect(carol.getByText('Connection lost - Attempting to reconnect...')).toBeHidden({ timeout: 30_000 });
    expect(await gameSeenBy(carol)).toMatchObject({
      gameState: 'downtime',
      endsAtEpochMs: before.endsAtEpochMs,
      version: before.version,
      lastResult: before.lastResult,
    });
    await carol.reload();
    await expect(carol.getByText('Signed in asCarol')).toBeVisible();
    await expect(carol.locator('.stat')).toContainText('$0.52');
    await checkBooks();
  });
});

async function checkBooks(): Promise<void> {
  const { events, fromLog, fromJournal, fromBalances, chainHolds } = await booksOf(application);
  expect(chainHolds).toBe(true);
  expect([...fromLog.values()].reduce((sum, cents) => sum + cents, 0)).toBe(0);
  expect(fromJournal).toEqual(fromLog);
  expect(fromBalances).toEqual(fromLog);
  const ended = events.map(({ event }) => event).filter((event) => event.type === 'RoundEnded');
  const bought = events.map(({ event }) => event).filter((event) => event.type === 'TokenPurchased');
  expect(ended).toHaveLength(1);
  expect(ended[0]?.data.winner?.purchaseId).toBe(bought.at(-1)?.data.purchaseId);
  expect(fromLog.get('house:profit')).toBe(4 * 2);
  expect(fromLog.get('house:unclaimed')).toBe(4 * 30 - 4 * 13 - 4 * 2 - 12);
  expect(fromLog.get('house:adjustments')).toBe(-1000);
  await checkByAuditor();
}

/** As an auditor does from a shell beside the running application. */
async function checkByAuditor(): Promise<void> {
  const env = { ...process.env, DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, [builtFile('audit/main.js'), 'verify', '--json'], { env });
  expect(JSON.parse(stdout)).toMatchObject({ findings: [], findingCount: 0, roundsEnded: 1, roundsWon: 1 });
}

/** What the server tells this page. */
const gameSeenBy = (page: Page) =>
  page.evaluate(async () => ((await (await fetch('/api/state')).json()) as StateResponse).currentGame);

/** The page counts whole seconds, rounded up, of the server's time: a second's grain and a quarter's error. */
async function expectTrueCountdown(page: Page): Promise<void> {
  await expect(async () => {
    const { endsAtEpochMs, serverTimeEpochMs } = await gameSeenBy(page);
    const shown = await secondsShown(page);
    const leftSeconds = ((endsAtEpochMs ?? 0) - serverTimeEpochMs) / 1000;
    expect(shown).toBeGreaterThanOrEqual(leftSeconds - 0.25);
    expect(shown).toBeLessThanOrEqual(leftSeconds + 1.25);
  }).toPass({ timeout: 3_000 });
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await page.goto(url);
  return page;
}
