import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Page, type Route, type WebSocketRoute } from '@playwright/test';
import type { RecentPurchasesResponse } from '../contracts/http/purchases.js';
import { refusalText } from '../contracts/refusals.js';
import { dialogOf, openPanel } from './admin-panel.js';
import { checkPage } from './check-page.js';
import { buyDialog, goByMenu, login, openBuyDialog, stageOf, toastOf } from './game-page.js';
import { HttpGamer } from './http-gamer.js';
import { CAMPAIGN, DESKTOP, PASSWORD, sharedApp, test } from './test-app.js';

/* Failures of server and network: the gamer gets a true message and loses no money. */

let ada: HttpGamer;

const app = sharedApp(async () => {
  ada = await app.gamer('ada_fails', { tokens: 200 });
});

const LOST = 'Connection lost - Attempting to reconnect...';
const pressBuy = (page: Page) =>
  buyDialog(page)
    .getByRole('button', { name: /^Buy 1 token/ })
    .click();

/** Starts a round of five minutes. */
async function startLive(): Promise<void> {
  await app.resetGame();
  await app.asAdmin('game/start-live');
}

test('reconnects after ten attempts by a button, by focus and when online again', CAMPAIGN, async ({ browser }) => {
  await startLive();
  const page = await app.blankPage(browser, ada);
  const connection = await cuttableConnection(page);
  await page.clock.install();
  await page.goto('/');
  const stage = stageOf(page);
  await expect(stage.getByText('LIVE GAME NOW ACTIVE')).toBeVisible();
  const banner = page.getByRole('alert').filter({ hasText: 'Connection lost' });
  for (const comeBack of [
    () => banner.getByRole('button', { name: 'Reconnect' }).click(),
    () => page.evaluate(() => window.dispatchEvent(new Event('focus'))),
    () => page.evaluate(() => window.dispatchEvent(new Event('online'))),
  ]) {
    await connection.cut();
    await expect(async () => {
      await page.clock.runFor(5_000);
      await expect(banner).toContainText('All 10 attempts failed.', { timeout: 100 });
    }).toPass({ intervals: [50] });
    await expect(banner).not.toContainText('Attempting');
    await expect(stage.getByText('LIVE GAME, LAST SEEN')).toBeVisible();
    await ada.buy(app.url, 1);
    await connection.restore();
    await comeBack();
    await expect(toastOf(page)).toContainText(
      /While you were offline1 purchase in round \d+\. You are the last buyer\./,
    );
    await expect(banner).toBeHidden();
  }
});

test('shows once the outcome of a purchase whose response was lost', CAMPAIGN, async ({ browser }) => {
  await startLive();
  const page = await app.blankPage(browser, ada);
  // Pages on plain HTTP have no randomUUID.
  await page.addInitScript(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }));
  const connection = await cuttableConnection(page);
  await page.goto('/');
  const dialog = buyDialog(page);
  await page.route('**/api/buy-from-balance', async (route) => {
    await route.fetch();
    return route.abort();
  });
  await openBuyDialog(page);
  await pressBuy(page);
  await connection.cut();
  await expect(dialog.getByText('Still trying … You are charged once at most.')).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: LOST })).toBeVisible();
  await expect(dialog.getByText('Cannot Purchase Now')).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(stageOf(page).getByText('Still trying. The outcome will be shown here.')).toBeVisible();

  await page.unroute('**/api/buy-from-balance');
  await expect(toastOf(page)).toContainText('Purchased 1 Omni Token(s) successfully');
  expect((await app.game()).purchases).toHaveLength(1);
  await connection.restore();
  await expect(page.getByText(LOST)).toBeHidden();
  await expect(stageOf(page).locator('.lastbuyer')).toContainText('You');
  await expect(page.getByText('While you were offline')).toHaveCount(0);
});

test('says by how much a purchase came too late, with its proof', CAMPAIGN, async ({ browser }) => {
  await app.resetGame();
  const page = await app.page(browser, ada);
  await app.startShortRound(4);
  const { endsAtEpochMs } = await app.game();
  await page.route('**/api/buy-from-balance', async (route) => {
    await sleep((endsAtEpochMs ?? 0) + 40 - Date.now());
    await route.continue();
  });
  await openBuyDialog(page);
  await pressBuy(page);
  await expect(toastOf(page)).toContainText(/arrived [\d.]+ (ms|seconds) after zero; nothing was charged\./);
  const over = page.getByRole('dialog', { name: 'The round is over' });
  await over.getByRole('link', { name: 'Check this refusal' }).click();
  await expect(page.getByText('All 3 steps hold')).toBeVisible();
  await checkPage(page, 'verify-refusal');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the refusal' }).click();
  const saved = await readFile(await (await saving).path(), 'utf8');
  const forged = saved.replace('quantity 1', 'quantity 2');
  const file = { name: 'a.refusal', mimeType: 'text/plain', buffer: Buffer.from(forged) };
  await page.getByLabel('Saved proof', { exact: true }).setInputFiles(file);
  await expect(page.getByRole('alert').filter({ hasText: 'Something does not match' })).toBeVisible();
  await page.goto(`/rounds/${(await app.game()).lastResult?.roundId}`);
  await expect(page.getByText(/^1 purchase came after zero and did not count\. [\d,]+ ms late\.$/)).toBeVisible();
});

test('leads from a complaint to its verdict in three steps, for a late press and a timely one', async ({ browser }) => {
  await app.resetGame();
  await app.startShortRound(2);
  await ada.buy(app.url, 1);
  await app.until(({ gameState }) => gameState === 'downtime');
  expect(await ada.buy(app.url, 3)).toBe(refusalText({ code: 'game-downtime' }));
  const complaint = { gamerId: ada.id, subject: 'I was in time', message: 'I pressed at 0.2 s and lost.' };
  await ada.post(`${app.url}/api/support/tickets`, complaint);
  const page = await app.page(browser, app.admin);
  await page.setViewportSize(DESKTOP);
  const tickets = await openPanel(page, 'Support Tickets');
  await tickets.getByRole('button', { name: 'Answer ada_fails’s ticket: I was in time' }).click();
  const ticket = dialogOf(page, 'I was in time');
  const row = (hasText: RegExp) => ticket.getByRole('listitem').filter({ hasText });
  await checkPage(page, 'admin-complaint');
  for (const press of [
    /^3 tokens in round \d+, [\d,]+ ms after zero/,
    /^Tokens bought, round \d+, [-−]\$0\.30, \d\.\d{3} s left, and nobody/,
  ]) {
    const opening = page.waitForEvent('popup');
    await row(press).first().getByRole('link', { name: 'Proof' }).click();
    await expect((await opening).getByText(/All \d steps hold/)).toBeVisible();
  }
  await row(/ms after zero/)
    .first()
    .getByRole('button', { name: 'Cite' })
    .click();
  await expect(ticket.getByLabel('Answer to ada_fails')).toHaveValue(/ms after zero: http.+\/verify\?late=/);
  await ticket.getByRole('button', { name: 'Close ticket' }).click();

  const gamer = await app.page(browser, ada);
  await goByMenu(gamer, 'Contact Support');
  const support = dialogOf(gamer, 'Support Center');
  const verdict = gamer.waitForEvent('popup');
  await support.getByRole('link', { name: /\/verify\?late=/ }).click();
  const cited = await verdict;
  await expect(cited.getByText(/All \d steps hold/)).toBeVisible();
  const other = await app.blankPage(browser);
  await other.goto(cited.url());
  await expect(other.getByText('Only its buyer can open this proof')).toBeVisible();
  await support.getByText('Write again').click();
  await support
    .getByRole('form', { name: 'Write again about I was in time' })
    .getByLabel('Message')
    .fill('My clock was slow, then.');
  await support.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(support.getByText('Continued')).toBeVisible();
  await checkPage(gamer, 'gamer-conversation');
  await page.getByRole('button', { name: 'Answer ada_fails’s ticket: I was in time' }).click();
  await expect(ticket.getByText('My clock was slow, then.')).toBeVisible();
});

test('tells a gamer whose round was reset why, until it is dismissed', async ({ browser }) => {
  await startLive();
  const page = await app.page(browser, ada);
  await openBuyDialog(page);
  await pressBuy(page);
  await expect(buyDialog(page)).toBeHidden();
  await app.asAdmin('game/reset', { reason: 'the clock was wrong' });
  const notice = stageOf(page).getByRole('alert').filter({ hasText: 'The admin reset round' });
  await expect(notice).toContainText('Reason: the clock was wrong.');
  await expect(notice).toBeInViewport({ ratio: 1 });
  const { resetRoundId } = await app.game();
  await expect(stageOf(page).locator('.lastbuyer')).toContainText(`WinnerNobodyRound ${resetRoundId} was reset. $`);
  await expect(page.getByText(`Round ${resetRoundId} was reset: nobody won`)).toBeVisible();
  await expect(notice.getByRole('link', { name: 'Public record' })).toHaveAttribute('href', '/record');
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toBeHidden();
  await page.goto(`/verify?round=${resetRoundId}`);
  await expect(page.getByText('This round was reset, so it has no winner. Public record')).toBeVisible();
  await page.goto('/statement');
  await expect(page.getByText(/ left, and its round was reset: the clock was wrong$/)).toBeVisible();
});

/** Cuts and restores the page's socket connection. */
async function cuttableConnection(page: Page) {
  const open = new Set<WebSocketRoute>();
  await page.routeWebSocket(/\/ws\//, (socket) => {
    socket.connectToServer();
    open.add(socket);
  });
  return {
    cut: async () => {
      await page.route('**/ws/**', (route) => route.abort());
      for (const socket of open) await socket.close();
      open.clear();
    },
    restore: () => page.unroute('**/ws/**'),
  };
}

test('counts down before its code is there, shows the stage alone, and recovers', CAMPAIGN, async ({ browser }) => {
  await startLive();
  const page = await app.blankPage(browser);
  const server = { isBack: false, hasCode: false };
  // All but the first load.
  await page.route(/\/assets\/(?!index-|first-clock-|rolldown-runtime-).*\.js$/, (route) =>
    server.hasCode ? route.continue() : route.abort(),
  );
  // The page asks by this request, after a second failure, whether to load itself anew.
  await page.route('/', (route) => {
    if (route.request().method() !== 'HEAD') return route.continue();
    server.hasCode = server.isBack;
    return server.isBack ? route.continue() : route.abort();
  });
  const code: Route[] = [];
  const first = /\/assets\/index-[^/]*\.js$/;
  await page.route(first, (route) => void code.push(route));
  await page.goto('/', { waitUntil: 'commit' });
  const clock = page.locator('[inert] .clock');
  await expect(clock).toHaveText(/^0\d:\d\d$/);
  await expect(clock).not.toHaveText((await clock.textContent()) ?? '');
  await page.unroute(first);
  for (const route of code) await route.continue();
  await expect(stageOf(page).getByRole('timer')).toHaveText(/^0\d:\d\d$/);
  await expect(page.getByRole('main').getByText('This part of the page could not be loaded')).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: LOST })).toBeVisible();
  server.isBack = true;
  await expect(page.getByRole('form', { name: 'Register' })).toBeVisible();
  await expect(page.getByText(LOST)).toBeHidden();
});

test('says when a dialog’s code does not arrive, and opens it later', CAMPAIGN, async ({ browser }) => {
  const page = await app.page(browser);
  await page.getByRole('tab', { name: 'Login' }).click();
  await page.route('**/assets/*.js', (route) => route.abort());
  const open = () => page.getByRole('button', { name: 'Forgot password?' }).click();
  await open();
  await expect(toastOf(page)).toContainText('This dialog could not be opened');
  await page.unrouteAll();
  await expect(async () => {
    await page.getByRole('tab', { name: 'Login' }).click();
    await open();
    await expect(page.getByRole('dialog')).toBeVisible({ timeout: 2_000 });
  }).toPass();
});

test('reports a session that was ended elsewhere', async ({ browser }) => {
  await startLive();
  const adaElsewhere = await HttpGamer.logIn(app.url, 'ada_fails', PASSWORD);
  const page = await app.page(browser, adaElsewhere);
  await openBuyDialog(page);
  await adaElsewhere.post(`${app.url}/api/logout`, {});
  await expect(toastOf(page)).toContainText('Authentication ErrorYour session has ended.');
  await expect(buyDialog(page)).toBeHidden();
  await expect(page.getByText('Log in to see your winnings')).toBeVisible();
});

test('a tab shows whose session its browser has, and loads anew for another', CAMPAIGN, async ({ browser }) => {
  await app.gamer('bea_tabs');
  const one = await app.page(browser);
  const two = await one.context().newPage();
  await two.goto('/');
  const expectInBoth = async (gamerTag: string) => {
    for (const tab of [one, two]) await expect(tab.getByText(`Signed in as${gamerTag}`)).toBeVisible();
  };
  await login(two, { gamerTag: 'ada_fails', password: PASSWORD });
  await expectInBoth('ada_fails');
  // No tab announces this login: it shows in the next response.
  await one.context().request.post('/api/login', { data: { username: 'bea_tabs', password: PASSWORD } });
  await expectInBoth('bea_tabs');
});

test('a page that the browser translates goes on changing', CAMPAIGN, async ({ browser }) => {
  await startLive();
  await ada.buy(app.url, 13);
  const page = await app.blankPage(browser, ada);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.route('**/api/purchases/recent', async (route) => {
    const { purchases } = (await (await route.fetch()).json()) as RecentPurchasesResponse;
    // The board has the present round's purchases with their own times.
    const [known] = purchases.filter(({ quantity }) => quantity === 13);
    const aged = { ...known, purchaseId: 'aged', quantity: 14, timestamp: Date.now() - 54_000 };
    await route.fulfill({ json: { purchases: [aged] } });
  });
  await page.clock.install();
  await page.goto('/');
  const stage = stageOf(page);
  await expect(page.getByText('14 tokens, Just now')).toBeVisible();
  await expect(stage.getByText(/, enough for \d+ tokens/)).toBeVisible();
  const changing = [stage.getByRole('timer'), stage.locator('.jackpot'), stage.locator('.balance')];
  const texts = () => Promise.all(changing.map((each) => each.textContent()));
  await page.evaluate(translate);
  const before = await texts();

  await page.clock.fastForward(10_000);
  await expect(page.getByText('14 tokens, 1 minute ago')).toBeVisible();
  await expect(page.getByText('14 tokens, Just now')).toBeHidden();
  await ada.buy(app.url, 12);
  await expect(page.getByText('12 tokens, Just now')).toBeVisible();
  await expect.poll(async () => (await texts()).every((text, index) => text !== before[index])).toBe(true);
  expect(errors).toEqual([]);
});

/** Puts every text into `<font>` elements, as browsers that translate a page do. */
function translate(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: Node[] = [];
  while (texts.nextNode()) found.push(texts.currentNode);
  for (const text of found) {
    const font = document.createElement('font');
    text.parentNode?.replaceChild(font, text);
    font.append(text.textContent ?? '');
  }
}
