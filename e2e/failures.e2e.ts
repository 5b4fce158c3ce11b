import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Page, type Route, type WebSocketRoute } from '@playwright/test';
import type { RecentPurchasesResponse } from '../contracts/http/purchases.js';
import { refusalText } from '../contracts/refusals.js';
import { dialogOf, openPanel } from './admin-panel.js';
import { checkPage } from './check-page.js';
import { buyDialog, expectServerCountdown, goByMenu, login, openBuyDialog, stageOf, toastOf } from './game-page.js';
import { HttpGamer } from './http-gamer.js';
import { DESKTOP, PASSWORD, sharedApp, test } from './test-app.js';

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

test('reconnects after ten attempts by a button, by the window’s focus and when the browser is online again', async ({
  browser,
}) => {
  const page = await app.blankPage(browser);
  const context = page.context();
  const connection = await cuttableConnection(page);
  await page.clock.install();
  await page.goto('/');
  await expect(stageOf(page).getByRole('timer')).not.toHaveText('––:––');
  const banner = page.getByRole('alert').filter({ hasText: 'Connection lost' });
  const giveUp = async () => {
    await connection.cut();
    await expect(async () => {
      await page.clock.runFor(5_000);
      await expect(banner).toContainText('All 10 attempts failed.', { timeout: 100 });
    }).toPass({ intervals: [50] });
  };

  await giveUp();
  await expect(banner).not.toContainText('Attempting');
  await connection.restore();
  await banner.getByRole('button', { name: 'Reconnect' }).click();
  await expect(banner).toBeHidden();

  await giveUp();
  await connection.restore();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(banner).toBeHidden();

  await giveUp();
  await context.setOffline(true);
  await connection.restore();
  await context.setOffline(false);
  await expect(banner).toBeHidden();
});

test('notices a frozen server within ten seconds, and recovers without a reload', async ({ browser }) => {
  await startLive();
  const page = await app.blankPage(browser, ada);
  const server = await freezableServer(page);
  await page.clock.install();
  await page.goto('/');
  const stage = stageOf(page);
  await server.upgraded;

  server.freeze();
  await page.clock.runFor(10_000);
  await expect(page.getByRole('alert').filter({ hasText: LOST })).toContainText('The server does not answer.');
  await expect(stage.getByText('LIVE GAME, LAST SEEN')).toBeVisible();
  for (const name of ['JOIN LIVE GAME NOW', 'Buy Tokens from Balance'])
    await expect(stage.getByRole('button', { name })).toBeDisabled();
  await checkPage(page, 'sad-frozen');

  await ada.buy(app.url, 1);
  server.thaw();
  await expect(toastOf(page)).toContainText(/While you were offline1 purchase in round \d+\. You are the last buyer\./);
  await expect(page.getByRole('alert').filter({ hasText: LOST })).toBeHidden();
  await expect(stage.locator('.lastbuyer')).toContainText('You');
});

test('shows the outcome of a purchase whose response was lost while offline once, and no other message', async ({
  browser,
}) => {
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

test('offers no purchase at zero, while the round is decided, and says by how much one came too late', async ({
  browser,
}) => {
  await app.resetGame();
  const page = await app.page(browser, ada);
  const undecided = await app.blankPage(browser, ada);
  const server = await freezableServer(undecided);
  await undecided.goto('/');
  await server.upgraded;
  await app.startShortRound(9);
  const { endsAtEpochMs } = await app.game();
  await page.route('**/api/buy-from-balance', async (route) => {
    await sleep((endsAtEpochMs ?? 0) + 40 - Date.now());
    await route.continue();
  });
  await openBuyDialog(page);
  await pressBuy(page);
  await openBuyDialog(undecided);
  // The round's end does not arrive there.
  server.freeze();
  const dialog = buyDialog(undecided);
  // Checked in parallel: a toast is shown for five seconds.
  await Promise.all([
    expect(toastOf(page)).toContainText(/arrived [\d.]+ (ms|seconds) after zero; nothing was charged\./),
    expect(dialog.locator('.sheet-clock')).toContainText('Round being decided.'),
  ]);
  await expect(dialog.getByRole('button', { name: /^Buy 1 token/ })).toBeDisabled();
  await expect(dialog.getByText('You become the last buyer.')).toBeHidden();
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
  await app.startShortRound(6);
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

test('says “about” after a sleep and after a reconnect until the clock is synchronised, and sells meanwhile', async ({
  browser,
}) => {
  await startLive();
  const page = await app.blankPage(browser, ada);
  const server = await freezableServer(page, 'time');
  await page.addInitScript(monotonicClockThatSleeps);
  await page.goto('/');
  const stage = stageOf(page);
  const about = stage.getByText('TIME REMAINING, ABOUT');
  const connected = page.locator('.hero:not(.hero--lost)');
  await expect(stage.getByText('TIME REMAINING', { exact: true })).toBeVisible();
  await expectServerCountdown(page, () => app.game());

  const sells = connected
    .filter({ has: page.getByText('TIME REMAINING, ABOUT') })
    .getByRole('button', { name: /^Buy Tokens/ });
  const fallAsleep = () => page.evaluate(() => window.dispatchEvent(new Event('test:sleep')));
  for (const interrupt of [fallAsleep, server.reconnect, () => fallAsleep().then(server.reconnect)]) {
    await expect(async () => {
      server.thaw();
      await expect(about).toBeHidden();
      server.freeze();
      await interrupt();
      // After four seconds without a response the server counts as silent.
      await expect(sells).toBeEnabled({ timeout: 3_000 });
    }).toPass();
    server.thaw();
    await expect(about).toBeHidden();
    await expectServerCountdown(page, () => app.game());
  }
});

/** After the event `test:sleep` the page's monotonic clock is a minute behind, as after a sleep. */
function monotonicClockThatSleeps(): void {
  const now = performance.now.bind(performance);
  let sleptMs = 0;
  performance.now = () => now() - sleptMs;
  window.addEventListener('test:sleep', () => {
    sleptMs += 60_000;
  });
}

/** The packet of Engine.IO by which the client leaves polling. */
const ENGINE_UPGRADE = '5';

/** Holds back the server's live messages, or only the page's questions for the time, while it is frozen. */
async function freezableServer(page: Page, holds: 'all' | 'time' = 'all') {
  let held: (() => void)[] | null = null;
  let current: WebSocketRoute | null = null;
  const inTurn = (isHeld: boolean, deliver: () => void) => {
    if (held === null || !isHeld) deliver();
    else held.push(deliver);
  };
  let upgrade = () => {};
  const upgraded = new Promise<void>((resolve) => {
    upgrade = resolve;
  });
  const asksTime = (sent: string) => holds === 'time' && /time:sync|\/api\/state/.test(sent);
  await page.route(/\/ws\/|\/api\/state/, async (route) => {
    const sent = `${route.request().url()} ${route.request().postData()}`;
    const isHeld = holds === 'all' ? sent.includes('/ws/') : asksTime(sent);
    await new Promise<void>((deliver) => inTurn(isHeld, deliver));
    await route.continue();
  });
  await page.routeWebSocket(/\/ws\//, (socket) => {
    current = socket;
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (message === ENGINE_UPGRADE) upgrade();
      inTurn(asksTime(`${message}`), () => server.send(message));
    });
    server.onMessage((message) => inTurn(holds === 'all', () => socket.send(message)));
  });
  return {
    /** Resolves when the live connection, which begins by polling, has become a WebSocket. */
    upgraded,
    freeze: () => {
      held = [];
    },
    thaw: () => {
      const waiting = held ?? [];
      held = null;
      for (const deliver of waiting) deliver();
    },
    reconnect: () => current?.close(),
  };
}

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

test('counts down before its code is there, shows the stage without the rest of it, and recovers', async ({
  browser,
}) => {
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

test('says when a dialog’s code does not arrive, and opens it later', async ({ browser }) => {
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

test('reports an ended session and lets the gamer log in again', async ({ browser }) => {
  await startLive();
  const adaElsewhere = await HttpGamer.logIn(app.url, 'ada_fails', PASSWORD);
  const page = await app.page(browser, adaElsewhere);
  await test.step('the gamer logs out elsewhere', async () => {
    await openBuyDialog(page);
    await page.clock.install();
    await adaElsewhere.post(`${app.url}/api/logout`, {});
    await expect(toastOf(page)).toContainText('Authentication ErrorYour session has ended.');
    await expect(buyDialog(page)).toBeHidden();
    await expect(page.getByText('Log in to see your winnings')).toBeVisible();
    // A toast about the end of a session outlasts others.
    await page.clock.fastForward(5_500);
    await expect(toastOf(page)).toContainText('Authentication Error');
    await page.getByRole('link', { name: 'Contact Support' }).click();
    await login(page, { gamerTag: 'ada_fails', password: PASSWORD });
    await page.getByRole('dialog', { name: 'Support Center' }).getByRole('button', { name: 'Close' }).click();
  });
  await test.step('the cookie is lost, and the next response tells', async () => {
    await openBuyDialog(page);
    await page.context().clearCookies();
    await expect(toastOf(page)).toContainText('Your session has ended');
    await expect(buyDialog(page)).toBeHidden();
  });
});

test('a tab shows whose session its browser has, and loads anew for another', async ({ browser }) => {
  await app.gamer('bea_tabs');
  const one = await app.blankPage(browser);
  // Until `test:tells` is set, no response tells the page whose session it had.
  await one.addInitScript(() => {
    const { get } = Headers.prototype;
    Headers.prototype.get = function (name) {
      return name === 'X-Gamer' && sessionStorage.getItem('test:tells') === null ? null : get.call(this, name);
    };
  });
  await one.goto('/');
  const two = await one.context().newPage();
  await two.goto('/');
  const shows = (page: Page, gamerTag: string) => expect(page.getByText(`Signed in as${gamerTag}`)).toBeVisible();
  const logInElsewhere = (username: string) =>
    one.context().request.post('/api/login', { data: { username, password: PASSWORD } });
  await test.step('a login in one tab reaches the visitor in the other, where no response tells', async () => {
    await login(two, { gamerTag: 'ada_fails', password: PASSWORD });
    await shows(one, 'ada_fails');
  });
  await test.step('another login, which no tab announces, shows in the next response', async () => {
    await one.evaluate(() => sessionStorage.setItem('test:tells', 'yes'));
    await logInElsewhere('bea_tabs');
    for (const tab of [one, two]) await shows(tab, 'bea_tabs');
  });
  await test.step('Logout does not end a login that its tab does not know yet', async () => {
    // Set between the press and its request, so that no other response can tell this tab.
    const logInFirst = async (route: Route) => {
      await logInElsewhere('ada_fails');
      await route.continue();
    };
    await one.route('**/api/logout', logInFirst);
    await one.getByRole('button', { name: 'Logout' }).click();
    for (const tab of [one, two]) await shows(tab, 'ada_fails');
    await one.unrouteAll();
  });
});

test('a page that the browser translates goes on changing', async ({ browser }) => {
  await startLive();
  await ada.buy(app.url, 13);
  const page = await app.blankPage(browser, ada);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.route('**/api/purchases/recent', async (route) => {
    const { purchases } = (await (await route.fetch()).json()) as RecentPurchasesResponse;
    const aged = purchases.map((purchase) => ({ ...purchase, timestamp: Date.now() - 54_000 }));
    await route.fulfill({ json: { purchases: aged } });
  });
  await page.clock.install();
  await page.goto('/');
  const stage = stageOf(page);
  await expect(page.getByText('13 tokens, Just now')).toBeVisible();
  await expect(stage.getByText(/, enough for \d+ tokens/)).toBeVisible();
  const changing = [stage.getByRole('timer'), stage.locator('.jackpot'), stage.locator('.balance')];
  const texts = () => Promise.all(changing.map((each) => each.textContent()));
  await page.evaluate(translate);
  const before = await texts();

  await page.clock.fastForward(10_000);
  await expect(page.getByText('13 tokens, 1 minute ago')).toBeVisible();
  await expect(page.getByText('13 tokens, Just now')).toBeHidden();
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
