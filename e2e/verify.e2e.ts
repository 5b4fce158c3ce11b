import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { noteSigner, signedNote } from '../api/src/features/receipts/signed-note.js';
import type { PurchaseReceipt } from '../contracts/http/purchases.js';
import type { LedgerProofFile } from '../contracts/http/receipts.js';
import { builtFile } from '../embedded/launcher/built-files.js';
import { checkPage } from './check-page.js';
import { buy } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { TestApp } from './test-app.js';

/* The public page /verify, and the watch of the ledger's signed head: Nora buys 2 tokens and wins round 1. */

let app: TestApp;
let nora: HttpGamer;
let page: Page;
let other: PurchaseReceipt;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ browser }) => {
  test.setTimeout(120_000);
  app = await TestApp.open('verify');
  nora = await app.gamer('nora', { tokens: 10 });
  const omar = await app.gamer('omar', { tokens: 10 });
  await app.setTimers({ pregame: 1, live: 25, downtime: 3_600, extension: 1 });
  await app.asAdmin('game/start');
  await app.until(({ gameState, isActive }) => gameState === 'live' && isActive);
  other = (await omar.buy(app.url, 1)) as PurchaseReceipt;
  page = await app.page(browser, nora);
});

test.afterAll(() => app?.close());

const steps = (): Locator => page.locator('.proof-steps > li');
const act = (name: string): Locator => page.getByRole('region', { name, exact: true });

test('explains the empty list before the first purchase', async () => {
  await page.goto('/gamers-guide');
  await page.getByRole('link', { name: 'Check the ledger yourself' }).click();
  await expect(page.getByRole('heading', { name: 'Check the ledger yourself' })).toBeVisible();
  await expect(act('A purchase of yours').getByText('their receipts are here')).toBeVisible();
  await checkPage(page, 'verify-empty');
  await act('A file').getByRole('button', { name: 'Check the text' }).click();
  await expect(act('A file').getByText('This is no receipt: the text is not JSON.')).toBeVisible();
  await page.getByRole('link', { name: 'Return to Game' }).click();
});

test('the receipt of a purchase leads to its check, which waits for the round’s end', async () => {
  await buy(page, 2);
  await page.getByRole('link', { name: 'Check this receipt' }).click();
  await expect(page).toHaveURL(/\/verify\?purchase=/);
  await expect(steps().filter({ hasText: 'The ledger holds this purchase' })).toContainText('Holds');
  await expect(steps().filter({ hasText: 'The operator signed the ledger' })).toContainText('Holds');
  await expect(steps().filter({ hasText: 'It counted in its round' })).toContainText('Later');
  await checkPage(page, 'verify-live');
});

test('after the round every step holds, and the proof can be saved and opened again without a login', async ({
  browser,
}) => {
  await app.until(({ gameState }) => gameState === 'downtime');
  await page.reload();
  await expect(page.getByText('All 5 steps hold')).toBeVisible();
  await expect(steps().filter({ hasText: 'How round 1 ended' })).toContainText('which is this purchase');
  await expect(act('What this browser remembers')).toContainText('signatures and hashes agree');
  await checkPage(page, 'verify-checked');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the proof' }).click(),
  ]);
  const path = await download.path();
  const text = await readFile(path, 'utf8');
  expect(await auditorsExitCode(path)).toBe(0);
  const stranger = await app.blankPage(browser);
  await stranger.goto('/verify');
  const form = stranger.getByRole('region', { name: 'A file' });
  await form.getByLabel('Receipt or proof').fill(text);
  await form.getByRole('button', { name: 'Check the text' }).click();
  await expect(stranger.getByText('All 5 steps hold')).toBeVisible();

  const forged = JSON.parse(text) as LedgerProofFile;
  forged.event.recorded.data.buyerId = 'somebody-else';
  await form.getByLabel('Receipt or proof').fill(JSON.stringify(forged));
  await writeFile(path, JSON.stringify(forged));
  expect(await auditorsExitCode(path)).toBe(1);
  await form.getByRole('button', { name: 'Check the text' }).click();
  await expect(stranger.getByRole('alert')).toContainText('Something does not match');
  await expect(stranger.locator('.proof-steps .is-bad')).toHaveCount(2);
  await checkPage(stranger, 'verify-forged');
});

/** `npm run audit -- receipt FILE`, without an event store. */
function auditorsExitCode(path: string): Promise<number | null> {
  const auditor = spawn(process.execPath, [builtFile('audit/main.js'), 'receipt', path], { env: {}, stdio: 'ignore' });
  return new Promise((resolve) => auditor.once('exit', resolve));
}

test('checks a round’s winner from the list of winners, and a receipt that is pasted', async () => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Recent Winners' }).click();
  await page.getByRole('link', { name: 'Round 1' }).click();
  await page.getByRole('link', { name: 'Check it in the ledger' }).click();
  await expect(page.getByText('All 2 steps hold')).toBeVisible();
  await expect(steps().first()).toContainText(nora.id);
  await act('A file').getByLabel('Receipt or proof').fill(JSON.stringify(other));
  await act('A file').getByRole('button', { name: 'Check the text' }).click();
  await expect(page.getByRole('heading', { name: '1 token in round 1' })).toBeFocused();
  await expect(page.getByText('All 5 steps hold')).toBeVisible();
});

test('says that the server denies a receipt, and that it does not answer or has not yet answered', async () => {
  await act('A file')
    .getByLabel('Receipt or proof')
    .fill(JSON.stringify({ ...other, eventId: 'x' }));
  await act('A file').getByRole('button', { name: 'Check the text' }).click();
  await expect(page.getByRole('alert')).toContainText('The server denies this event');
  const checkRound = async (roundId: string) => {
    await act('A round’s winner').getByLabel('Round number').fill(roundId);
    await act('A round’s winner').getByRole('button', { name: 'Check the winner' }).click();
  };
  await checkRound('3');
  await expect(page.getByText('No round with this number has ended')).toBeVisible();
  await page.route('**/api/ledger/rounds/2', () => {});
  await checkRound('2');
  await expect(page.getByRole('status', { name: 'Loading proof' })).toBeVisible();
  await checkPage(page, 'verify-loading');
  await page.route('**/api/ledger/**', (route) => route.abort());
  await checkRound('1');
  await expect(page.getByText('The proof could not be loaded')).toBeVisible();
  await checkPage(page, 'verify-server-away');
  await page.unroute('**/api/ledger/**');
});

/** A memory of a head of the first event that this server never signed. */
const memoryOf = (key: string, note: string): string =>
  JSON.stringify({ key, checkpoints: [note], receipts: [], alarm: null });

test('a contradicting head raises an alarm that stays until the visitor decides', async ({ browser }) => {
  test.setTimeout(120_000);
  const { keys } = (await (await fetch(`${app.url}/api/ledger/key`)).json()) as { keys: string[] };
  const key = keys[0] as string;
  // The browser trusts the server's key; what it remembers of size 1 is another history.
  const name = key.split('+')[0] as string;
  const chain = Buffer.alloc(32, 7).toString('base64');
  const note = signedNote(`${name}\n1\n${chain}\ntime 2026-01-31T12:00:00.000Z\nposition 1\nkey ${key}\n`, [
    noteSigner(name, Buffer.alloc(32, 1)),
  ]);
  const visitor = await app.blankPage(browser);
  await visitor.addInitScript(
    (text) => {
      if (localStorage.getItem('omni-jackpot.ledger') === null) localStorage.setItem('omni-jackpot.ledger', text);
    },
    memoryOf(key, note),
  );
  await visitor.goto('/');
  const banner = visitor.getByRole('alert').filter({ hasText: 'The ledger contradicts itself' });
  await expect(banner).toBeVisible({ timeout: 30_000 });
  await checkPage(visitor, 'ledger-alarm');
  await visitor.reload();
  await expect(banner).toBeVisible({ timeout: 30_000 });
  await banner.getByRole('link', { name: 'What to do' }).click();
  const panel = visitor.getByRole('region', { name: 'The ledger contradicts itself' });
  await expect(panel).toContainText(chain);
  await checkPage(visitor, 'verify-contradiction');
  const forget = panel.getByRole('button', { name: 'Forget all and begin anew' });
  await expect(forget).toBeDisabled();
  const [download] = await Promise.all([
    visitor.waitForEvent('download'),
    panel.getByRole('button', { name: 'Save both texts' }).click(),
  ]);
  const saved = JSON.parse(await readFile(await download.path(), 'utf8')) as { remembered: string; received: string };
  expect(saved.remembered).toBe(note);
  expect(saved.received.split('\n').slice(0, 2)).toEqual([name, '1']);
  await forget.click();
  await expect(banner).toBeHidden();
});
