import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Browser, expect, type Page, test } from '@playwright/test';
import type { StateResponse } from '../contracts/http/game.js';
import { builtFile } from '../embedded/launcher/built-files.js';
import {
  buy,
  buyDialog,
  type Credentials,
  expectServerCountdown,
  fillRegistration,
  openBuyDialog,
  stageOf,
  toastOf,
} from './game-page.js';
import { ownApp, PASSWORD } from './test-app.js';

/*
 * One round on an empty data folder, through the pages: Alice registers, Bob and Carol with her link; the admin sets short
 * timers, credits balances and starts the game; Bob buys 3 tokens, Carol buys 1 and wins $0.52. Then the application is
 * killed in a live round, and started again when its countdown is over.
 */

const run = promisify(execFile);

const app = ownApp('round');

test('plays a round from registration to the winner', async ({ browser }) => {
  const alice = await openPage(browser);
  const bob = await openPage(browser);
  const carol = await openPage(browser);
  const pages = [alice, bob, carol];

  await test.step('Alice registers, Bob and Carol with her link', async () => {
    await register(alice, { gamerTag: 'Alice', password: PASSWORD });
    const link = await alice.getByLabel('My Referral Link').inputValue();
    expect(link).toMatch(/\/\?ref=\w{8}$/);
    for (const [page, gamerTag] of [
      [bob, 'Bob'],
      [carol, 'Carol'],
    ] as const) {
      await page.goto(link);
      await expect(page.getByText('Invited by Alice')).toBeVisible();
      await register(page, { gamerTag, password: PASSWORD });
    }
  });

  await test.step('the admin sets short timers, credits balances, makes Alice a depositor', async () => {
    await app.setTimers({ pregame: 5, live: 30, downtime: 3600, extension: 1 });
    const gift = { purchaseBalanceCents: 500, totalWinningsCents: 0, reason: 'a welcome gift' };
    for (const page of [bob, carol]) await app.asAdmin(`mini/gamers/${await idOf(page)}/adjust`, gift);
    await app.asAdmin(`mini/gamers/${await idOf(alice)}/depositor-status`, { isDepositor: true });
    await expect(stageOf(bob).getByText('$5.00')).toBeVisible();
  });

  await test.step('pregame becomes live on every open page', async () => {
    await app.asAdmin('game/start');
    for (const page of pages) await expect(stageOf(page).getByText('Game Starting Soon')).toBeVisible();
    for (const page of pages) await expect(stageOf(page).getByText('LIVE GAME NOW ACTIVE')).toBeVisible();
  });

  await test.step('Bob buys 3, Carol buys 1 and sees the time grow', async () => {
    await buy(bob, 3);
    await expect(stageOf(carol).locator('.lastbuyer')).toContainText('Bob');
    await expect(stageOf(carol).locator('.jackpot')).toContainText('$0.39');
    const { endsAtEpochMs } = await stateFor(carol);
    await buy(carol, 1);
    expect((await stateFor(carol)).endsAtEpochMs).toBe((endsAtEpochMs ?? 0) + 1_000);
    for (const page of pages) {
      await expect(stageOf(page).locator('.jackpot')).toContainText('$0.52');
      await expect(stageOf(page).locator('.lastbuyer')).toContainText(page === carol ? 'You' : 'Carol');
    }
  });

  await test.step('every page shows the server’s countdown, within a quarter of a second', async () => {
    for (const page of pages) await expectServerCountdown(page, () => stateFor(page));
  });

  await test.step('the countdown ends: every page shows Carol as the winner of $0.52', async () => {
    // Checked in parallel: the banner is shown for eight seconds only.
    await Promise.all(
      pages.map((page) =>
        expect(page.locator('.winner')).toHaveText(
          page === carol ? /WINNER!Carol\$0\.52Congratulations/ : /WINNER!Carol\$0\.52won the jackpot/,
        ),
      ),
    );
    for (const page of pages) {
      await expect(stageOf(page).getByText('Game Ended - Next Round Soon')).toBeVisible();
      await expect(stageOf(page).locator('.lastbuyer')).toContainText('Carol');
    }
    await expect(carol.locator('.stat')).toContainText('$0.52');
  });

  await test.step('Alice has the matrix cents by the rules', async () => {
    // Two direct referrals on her first level bought four tokens: 2 cents each for the level, 1 for the referral.
    await expect(alice.locator('.stat')).toContainText('$0.12');
    await expect(alice.locator('.levels > li').first()).toContainText('$0.08');
    await expect(alice.getByText('Direct referral bonus: $0.04')).toBeVisible();
  });

  await test.step('log and tables agree', expectRound);
});

test('resumes a round after a crash and an outage that outlasts its countdown, and has lost nothing', async ({
  browser,
}) => {
  const ada = await app.gamer('ada_west', { tokens: 10 });
  await app.resetGame();
  const page = await app.page(browser, ada);
  const stage = stageOf(page);
  await app.startShortRound(8);
  await ada.buy(app.url, 2);
  await expect(stage.locator('.lastbuyer')).toContainText('You');
  const { endsAtEpochMs, lastResult } = await app.game();

  await app.application.kill();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Connection lost - Attempting to reconnect...' }),
  ).toBeVisible();
  await expect(page.getByText(/^Attempt \d+ of 10\.$/)).toBeVisible();
  await expect(stage.getByText('LIVE GAME, LAST SEEN')).toBeVisible();
  await expect(stage.getByText('TIME REMAINING, ABOUT')).toBeVisible();
  await expect(stage.getByText(/^Last known: /)).toBeVisible();
  await expect(
    stage.getByText('You can buy again once the connection is back. Nothing was lost or charged twice.'),
  ).toBeVisible();

  await sleep((endsAtEpochMs ?? 0) - Date.now());
  await app.startAgain();
  await expect(page.getByText('Connection lost - Attempting to reconnect...')).toBeHidden();
  await expect(stage.getByText('The round continues after an outage.')).toBeVisible();
  await expect(stage.getByText(/An outage never decides a winner\./)).toBeVisible();
  await expect(stage.locator('.lastbuyer')).toContainText('You');
  await expectServerCountdown(page, () => app.game());
  await openBuyDialog(page);
  await buyDialog(page)
    .getByRole('button', { name: /^Buy 1 token/ })
    .click();
  await expect(toastOf(page)).toContainText('Purchased 1 Omni Token(s) successfully');
  await expect(stage.getByText('$2.10, enough for 7 tokens')).toBeVisible();
  expect((await app.game()).lastResult).toEqual(lastResult);
  expect(JSON.parse(await audit('verify', '--json'))).toMatchObject({ findings: [], roundsWon: 1 });
});

/** The auditor's command line, on the application that runs here. */
async function audit(...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: app.dataDir };
  return (await run(process.execPath, [builtFile('audit/main.js'), ...args], { env })).stdout;
}

async function expectRound(): Promise<void> {
  const [verdict, balances] = await Promise.all([audit('verify', '--json'), audit('trial-balance')]);
  expect(JSON.parse(verdict)).toMatchObject({ findings: [], findingCount: 0, roundsEnded: 1, roundsWon: 1 });
  for (const line of [/house:profit +\$0\.08/, /house:unclaimed +\$0\.48/, /house:adjustments +[-−]\$10\.00/])
    expect(balances).toMatch(line);
}

/** The game's state in the server's response to this page. */
const stateFor = (page: Page) =>
  page.evaluate(async () => ((await (await fetch('/api/state')).json()) as StateResponse).currentGame);

/** The id of the gamer who is logged in on this page. */
const idOf = (page: Page): Promise<string> =>
  page.evaluate(async () => ((await (await fetch('/api/auth/status')).json()) as { id: string }).id);

async function openPage(browser: Browser): Promise<Page> {
  const page = await app.blankPage(browser);
  await page.goto('/');
  return page;
}

async function register(page: Page, credentials: Credentials) {
  await fillRegistration(page.getByRole('form', { name: 'Register' }), credentials);
  await expect(page.getByText('Account created successfully').first()).toBeVisible();
  await expect(page.getByText(`Signed in as${credentials.gamerTag}`)).toBeVisible();
}
