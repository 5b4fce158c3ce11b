import { expect, type Page } from '@playwright/test';
import { checkPage, keepPicture } from './check-page.js';
import { buy, fillRegistration, stageOf } from './game-page.js';
import { CAMPAIGN, DESKTOP, PASSWORD, sharedApp, test } from './test-app.js';
import { expectUncovered, SCREENS } from './uncovered.js';

/* The first screen has all that sells the game; banners, toasts and the dock never cover the buttons that move money. */

const app = sharedApp();

const MONEY_BUTTONS = '.apron-act .btn, .balance .btn, .dock button, .act:has(.pairs) .btn';

/** Expects rules, clock, jackpot, last buyer and the big button whole on the first screen at each size, without scrolling. */
async function expectFirstScreen(page: Page, status: string): Promise<void> {
  await expect(stageOf(page).getByText(status)).toBeVisible();
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  const sells = page.locator('.header-rules, .clock, .jackpot b, .lastbuyer b, .apron-act .btn--big');
  await expect(sells).toHaveCount(5);
  for (const viewport of SCREENS) {
    await page.setViewportSize(viewport);
    await expectUncovered(sells, `${status} at ${viewport.width} px`);
    await keepPicture(page, status.toLowerCase().replaceAll(/\W+/g, '-'), viewport.width, true);
  }
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
}

/** Presses the stage's button, and expects the form in view with the focus in its first field. */
async function expectJoining(page: Page, status: string): Promise<void> {
  await page.setViewportSize(DESKTOP);
  await expect(stageOf(page).getByText(status)).toBeVisible();
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    window.scrollTo({ top: 0, behavior: 'instant' });
  });
  // Turns on the scrolling that a press begins.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await stageOf(page).locator('.apron-act .btn--big').click();
  const field = page.getByRole('form', { name: 'Register' }).getByLabel('GamerTag');
  await expect(field).toBeFocused();
  await expect(field, status).toBeInViewport({ ratio: 1 });
  await expect(page.getByText('Cannot Purchase Now')).toBeHidden();
  await page.emulateMedia({ reducedMotion: 'reduce' });
}

/** Expects at each size the page's money buttons, or with an open dialog its head, clock, fields and buttons. */
async function expectClear(page: Page, when: string): Promise<void> {
  await page.evaluate(keepNotices);
  for (const viewport of SCREENS) {
    await page.setViewportSize(viewport);
    const at = `${when} at ${viewport.width}×${viewport.height}`;
    const dialog = page.getByRole('dialog');
    if (await dialog.isVisible()) {
      await expectUncovered(dialog.locator('.dialog-head > *, .sheet-clock'), `${at}, the dialog's head`);
      await expectUncovered(dialog.locator('input, .btn'), `${at}, the dialog`, { scrolls: true });
    } else {
      await expectUncovered(page.locator(MONEY_BUTTONS), at, { scrolls: true });
    }
  }
}

/** Replaces the notices by copies, which stay until the next ones: checking may take longer than a notice is shown. */
function keepNotices(): void {
  for (const kind of ['.winner', '.extend', '.toast']) {
    const notice = document.querySelector<HTMLElement>(`${kind}:not([data-copy]):not([data-state=closed])`);
    if (notice === null && kind === '.winner') continue;
    for (const old of document.querySelectorAll(`${kind}[data-copy]`)) old.remove();
    if (notice === null) continue;
    const copy = notice.cloneNode(true) as HTMLElement;
    copy.dataset.copy = '';
    copy.style.display = '';
    notice.after(copy);
    notice.style.display = 'none';
  }
}

test('shows what sells in every phase, covers no button, leads a visitor in', CAMPAIGN, async ({ browser }) => {
  const visitor = await app.blankPage(browser);
  // No request gets a response, not even the socket's.
  await visitor.route('**/{api,ws}/**', () => undefined);
  await visitor.goto('/');
  await visitor.locator('#root > [inert]').waitFor({ state: 'detached' });
  await expectFirstScreen(visitor, 'Loading Game Status');
  await visitor.unrouteAll({ behavior: 'ignoreErrors' });
  await visitor.goto('/');
  await expectFirstScreen(visitor, 'Game Ready to Start');
  await expectUncovered(visitor.getByText('No next game is set yet.'), 'the next game');
  await expectJoining(visitor, 'Game Ready to Start');

  const gamer = await app.gamer('uncovered_gamer', { tokens: 40, winningsCents: 5_000 });
  const page = await app.page(browser, gamer);
  const stage = stageOf(page);
  const dialog = page.getByRole('dialog', { name: 'Buy from Balance' });
  await expect(page.getByRole('button', { name: 'Withdraw' })).toBeVisible();
  await expectClear(page, 'idle');

  await app.setTimers({ pregame: 3_600, live: 9, downtime: 3_600, extension: 1 });
  await app.asAdmin('game/start');
  await expectFirstScreen(page, 'Game Starting Soon');
  await expectJoining(visitor, 'Game Starting Soon');

  await app.asAdmin('game/start-live');
  await expect(page.locator('.extend--live')).toBeVisible();
  await expectClear(page, 'as the round goes live');
  await expectFirstScreen(page, 'LIVE GAME NOW ACTIVE');
  await expectJoining(visitor, 'LIVE GAME NOW ACTIVE');
  const ben = await app.gamer('Ben', { tokens: 20 });
  for (const tokens of [7, 1, 12, 2, 1, 9]) await (tokens % 2 ? gamer : ben).buy(app.url, tokens);
  await visitor.locator('.extend').waitFor({ state: 'hidden' });
  await keepPicture(visitor, 'live-round', DESKTOP.width, true);
  await checkPage(visitor, 'visitor-live-busy');
  const join = stage.getByRole('button', { name: 'JOIN LIVE GAME NOW' });
  await join.evaluate((button) => window.scrollBy({ top: button.getBoundingClientRect().top, behavior: 'instant' }));
  await buy(page, 1);
  await expect.poll(() => join.evaluate((button) => button.getBoundingClientRect().top)).toBeGreaterThan(40);
  await expectClear(page, 'after a purchase');

  await page.route('**/api/buy-from-balance', (route) =>
    route.fulfill({
      status: 400,
      json: { error: 'Refused by the test, in one sentence of usual length.', code: 'game-idle' },
    }),
  );
  await join.click();
  await dialog.getByRole('button', { name: /^Buy 1 token/ }).click();
  await expect(dialog).toBeVisible();
  await expect(page.getByText('Purchase Failed').first()).toBeVisible();
  await expectClear(page, 'after a refusal in the dialog');

  await page.close();
  await app.resetGame();
  // A page without the copied notices, at its top.
  const second = await app.page(browser, gamer);
  await app.startShortRound(9);
  await gamer.buy(app.url, 1);
  await expectFirstScreen(second, 'LAST SECONDS');
  await stageOf(second).getByRole('button', { name: 'Buy Tokens from Balance' }).click();
  const winner = second.locator('.winner');
  await expect(winner).toBeVisible();
  const { x = 0, y = 0, width = 0 } = (await winner.boundingBox()) ?? {};
  expect(y).toBeLessThan(10);
  expect(x + width / 2).toBeCloseTo(SCREENS[3].width / 2, 0);
  // The result is loaded when it is first shown.
  await expect(second.getByRole('dialog').locator('.btn')).not.toHaveCount(0);
  await expectClear(second, 'after the winner, in the dialog');
  await second.keyboard.press('Escape');
  await expectClear(second, 'after the winner');
  const later = await app.page(browser, gamer);
  await expect(later.getByRole('complementary', { name: 'Your win' })).toBeVisible();
  await expectFirstScreen(later, 'Game Ended - Next Round Soon');
  await expectJoining(visitor, 'Game Ended - Next Round Soon');
  await fillRegistration(visitor.getByRole('form', { name: 'Register' }), {
    gamerTag: 'arrived',
    password: PASSWORD,
  });
  const nextStep = visitor.getByRole('complementary', { name: 'Your next step' });
  await expect(nextStep.getByText('Next: deposit crypto.')).toBeInViewport({ ratio: 1 });
});

test('scrolls a control out from under the notice that its press shows', CAMPAIGN, async ({ browser }) => {
  const page = await app.page(browser, await app.gamer('uncovered_copier'));
  await page.context().grantPermissions(['clipboard-write']);
  // Toasts are as wide as a phone.
  await page.setViewportSize({ width: 360, height: 740 });
  const copy = page.getByRole('button', { name: 'Copy referral link' });
  await copy.evaluate((button) => button.scrollIntoView({ block: 'start', behavior: 'instant' }));
  await copy.click();
  await expect(page.locator('.toast')).toContainText('Copied');
  await expect.poll(() => copy.evaluate((button) => button.getBoundingClientRect().top)).toBeGreaterThan(80);
  await expectUncovered(copy, 'the copy button');
});
