import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Locator, type Page, type Request, test, type WebSocketRoute } from '@playwright/test';
import { IDEMPOTENCY_KEY } from '../contracts/http/headers.js';
import { refusalText } from '../contracts/messages.js';
import { GamerByHttp } from './gamers-by-http.js';
import { lookAt } from './look-at.js';
import { login, secondsShown, stageOf } from './people.js';
import { PASSWORD, Scene } from './scene.js';

/* What goes wrong between a gamer and the house, and that the gamer is told the truth and loses nothing. */

let scene: Scene;
let ada: GamerByHttp;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  scene = await Scene.open('sad');
  ada = await scene.gamer('ada_west', { tokens: 200 });
});

test.afterEach(() => scene.closePages());
test.afterAll(() => scene?.close());

const LOST = 'Connection lost - Attempting to reconnect...';
const toastOf = (page: Page): Locator => page.locator('.toast');
const buyDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Buy from Balance' });
const openBuyDialog = (page: Page) => stageOf(page).getByRole('button', { name: 'Buy Tokens from Balance' }).click();
const pressBuy = (page: Page) =>
  buyDialog(page)
    .getByRole('button', { name: /^Buy 1 token/ })
    .click();

/** A round with five minutes on its clock. */
async function live(): Promise<void> {
  await scene.clearStage();
  await scene.asAdmin('game/start-live');
}

test('the server goes in the middle of a round, and comes back after its clock would have run out', async ({
  browser,
}) => {
  test.setTimeout(150_000);
  await scene.setTimers({ pregame: 1, live: 12, downtime: 3_600, extension: 1 });
  const page = await scene.page(browser, ada);
  const stage = stageOf(page);
  await scene.asAdmin('game/start');
  await scene.until(({ gameState }) => gameState === 'live');
  await ada.buy(scene.url, 2);
  await expect(stage.locator('.lastbuyer')).toContainText('You');
  const { endsAtEpochMs } = await scene.game();

  await scene.kill();
  await expect(page.getByRole('alert').filter({ hasText: LOST })).toBeVisible();
  await expect(page.getByText(/^Attempt \d+ of 10\.$/)).toBeVisible();
  await expect(stage.getByText('LIVE GAME, LAST SEEN')).toBeVisible();
  await expect(stage.getByText('TIME REMAINING, ABOUT')).toBeVisible();
  await expect(stage.getByText(/^Last known, /)).toBeVisible();
  await expect(
    stage.getByText('Buying waits for the connection. Nothing you pressed was lost or charged twice.'),
  ).toBeVisible();
  await lookAt(page, 'sad-server-gone');

  await sleep((endsAtEpochMs ?? 0) - Date.now());
  await scene.startAgain();
  await expect(page.getByText(LOST)).toBeHidden({ timeout: 30_000 });
  await expect(stage.getByText('The round goes on after an outage.')).toBeVisible();
  await expect(stage.getByText(/Downtime does not pick a winner\./)).toBeVisible();
  await expect(stage.locator('.lastbuyer')).toContainText('You');
  await expectTrueCountdown(page);
  await lookAt(page, 'sad-server-back');
  await openBuyDialog(page);
  await pressBuy(page);
  await expect(toastOf(page)).toContainText('Purchased 1 Omni Token(s) successfully');
});

/** Whole seconds rounded up, of the server's time: a second's grain and a quarter's error. */
async function expectTrueCountdown(page: Page): Promise<void> {
  await expect(async () => {
    const { endsAtEpochMs, serverTimeEpochMs } = await scene.game();
    const leftSeconds = ((endsAtEpochMs ?? 0) - serverTimeEpochMs) / 1000;
    const shown = await secondsShown(page);
    expect(shown).toBeGreaterThanOrEqual(leftSeconds - 0.25);
    expect(shown).toBeLessThanOrEqual(leftSeconds + 1.25);
  }).toPass({ timeout: 5_000 });
}

test('after ten attempts a button connects again, and so does a browser that is online again', async ({ browser }) => {
  const page = await scene.blankPage(browser);
  const context = page.context();
  const line = await cuttableLine(page);
  await page.clock.install();
  await page.goto('/');
  await expect(stageOf(page).getByRole('timer')).not.toHaveText('––:––');
  const banner = page.getByRole('alert').filter({ hasText: LOST });
  const giveUp = async () => {
    await line.cut();
    await expect(async () => {
      await page.clock.runFor(5_000);
      await expect(banner).toContainText('All 10 attempts failed.', { timeout: 100 });
    }).toPass({ timeout: 30_000, intervals: [50] });
  };

  await giveUp();
  await lookAt(page, 'sad-given-up');
  await line.mend();
  await banner.getByRole('button', { name: 'Reconnect' }).click();
  await expect(banner).toBeHidden();

  await giveUp();
  await context.setOffline(true);
  await line.mend();
  await context.setOffline(false);
  await expect(banner).toBeHidden();
});

/** The page's socket, to be cut and mended as a router would. */
async function cuttableLine(page: Page) {
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
    mend: () => page.unroute('**/ws/**'),
  };
}

test('a purchase that comes a moment too late is refused, and costs nothing', async ({ browser }) => {
  await scene.clearStage();
  await scene.setTimers({ pregame: 1, live: 6, downtime: 3_600, extension: 30 });
  const page = await scene.page(browser, ada);
  const balance = stageOf(page).locator('.balance');
  await expect(balance).toContainText(/\$\d+\.\d\d is \d+ tokens/);
  const before = await balance.textContent();
  await page.route('**/api/buy-from-balance', async (route) => {
    await scene.until(({ gameState }) => gameState === 'downtime');
    await route.continue();
  });
  await scene.asAdmin('game/start');
  await expect(stageOf(page).getByRole('button', { name: 'JOIN LIVE GAME NOW' })).toBeVisible();
  await openBuyDialog(page);
  await pressBuy(page);
  await expect(buyDialog(page).getByText('Buying…')).toBeVisible();
  await expect(toastOf(page)).toContainText(`Purchase Failed${refusalText({ code: 'game-downtime' })}`, {
    timeout: 20_000,
  });
  await expect(buyDialog(page).getByRole('alert')).toContainText('Cannot Purchase Now');
  await lookAt(page, 'sad-too-late');
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(balance).toHaveText(before ?? '');
});

test('an answer that is lost: pressed again, also in a new dialog, it is one purchase', async ({ browser }) => {
  await live();
  const page = await scene.page(browser, ada);
  const keys: (string | undefined)[] = [];
  const attempts = [
    // The house cannot confirm it,
    () => ({ status: 503, json: { error: refusalText({ code: 'unavailable' }) } }),
    // then it buys, and its answer is lost on the way,
    null,
  ];
  await page.route('**/api/buy-from-balance', async (route) => {
    keys.push(route.request().headers()[IDEMPOTENCY_KEY.toLowerCase()]);
    const attempt = attempts.shift();
    if (attempt === undefined) return route.continue();
    if (attempt !== null) return route.fulfill(attempt());
    await route.fetch();
    return route.abort();
  });

  await openBuyDialog(page);
  await pressBuy(page);
  await expect(toastOf(page)).toContainText(`Purchase Failed${refusalText({ code: 'unavailable' })}`);
  await page.keyboard.press('Escape');
  await openBuyDialog(page);
  await pressBuy(page);
  await expect(toastOf(page)).toContainText('Failed to purchase tokens. Press Buy again: it cannot be charged twice.');
  await page.keyboard.press('Escape');
  await page.waitForTimeout(1_000);
  await openBuyDialog(page);
  await pressBuy(page);
  await expect(toastOf(page)).toContainText('Your first press had arrived. It is charged once only.');
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect((await scene.game()).purchases).toHaveLength(1);

  await openBuyDialog(page);
  await pressBuy(page);
  await expect(toastOf(page)).toContainText('You are the last buyer.');
  expect(new Set(keys).size).toBe(2);
  expect((await scene.game()).purchases).toHaveLength(2);
});

test('a session that ended: the page says so, and one can log in again', async ({ browser }) => {
  await live();
  const adaElsewhere = await GamerByHttp.logIn(scene.url, 'ada_west', PASSWORD);
  const page = await scene.page(browser, adaElsewhere);
  await test.step('logged out elsewhere', async () => {
    await openBuyDialog(page);
    await adaElsewhere.post(`${scene.url}/api/logout`, {});
    await expect(toastOf(page)).toContainText('Your session has endedPlease log in again.', { timeout: 15_000 });
    await expect(buyDialog(page)).toBeHidden();
    await expect(page.getByText('Log in to see your winnings')).toBeVisible();
    await lookAt(page, 'sad-session-ended');
    await login(page, { gamerTag: 'ada_west', password: PASSWORD });
  });
  await test.step('its cookie is gone: noticed by the purchase', async () => {
    await openBuyDialog(page);
    await page.context().clearCookies();
    await pressBuy(page);
    await expect(toastOf(page)).toContainText('Your session has ended');
    await expect(buyDialog(page)).toBeHidden();
    await login(page, { gamerTag: 'ada_west', password: PASSWORD });
    await openBuyDialog(page);
    await pressBuy(page);
    await expect(toastOf(page)).toContainText('Purchased 1 Omni Token(s) successfully');
  });
});

test('a game at home, by http and an address, where browsers have no randomUUID', async ({ browser }) => {
  await live();
  const page = await scene.page(browser, ada);
  await page.addInitScript(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }));
  await page.reload();
  await openBuyDialog(page);
  await pressBuy(page);
  await expect(toastOf(page)).toContainText('Purchased 1 Omni Token(s) successfully');
});

test('a slow network: nothing jumps, and a double click is one purchase', async ({ browser }) => {
  test.setTimeout(90_000);
  await live();
  const bea = await scene.gamer('bea_slow', { tokens: 10 });
  const page = await scene.page(browser, bea);
  await page.addInitScript(countLayoutShift);
  const throttle = await page.context().newCDPSession(page);
  await throttle.send('Network.enable');
  await throttle.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 100 * 1024,
    uploadThroughput: 50 * 1024,
  });
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('status', { name: 'Loading recent purchases' })).toBeVisible({ timeout: 30_000 });
  await expect(stageOf(page).getByText('LIVE GAME NOW ACTIVE')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Nobody has joined with your link yet.')).toBeVisible({ timeout: 30_000 });
  expect(await page.evaluate(() => (window as Window & { layoutShift?: number }).layoutShift)).toBeLessThan(0.1);

  const sent: Request[] = [];
  page.on('request', (request) => request.url().endsWith('/api/buy-from-balance') && sent.push(request));
  await openBuyDialog(page);
  await buyDialog(page)
    .getByRole('button', { name: /^Buy 1 token/ })
    .dblclick();
  await expect(toastOf(page)).toContainText('Purchased 1 Omni Token(s) successfully', { timeout: 20_000 });
  expect(sent).toHaveLength(1);
  expect((await scene.game()).purchases.filter(({ buyerId }) => buyerId === bea.id)).toHaveLength(1);
});

/** What the browser itself says moved without anybody's doing, summed up in the page. */
function countLayoutShift(): void {
  const counted = window as Window & { layoutShift?: number };
  counted.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) counted.layoutShift = (counted.layoutShift ?? 0) + entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}
