import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import type { AuditEvent } from '../contracts/http/audit.js';
import type { GameState, StateResponse } from '../contracts/http/game.js';
import { refusalText } from '../contracts/refusals.js';
import { builtFile } from '../embedded/launcher/built-files.js';
import { dialogOf, savedCsv } from './admin-panel.js';
import { checkPage, keepPicture } from './check-page.js';
import { buy, expectServerCountdown, fillRegistration, goByMenu, stageOf, submitLogin } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { DESKTOP, ownApp, PASSWORD } from './test-app.js';

/* The first round on an empty data folder, from Alice's registration to Carol's win; then Rita, an auditor, looks at it. */

test.describe.configure({ mode: 'serial' });

/** Rita's page. */
let page: Page;
let rita: HttpGamer;

const app = ownApp('first', async (browser) => {
  page = await app.blankPage(browser);
});

const act = (on: Page, name: string): Locator => on.getByRole('region', { name, exact: true });

test('a visitor sees the main page before the first round, without an error', async ({ browser }) => {
  const visitor = await app.blankPage(browser);
  const problems: string[] = [];
  visitor.on('pageerror', (error) => problems.push(error.message));
  visitor.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  visitor.on('requestfailed', (request) => problems.push(`${request.url()}: ${request.failure()?.errorText}`));
  const socket = visitor.waitForEvent('websocket', (each) => each.url().startsWith(app.url.replace('http', 'ws')));
  await visitor.goto('/');
  await (await socket).waitForEvent('framereceived');
  expect(problems).toEqual([]);
  const stage = stageOf(visitor);
  await expect(stage.getByRole('timer')).toHaveText('00:00');
  for (const text of [
    'Game Ready to Start',
    'Total Gamers 0',
    'Total Winnings $0.00',
    'No recent purchases yet. Be the first to join the game!',
    'The game launches Wednesday October 1st at 12PM EST.',
    'Nobody has posted yet.',
    'Admin access required',
    'Log in to see your winnings',
    'Log in to see your matrix',
    'A daily countdown game. Play for winnings only. Not an income opportunity.',
  ])
    await expect(visitor.getByText(text).first()).toBeVisible();
  await checkPage(visitor, 'visitor-idle');

  await visitor.getByRole('button', { name: 'Post', exact: true }).click();
  await expect(visitor.getByRole('alert').filter({ hasText: refusalText({ code: 'login-to-post' }) })).toBeVisible();
  await stage.getByRole('button', { name: 'See how lamps work' }).click();
  await expect(stage.getByRole('timer')).toHaveText(/^0[01]:[1-5]\d$/);
});

test('plays a round from registration to the winner', async ({ browser }) => {
  const alice = await openPage(browser);
  const bob = await openPage(browser);
  const carol = await openPage(browser);
  const pages = [alice, bob, carol];

  await test.step('Alice registers, Bob and Carol with her link', async () => {
    await register(alice, 'Alice');
    const link = await alice.getByLabel('My Referral Link').inputValue();
    expect(link).toMatch(/\/\?ref=\w{8}$/);
    for (const [gamer, gamerTag] of [
      [bob, 'Bob'],
      [carol, 'Carol'],
    ] as const) {
      await gamer.goto(link);
      await expect(gamer.getByText('Invited by Alice')).toBeVisible();
      await register(gamer, gamerTag);
    }
  });

  await test.step('the admin sets short timers, credits balances, makes Alice a depositor', async () => {
    rita = await app.gamer('rita');
    await app.setTimers({ pregame: 4, live: 10, downtime: 3600, extension: 1 });
    const gift = { purchaseBalanceCents: 500, totalWinningsCents: 0, reason: 'a welcome gift' };
    for (const gamer of [bob, carol]) await app.asAdmin(`mini/gamers/${await idOf(gamer)}/adjust`, gift);
    await app.asAdmin(`mini/gamers/${await idOf(alice)}/depositor-status`, { isDepositor: true });
    await expect(stageOf(bob).getByText('$5.00')).toBeVisible();
  });

  await test.step('pregame becomes live on every open page', async () => {
    await app.asAdmin('game/start');
    for (const one of pages) await expect(stageOf(one).getByText('Game Starting Soon')).toBeVisible();
    for (const one of pages) await expect(stageOf(one).getByText('LIVE GAME NOW ACTIVE')).toBeVisible();
  });

  await test.step('Bob buys 3, Carol buys 1 and sees the time grow', async () => {
    await buy(bob, 3);
    await expect(stageOf(carol).locator('.lastbuyer')).toContainText('Bob');
    await expect(stageOf(carol).locator('.jackpot')).toContainText('$0.39');
    const { endsAtEpochMs } = await stateFor(carol);
    await buy(carol, 1);
    expect((await stateFor(carol)).endsAtEpochMs).toBe((endsAtEpochMs ?? 0) + 1_000);
    for (const one of pages) {
      await expect(stageOf(one).locator('.jackpot')).toContainText('$0.52');
      await expect(stageOf(one).locator('.lastbuyer')).toContainText(one === carol ? 'You' : 'Carol');
    }
    for (const one of pages) await expectServerCountdown(one, () => stateFor(one));
  });

  await test.step('the countdown ends: every page shows Carol as the winner of $0.52', async () => {
    // Checked in parallel: the banner is shown for eight seconds only.
    await Promise.all(
      pages.map((one) =>
        expect(one.locator('.winner')).toHaveText(
          one === carol ? /WINNER!Carol\$0\.52Congratulations/ : /WINNER!Carol\$0\.52won the jackpot/,
        ),
      ),
    );
    await keepPicture(bob, 'winner', DESKTOP.width, true);
    for (const one of pages) {
      await expect(stageOf(one).getByText('Game Ended - Next Round Soon')).toBeVisible();
      await expect(stageOf(one).locator('.lastbuyer')).toContainText('Carol');
    }
    await expect(carol.locator('.stat')).toContainText('$0.52');
  });

  await test.step('Alice has the matrix cents by the rules', async () => {
    // Two direct referrals on her first level bought four tokens: 2 cents each for the level, 1 for the referral.
    await expect(alice.locator('.stat')).toContainText('$0.12');
    await expect(alice.locator('.levels > li').first()).toContainText('$0.08');
    await expect(alice.getByText('Direct referral bonus: $0.04')).toBeVisible();
  });

  await test.step('log and tables agree', async () => {
    const [verdict, balances] = await Promise.all([audit('verify', '--json'), audit('trial-balance')]);
    expect(JSON.parse(verdict)).toMatchObject({ findings: [], findingCount: 0, roundsEnded: 1, roundsWon: 1 });
    for (const line of [/house:profit +\$0\.08/, /house:unclaimed +\$0\.48/, /house:adjustments +[-−]\$10\.00/])
      expect(balances).toMatch(line);
  });
});

/** The auditor's command line, on the application that runs here. */
async function audit(...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: app.dataDir };
  return (await promisify(execFile)(process.execPath, [builtFile('audit/main.js'), ...args], { env })).stdout;
}

/** The game's state in the server's response to this page. */
const stateFor = (of: Page): Promise<GameState> =>
  of.evaluate(async () => ((await (await fetch('/api/state')).json()) as StateResponse).currentGame);

/** The id of the gamer who is logged in on this page. */
const idOf = (of: Page): Promise<string> =>
  of.evaluate(async () => ((await (await fetch('/api/auth/status')).json()) as { id: string }).id);

async function openPage(browser: Browser): Promise<Page> {
  const opened = await app.blankPage(browser);
  await opened.goto('/');
  return opened;
}

async function register(on: Page, gamerTag: string): Promise<void> {
  await fillRegistration(on.getByRole('form', { name: 'Register' }), { gamerTag, password: PASSWORD });
  await expect(on.getByText(`Signed in as${gamerTag}`)).toBeVisible();
}

const ledger = (): Locator => page.getByRole('region', { name: 'Ledger' });
const detail = (): Locator => page.getByRole('complementary');
const rows = (): Locator =>
  ledger()
    .getByRole('row')
    .filter({ has: page.getByRole('button') });
const account = (name: string): Locator =>
  act(page, 'Every account as of that event').getByRole('row', { name: new RegExp(`^${name} `) });
const step = (name: string): Locator => page.getByRole('button', { name, exact: true });
const eventInAddress = (): number => Number(new URL(page.url()).searchParams.get('event'));

test('shows the audit screens to a gamer who became an auditor; a replay finds ledger and tables in agreement', async () => {
  await rita.enterWith(page.context(), app.url);
  await page.clock.install();
  await page.goto('/audit');
  await expect(page.getByRole('heading', { name: 'Auditor access required' })).toBeVisible();
  await checkPage(page, 'audit-not-yours');
  await page.getByRole('link', { name: 'Go to the game' }).click();
  await app.asAdmin(`mini/gamers/${rita.id}/role`, { role: 'auditor' });
  await page.reload();
  await goByMenu(page, 'Audit');
  await expect(page).toHaveTitle('Audit · Omni Jackpot');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');

  const strip = act(page, 'Verification');
  await expect(strip).toContainText('Not verified on this server yet');
  await strip.getByRole('button', { name: 'Verify now' }).click();
  await expect(strip).toContainText('Ledger and tables agree to the cent');
  await expect(strip).toContainText(/\d+ events replayed.*chain unbroken.*checked \d+:\d\d:\d\d [AP]M/s);
});

test('shows accounts and round as of any event', async () => {
  await expect(page.getByText(/^Event (\d+) of \1, round 1 over, /)).toBeVisible();
  await expect(step('Event after')).toHaveAttribute('aria-disabled', 'true');
  await expect(detail().getByRole('heading', { name: 'StaffStatusSet' })).toBeVisible();
  await expect(account('jackpot')).toHaveText('jackpot0.00');
  await step('Event before').click();
  await expect(detail().getByRole('heading', { name: 'RoundEnded' })).toBeVisible();
  await step('Event before').click();
  await expect(page.getByText(/round 1, live, 00:\d\d left$/)).toBeVisible();
  await expect(account('jackpot')).toHaveText('jackpot0.52');
  await expect(account('Sum')).toHaveText('Sum0.00');
  await expect(rows().first()).toContainText('had not happened yet');

  const before = eventInAddress();
  const slider = page.getByRole('slider', { name: 'Moment in the ledger' });
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(eventInAddress).toBe(before - 2);
  await expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`^Event ${before - 2}, \\w+ \\d\\d, \\d{4}, `));
  await page.reload();
  await expect(page.getByText(`Event ${before - 2} of ${before + 2}`)).toBeVisible();
  await step('Return to now').click();
  await expect(page).toHaveURL(/\/audit$/);
});

test('finds events by gamer, round and type, and shows a purchase, whose chain the browser recomputes', async () => {
  const type = ledger().getByLabel('Event', { exact: true });
  await ledger().getByLabel('Find an id, gamer').fill('nobody-at-all');
  await expect(ledger().getByText('No events match.')).toBeVisible();
  await ledger().getByLabel('Find an id, gamer').fill('Alice');
  await expect(rows().filter({ hasText: 'DepositorStatusSet' })).toHaveCount(1);
  await ledger().getByLabel('Find an id, gamer').fill('');
  await step('Return to now').click();
  await ledger().getByLabel('Round', { exact: true }).fill('1');
  await expect(rows()).toHaveCount(7);
  await type.selectOption('TokenPurchased');
  await expect(rows()).toHaveCount(2);
  await expect(rows().last()).toContainText(/Bob.*3 tokens.*\$0\.90/s);
  await expect(rows().last()).toContainText(/\d\.\d{3} s left, overtaken [\d.]+ m?s later by Carol/);

  const own = page.viewportSize() ?? DESKTOP;
  await page.setViewportSize({ width: 360, height: 800 });
  await rows().first().getByRole('button').press('Enter');
  await expect(detail().getByRole('heading', { name: 'TokenPurchased' })).toBeFocused();
  await page.setViewportSize(own);
  await expect(detail()).toContainText('Carol, as a gamer');
  await expect(detail().getByRole('row', { name: /^gamer:Carol:purchase/ })).toContainText('−0.30');
  await expect(detail().getByRole('row', { name: 'Sum' })).toHaveText('Sum0.00');
  await expect(detail()).toContainText('Recomputed here, equal to what was stored.');
  await checkPage(page, 'audit-purchase');

  await detail().getByRole('button', { name: 'Event as JSON' }).click();
  const json = dialogOf(page, /as JSON$/);
  await expect(json.getByRole('region')).toContainText('"type": "TokenPurchased"');
  await checkPage(page, 'audit-json');
  await page.keyboard.press('Escape');

  await page.route('**/api/audit/events/*', async (route) => {
    const response = await route.fetch();
    const event = (await response.json()) as AuditEvent;
    const data = { ...(event.recorded.data as object), quantity: 4 };
    await route.fulfill({ response, json: { ...event, recorded: { ...event.recorded, data } } });
  });
  await page.reload();
  await expect(detail().getByRole('alert')).toContainText('Recomputed here, NOT equal to what was stored:');
  await page.unroute('**/api/audit/events/*');
});

test('prints and exports a statement; an auditor returns to it by the login, and a former one is refused', async ({
  browser,
}) => {
  const form = page.getByRole('form', { name: 'Statement' });
  const sheet = page.locator('.sheet');
  await form.getByLabel('Account').selectOption('A gamer’s winnings');
  await form.getByLabel('GamerTag').fill('Carol');
  await form.getByRole('button', { name: 'Show statement' }).click();
  await expect(sheet.getByRole('heading', { name: 'Carol, winnings' })).toBeVisible();
  await expect(sheet).toContainText('Matches the tables to the cent. They serve 0.52.');
  await expect(sheet).toContainText('replayed without a finding');
  await checkPage(page, 'audit-statement');
  const { name, records } = await savedCsv(sheet.getByRole('button', { name: 'Download CSV' }));
  expect(name).toMatch(/^statement-carol-winnings-\d{4}-\d\d-\d\d\.csv$/);
  expect(records).toHaveLength(4);
  await page.emulateMedia({ media: 'print' });
  await expect(sheet.getByRole('heading', { name: 'Carol, winnings' })).toBeVisible();
  for (const hidden of [form, ledger(), account('Sum')]) await expect(hidden).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  const line = sheet.getByRole('row').filter({ hasText: 'Jackpot of round 1' });
  await line.getByRole('button', { name: /^Event \d+/ }).click();
  await expect(detail().getByRole('heading', { name: 'RoundEnded' })).toBeFocused();

  const visitor = await app.blankPage(browser);
  await visitor.goto('/audit?event=3&type=GamerEnrolled');
  await visitor.getByRole('link', { name: 'Go to the login' }).click();
  await submitLogin(visitor, { gamerTag: 'rita', password: PASSWORD });
  await expect(visitor).toHaveURL('/audit?event=3&type=GamerEnrolled');
  await expect(visitor.getByRole('complementary').getByText('Event 3')).toBeVisible();

  await step('Return to now').click();
  await app.asAdmin(`mini/gamers/${rita.id}/role`, { role: 'gamer' });
  // The page at the newest event refetches every ten seconds.
  await page.clock.fastForward(10_000);
  await expect(page.getByRole('heading', { name: 'Auditor access required' })).toBeVisible();
});
