import { expect, type Locator, type Page, test } from '@playwright/test';
import type { AuditEvent } from '../contracts/http/audit.js';
import { dialogOf, savedCsv } from './admin-panel.js';
import { checkPage } from './check-page.js';
import { goByMenu, submitLogin } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { ownApp, PASSWORD } from './test-app.js';

/*
 * The audit screens after one round: Bob bought 3 tokens, Carol bought the last one and won $0.52; Alice referred both.
 */

let page: Page;
let rita: HttpGamer;

test.describe.configure({ mode: 'serial' });

const app = ownApp('audit', async (browser) => {
  const alice = await app.gamer('alice', { isDepositor: true });
  const bob = await app.gamer('bob', { tokens: 10, referralCode: alice.refCode });
  const carol = await app.gamer('carol', { tokens: 10, referralCode: alice.refCode });
  rita = await app.gamer('rita');
  await app.startShortRound(3);
  await bob.buy(app.url, 3);
  await carol.buy(app.url, 1);
  await app.until(({ gameState }) => gameState === 'downtime');
  page = await app.blankPage(browser, rita);
  await page.clock.install();
  await page.goto('/');
});

const ledger = (): Locator => page.getByRole('region', { name: 'Ledger' });
const detail = (): Locator => page.getByRole('complementary');
const rows = (): Locator =>
  ledger()
    .getByRole('row')
    .filter({ has: page.getByRole('button') });
const account = (name: string): Locator =>
  page
    .getByRole('region', { name: 'Every account as of that event' })
    .getByRole('row', { name: new RegExp(`^${name} `) });
const step = (name: string): Locator => page.getByRole('button', { name, exact: true });
const eventInAddress = (): number => Number(new URL(page.url()).searchParams.get('event'));

test('shows the audit screens to a gamer who became an auditor', async () => {
  await expect(page.getByText('Signed in asrita')).toBeVisible();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('link', { name: 'My Statement' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Audit' })).toBeHidden();

  await app.asAdmin(`mini/gamers/${rita.id}/role`, { role: 'auditor' });
  await page.reload();
  await goByMenu(page, 'Audit');
  await expect(page).toHaveTitle('Audit · Omni Jackpot');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(page.getByText('Signed in asrita')).toBeVisible();
});

test('a replay finds ledger and tables in agreement', async () => {
  const strip = page.getByRole('region', { name: 'Verification' });
  await expect(strip).toContainText('Not verified on this server yet');
  await strip.getByRole('button', { name: 'Verify now' }).click();
  await expect(strip).toContainText('Ledger and tables agree to the cent');
  await expect(strip).toContainText(/\d+ events replayed.*chain unbroken.*checked \d+:\d\d:\d\d [AP]M/s);
  await expect(strip.getByRole('button', { name: 'Verify again' })).toBeVisible();
});

test('shows accounts and round as of any event', async () => {
  const slider = page.getByRole('slider', { name: 'Moment in the ledger' });

  await test.step('at the newest event there is no next one', async () => {
    await expect(page.getByText(/^Event (\d+) of \1, round 1 over, /)).toBeVisible();
    await expect(step('Event after')).toHaveAttribute('aria-disabled', 'true');
    await expect(step('Return to now')).toHaveAttribute('title', 'This is now');
    await expect(detail().getByRole('heading', { name: 'StaffStatusSet' })).toBeVisible();
    await expect(account('jackpot')).toHaveText('jackpot0.00');
    await expect(account('Sum')).toHaveText('Sum0.00');
  });

  await test.step('before the end of the round the jackpot is not yet paid out', async () => {
    await step('Event before').click();
    await expect(detail().getByRole('heading', { name: 'RoundEnded' })).toBeVisible();
    await step('Event before').click();
    await expect(detail().getByRole('heading', { name: 'TimeExtended' })).toBeVisible();
    await expect(page.getByText(/round 1, live, 00:0\d left$/)).toBeVisible();
    await expect(account('jackpot')).toHaveText('jackpot0.52');
    await expect(account('gamers, winnings')).toHaveText('gamers, winnings0.12');
    await expect(account('Sum')).toHaveText('Sum0.00');
    await expect(rows().first()).toContainText('had not happened yet');
    await expect(ledger().getByText('you are here')).toBeVisible();
  });

  await test.step('the slider steps by keyboard, and replaces the event in the address', async () => {
    const before = eventInAddress();
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(eventInAddress).toBe(before - 2);
    await expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`^Event ${before - 2}, \\w+ \\d\\d, \\d{4}, `));
    await page.reload();
    await expect(page.getByText(`Event ${before - 2} of ${before + 2}`)).toBeVisible();
  });

  await test.step('returns to the newest event, and goes back and forward in history', async () => {
    await step('Return to now').click();
    await expect(page).toHaveURL(/\/audit$/);
    await expect(step('Return to now')).toHaveAttribute('aria-disabled', 'true');
    await page.goBack();
    await expect.poll(eventInAddress).toBeGreaterThan(0);
    await page.goForward();
    await expect(page).toHaveURL(/\/audit$/);
  });
});

test('finds events by type, round and gamer, and shows a purchase', async () => {
  await test.step('by type', async () => {
    await ledger().getByLabel('Event', { exact: true }).selectOption('TokenPurchased');
    await expect(rows()).toHaveCount(2);
    await expect(rows().first()).toContainText('carol');
    await expect(rows().last()).toContainText(/bob.*3 tokens.*\$0\.90/s);
    await expect(rows().last()).toContainText(/\d\.\d{3} s left, overtaken [\d.]+ m?s later by carol/);
  });

  await test.step('a filter moves the chosen event along, and stays in the address', async () => {
    await expect(detail().getByRole('heading', { name: 'TokenPurchased' })).toBeVisible();
    await expect(page).toHaveURL(/type=TokenPurchased/);
    const chosen = eventInAddress();
    await page.reload();
    await expect(rows()).toHaveCount(2);
    await expect(ledger().getByLabel('Event', { exact: true })).toHaveValue('TokenPurchased');
    expect(eventInAddress()).toBe(chosen);
    await ledger().getByLabel('Event', { exact: true }).selectOption('RoundEnded');
    await expect(rows()).toHaveCount(1);
    await page.goBack();
    await expect(ledger().getByLabel('Event', { exact: true })).toHaveValue('TokenPurchased');
    await expect(rows()).toHaveCount(2);
  });

  await test.step('by gamer', async () => {
    await ledger().getByLabel('Event', { exact: true }).selectOption('All events');
    await ledger().getByLabel('Find an id, gamer').fill('alice');
    await expect(rows().filter({ hasText: 'DepositorStatusSet' })).toHaveCount(1);
    await expect(rows().filter({ hasText: 'bob' }).filter({ hasText: 'TimeExtended' })).toHaveCount(0);
    await ledger().getByLabel('Find an id, gamer').fill('bob');
    await expect(page).toHaveURL(/find=bob/);
    const newestOfBob = eventInAddress();
    await ledger().getByLabel('Find an id, gamer').fill('carol');
    await expect(page).toHaveURL(/find=carol/);
    expect(eventInAddress()).toBeGreaterThan(newestOfBob);
    await ledger().getByLabel('Find an id, gamer').fill('nobody-at-all');
    await expect(ledger().getByText('No events match.')).toBeVisible();
    await ledger().getByLabel('Find an id, gamer').fill('');
  });

  await test.step('page by page', async () => {
    await step('Return to now').click();
    await ledger().getByRole('button', { name: 'Older' }).click();
    await expect(rows().last()).toContainText('The admin, root of the matrix');
    await expect(ledger().getByRole('button', { name: 'Older' })).toHaveAttribute('aria-disabled', 'true');
    await ledger().getByRole('button', { name: 'Newer' }).click();
    await expect(rows().first()).toContainText('StaffStatusSet');
  });

  await test.step('by round', async () => {
    await ledger().getByLabel('Round', { exact: true }).fill('one');
    await expect(ledger().getByText('Rounds are numbered 1, 2, 3 …')).toBeVisible();
    await ledger().getByLabel('Round', { exact: true }).fill('1');
    await expect(rows()).toHaveCount(7);
    await expect(rows().last()).toContainText('GameStarted');
  });

  await test.step('shows a purchase’s postings, and recomputes its chain in the browser', async () => {
    await rows().filter({ hasText: 'TokenPurchased' }).first().getByText('1 token').click();
    await expect(detail().getByRole('heading', { name: 'TokenPurchased' })).toBeVisible();
    await expect(detail()).toContainText('carol, as a gamer');
    await expect(detail().getByRole('row', { name: /^gamer:carol:purchase/ })).toContainText('−0.30');
    await expect(detail().getByRole('row', { name: /^jackpot/ })).toContainText('+0.13');
    await expect(detail().getByRole('row', { name: /^gamer:alice:winnings/ })).toContainText('+0.03');
    await expect(detail().getByRole('row', { name: 'Sum' })).toHaveText('Sum0.00');
    await expect(detail()).toContainText('Recomputed here, equal to what was stored.');
    await checkPage(page, 'audit-purchase');
  });

  await test.step('shows and downloads the event as JSON', async () => {
    await detail().getByRole('button', { name: 'Event as JSON' }).click();
    const json = dialogOf(page, /as JSON$/);
    await expect(json.getByRole('region')).toContainText('"type": "TokenPurchased"');
    const download = page.waitForEvent('download');
    await json.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe(`event-${eventInAddress()}.json`);
    await checkPage(page, 'audit-json');
    await page.keyboard.press('Escape');
  });
});

test('the browser detects an event that differs from its chain', async () => {
  await page.route('**/api/audit/events/*', async (route) => {
    const response = await route.fetch();
    const event = (await response.json()) as AuditEvent;
    const data = { ...(event.recorded.data as object), quantity: 4 };
    await route.fulfill({ response, json: { ...event, recorded: { ...event.recorded, data } } });
  });
  await page.reload();
  await expect(detail().getByRole('alert')).toContainText('Recomputed here, NOT equal to what was stored:');
  await page.unroute('**/api/audit/events/*');

  await page.route('**/api/audit/events/*', (route) => route.abort());
  await page.reload();
  await expect(detail()).toContainText('The event could not be loaded');
  await page.unroute('**/api/audit/events/*');
  await detail().getByRole('button', { name: 'Try again' }).click();
  await expect(detail()).toContainText('Recomputed here, equal to what was stored.');
});

test('on a phone the chosen event takes the focus', async () => {
  const own = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 800 });
  await rows().filter({ hasText: 'TokenPurchased' }).last().getByRole('button').press('Enter');
  await expect(detail().getByRole('heading', { name: 'TokenPurchased' })).toBeFocused();
  await expect(detail()).toContainText('bob, as a gamer');
  if (own) await page.setViewportSize(own);
});

test('prints and exports statements of accounts and gamers', async () => {
  const form = page.getByRole('form', { name: 'Statement' });
  const sheet = page.locator('.sheet');
  await expect(sheet.getByRole('heading', { name: 'jackpot' })).toBeVisible();
  await expect(sheet).toContainText('Matches the tables to the cent.');

  await form.getByLabel('Account').selectOption('A gamer’s winnings');
  await form.getByRole('button', { name: 'Show statement' }).click();
  await expect(form.getByText('Please name the gamer whose account it is')).toBeVisible();
  await form.getByLabel('GamerTag').fill('carol');
  await form.getByRole('button', { name: 'Show statement' }).click();
  await expect(sheet.getByRole('heading', { name: 'carol, winnings' })).toBeVisible();
  const line = sheet.getByRole('row').filter({ hasText: 'Jackpot of round 1' });
  await expect(line).toContainText(/\+0\.52.*0\.52/s);
  await expect(sheet.getByRole('row', { name: /^Closing balance/ })).toContainText('0.52');
  await expect(sheet).toContainText('Matches the tables to the cent. They serve 0.52.');
  await expect(sheet).toContainText('replayed without a finding');
  await checkPage(page, 'audit-statement');

  const { name, records } = await savedCsv(sheet.getByRole('button', { name: 'Download CSV' }));
  expect(name).toMatch(/^statement-carol-winnings-\d{4}-\d\d-\d\d\.csv$/);
  expect(records).toEqual([
    ['When', 'Event', 'What', 'Amount (USD)', 'Balance (USD)'],
    ['', '', 'Opening balance', '', '0.00'],
    [expect.any(String), expect.stringMatching(/^\d+$/), 'Jackpot of round 1', '0.52', '0.52'],
    ['', '', 'Closing balance', '', '0.52'],
  ]);

  await page.emulateMedia({ media: 'print' });
  await expect(sheet.getByRole('heading', { name: 'carol, winnings' })).toBeVisible();
  await expect(form).toBeHidden();
  await expect(ledger()).toBeHidden();
  await expect(account('Sum')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });

  await line.getByRole('button', { name: /^Event \d+/ }).click();
  await expect(detail().getByRole('heading', { name: 'RoundEnded' })).toBeFocused();
});

test('refuses other gamers, and removes a former auditor from the page', async ({ browser }) => {
  const gamer = await app.blankPage(browser, await app.gamer('dave'));
  await gamer.goto('/audit');
  await expect(gamer.getByRole('heading', { name: 'Auditor access required' })).toBeVisible();
  await checkPage(gamer, 'audit-not-yours');
  await gamer.getByRole('link', { name: 'Go to the game' }).click();
  await expect(gamer.locator('html')).not.toHaveAttribute('data-theme');
  await gamer.context().close();

  const visitor = await app.blankPage(browser);
  await visitor.goto('/audit?event=3&type=GamerEnrolled');
  await visitor.getByRole('link', { name: 'Go to the login' }).click();
  await submitLogin(visitor, { gamerTag: 'rita', password: PASSWORD });
  await expect(visitor).toHaveURL('/audit?event=3&type=GamerEnrolled');
  await expect(visitor.getByRole('complementary').getByText('Event 3')).toBeVisible();
  await visitor.context().close();

  await step('Return to now').click();
  await app.asAdmin(`mini/gamers/${rita.id}/role`, { role: 'gamer' });
  // The page at the newest event refetches every ten seconds.
  await page.clock.fastForward(10_000);
  await expect(page.getByRole('heading', { name: 'Auditor access required' })).toBeVisible();
});
