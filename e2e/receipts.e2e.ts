import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import type { LostHistory } from '../contracts/http/history-loss.js';
import type { LedgerKeys } from '../contracts/http/receipts.js';
import { headText } from '../contracts/transparency/signed-head.js';
import { createSigner, ED25519, fromBase64, signatureLine, toBase64 } from '../contracts/transparency/signed-note.js';
import { builtFile } from '../embedded/launcher/built-files.js';
import { checkPage } from './check-page.js';
import { buy } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { CAMPAIGN, sharedApp, test } from './test-app.js';

/* The public page /verify, and the watch of the ledger's signed heads: Nora buys 2 tokens and wins a round. */

let nora: HttpGamer;
let page: Page;
let key: string;
let roundId: number | null;

test.describe.configure({ mode: 'serial' });

const app = sharedApp(async (browser) => {
  nora = await app.gamer('nora', { tokens: 10 });
  const omar = await app.gamer('omar', { tokens: 10 });
  await app.startShortRound(12);
  await omar.buy(app.url, 1);
  ({ roundId } = await app.game());
  key = ((await (await fetch(`${app.url}/api/ledger/key`)).json()) as LedgerKeys).keys[0] as string;
  page = await app.page(browser, nora);
});

const steps = (): Locator => page.locator('.proof-steps > li');
const act = (name: string, on = page): Locator => on.getByRole('region', { name, exact: true });
const stepOf = (hasText: string): Locator => steps().filter({ hasText });
const open = (text: string, on = page): Promise<void> =>
  on
    .getByLabel('Saved proof', { exact: true })
    .setInputFiles({ name: 'a.tlog-proof', mimeType: 'text/plain', buffer: Buffer.from(text) });

test('explains the empty list before the first purchase, and refuses a file that is not a proof', async () => {
  await page.goto('/gamers-guide');
  await page.getByRole('link', { name: 'Check the ledger yourself' }).click();
  await expect(page.getByRole('heading', { name: 'Check the ledger yourself' })).toBeVisible();
  await expect(act('A purchase of yours').getByText('their receipts are here')).toBeVisible();
  await open('{"format":"omni-jackpot proof 1"}');
  await expect(act('A file').getByRole('alert')).toContainText('this file is not a proof of the ledger');
  await page.getByRole('link', { name: 'Return to Game' }).click();
});

test('the receipt of a purchase leads to its check, also before the round’s end', async () => {
  await buy(page, 2);
  await page.getByRole('link', { name: 'Check this receipt' }).click();
  await expect(page).toHaveURL(/\/verify\?purchase=/);
  await expect(page.getByText('All 4 steps hold')).toBeVisible();
  await expect(stepOf('It is the purchase on your receipt')).toContainText('Holds');
  await expect(stepOf('is in the ledger')).toContainText(`2 tokens in round ${roundId}`);
  await expect(stepOf('Witnesses saw the same ledger')).toContainText('cosigned by');
  await checkPage(page, 'verify-live');
});

test('a stranger checks a saved proof without a network; a forged one is refused', CAMPAIGN, async ({ browser }) => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the proof' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^ledger-\d+\.tlog-proof$/);
  const path = await download.path();
  const text = await readFile(path, 'utf8');
  expect(await auditorsExitCode(path)).toBe(0);
  const stranger = await app.blankPage(browser);
  await stranger.goto('/verify');
  await expect(act('What this browser remembers', stranger)).toContainText('is witnessed by');
  await stranger.context().setOffline(true);
  await open(text, stranger);
  await expect(stranger.getByRole('heading', { name: 'A saved proof of event' })).toBeFocused();
  await expect(stranger.getByText('All 3 steps hold')).toBeVisible();

  const [first, extra = '', ...rest] = text.split('\n');
  const events = Buffer.from(fromBase64(extra.slice('extra '.length))).toString();
  const somebodyElse = events.replace(nora.id, 'x'.repeat(nora.id.length));
  const forged = [first, `extra ${toBase64(Buffer.from(somebodyElse))}`, ...rest].join('\n');
  await writeFile(path, forged);
  expect(await auditorsExitCode(path)).toBe(1);
  await open(forged, stranger);
  await expect(stranger.getByRole('alert').filter({ hasText: 'Something does not match' })).toBeVisible();
  await expect(stranger.locator('.proof-steps .is-bad')).toHaveCount(1);
  await checkPage(stranger, 'verify-forged');
});

/** `npm run audit -- receipt FILE --key KEY`, without an event store. */
function auditorsExitCode(path: string): Promise<number | null> {
  const command = [builtFile('audit/main.js'), 'receipt', path, '--key', key];
  const auditor = spawn(process.execPath, command, { env: {}, stdio: 'ignore' });
  return new Promise((resolve) => auditor.once('exit', resolve));
}

test('says that the server denies an event, and that it does not answer', async () => {
  await page.goto('/verify?event=1&id=x');
  await expect(page.getByRole('alert')).toContainText('The server denies this event');
  const checkRound = async (roundId: string) => {
    await act('A round’s winner').getByLabel('Round number').fill(roundId);
    await act('A round’s winner').getByRole('button', { name: 'Check the winner' }).click();
  };
  await checkRound('999');
  await expect(page.getByText('No round with this number has ended')).toBeVisible();
  await page.route('**/api/ledger/**', (route) => route.abort());
  await checkRound('1');
  await expect(page.getByText('The proof could not be loaded')).toBeVisible();
  await page.unroute('**/api/ledger/**');
});

test('a contradicting head raises an alarm until the visitor decides', CAMPAIGN, async ({ browser }) => {
  // The browser trusts the server's key, but remembers another history of size 1.
  const name = key.split('+')[0] as string;
  const note = await headOf(name, 1);
  const visitor = await app.blankPage(browser);
  await remember(visitor, { key, head: note, receipts: [], alarm: null });
  await visitor.goto('/');
  const banner = visitor.getByRole('alert').filter({ hasText: 'The ledger contradicts itself' });
  await expect(banner).toBeVisible();
  await banner.getByRole('link', { name: 'What to do' }).click();
  const panel = visitor.getByRole('region', { name: 'The ledger contradicts itself' });
  await expect(panel).toContainText(note.trimEnd());
  await checkPage(visitor, 'verify-contradiction');
  const forget = panel.getByRole('button', { name: 'Forget all and begin anew' });
  await expect(forget).toBeDisabled();
  const saving = visitor.waitForEvent('download');
  await panel.getByRole('button', { name: 'Save both texts' }).click();
  expect(await readFile(await (await saving).path(), 'utf8')).toContain(JSON.stringify(note));
  await forget.click();
  await expect(banner).toBeHidden();
});

test('checks a round’s winner from the list of winners, and the browser finds the receipt in the ledger', async () => {
  await app.until(({ gameState }) => gameState === 'downtime');
  await page.goto('/');
  await page.getByRole('button', { name: 'Recent Winners' }).click();
  await page.getByRole('link', { name: `Round ${roundId}`, exact: true }).click();
  await page.getByRole('link', { name: 'Check it in the ledger' }).click();
  await expect(page.getByText('All 4 steps hold')).toBeVisible();
  await expect(steps().first()).toContainText(`by you, gamer ${nora.id}, who won`);
  const remembered = act('What this browser remembers');
  await expect(remembered).toContainText('its signature is right');
  await expect(remembered).toContainText('1 receipt, 1 found in the ledger');
});

test('a loss of history is a notice of what was lost, by whom and why', CAMPAIGN, async ({ browser }) => {
  // The browser remembers five events of another log, and the server says that all but the first were lost.
  const note = await headOf('lost.example/ledger', 5);
  const bytes = key.split('+').slice(2).join('+');
  const id = createHash('sha256').update('lost.example/ledger\n').update(Buffer.from(bytes, 'base64')).digest('hex');
  const lostKey = `lost.example/ledger+${id.slice(0, 8)}+${bytes}`;
  const nowMs = Date.now();
  const lost: LostHistory = {
    number: 2,
    atMs: nowMs,
    lastKeptAtMs: nowMs - 7_200_000,
    signedOrigin: 'lost.example/ledger',
    signedSize: 6,
    signedRoot: 'ab'.repeat(32),
    keys: [lostKey],
    acceptedBy: 'Ada Lovelace',
    reason: 'The disk failed, and the backup was two hours old.',
  };
  const receipt = { purchaseId: 'p1', roundId: 1, quantity: 2, revision: 3, eventId: 'x', chain: 'ab'.repeat(32) };
  const receipts = [{ receipt: { ...receipt, receivedAtEpochMs: nowMs - 3_600_000 }, isProved: true }];
  const visitor = await app.blankPage(browser);
  await visitor.route('**/api/ledger/key', async (route) => {
    const keys = (await (await route.fetch()).json()) as LedgerKeys;
    await route.fulfill({ json: { ...keys, losses: [lost] } });
  });
  await remember(visitor, { key: lostKey, head: note, receipts, alarm: null });
  await visitor.goto('/verify');
  const banner = visitor.getByRole('status').filter({ hasText: 'A part of the ledger was lost' });
  await expect(banner).toBeVisible();
  const panel = visitor.getByRole('region', { name: 'A part of the ledger was lost' });
  await expect(panel).toContainText('Ada Lovelace accepted it: The disk failed');
  await expect(panel.getByRole('listitem')).toContainText('2 tokens in round 1');
  await checkPage(visitor, 'verify-loss');
  await panel.getByRole('button', { name: 'Go on with the new log' }).click();
  await expect(banner).toBeHidden();
  await visitor.getByRole('button', { name: 'Check 2 tokens in round 1' }).click();
  await expect(visitor.getByRole('alert')).toContainText('This event was lost');
});

/** A head of a log of this name, with a root of its own. */
async function headOf(name: string, size: number): Promise<string> {
  const signer = await createSigner(name, ED25519, new Uint8Array(32).fill(1));
  const text = headText(name, { size, root: new Uint8Array(32).fill(7) });
  return `${text}\n${await signatureLine(signer, text)}`;
}

/** A browser's memory of the ledger when its first page opens. */
const remember = (visitor: Page, memory: object): Promise<unknown> =>
  visitor.addInitScript((stored) => {
    if (localStorage.getItem('omni-jackpot.ledger') === null) localStorage.setItem('omni-jackpot.ledger', stored);
  }, JSON.stringify(memory));
