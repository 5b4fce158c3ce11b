import { expect, type Page } from '@playwright/test';
import { buy, stageOf } from './game-page.js';
import { sharedApp, test } from './test-app.js';
import { expectUncovered } from './uncovered.js';

/* Banners, toasts, the dock and the session's line never cover what money is moved with. */

const WINDOWS = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
] as const;

const app = sharedApp();

const MONEY_BUTTONS = '.apron-act .btn, .balance .btn, .dock button, .act:has(.pairs) .btn';

/** At each size: the page's money buttons, or with an open dialog its head, clock, fields and buttons. */
async function expectClear(page: Page, when: string): Promise<void> {
  await page.evaluate(keepNotices);
  for (const viewport of WINDOWS) {
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

test('covers no money button in any phase', async ({ browser }) => {
  test.setTimeout(150_000);
  const gamer = await app.gamer('uncovered_gamer', { tokens: 40, winningsCents: 5_000 });
  const page = await app.page(browser, gamer);
  const stage = stageOf(page);
  const dialog = page.getByRole('dialog', { name: 'Buy from Balance' });
  await expect(page.getByRole('button', { name: 'Withdraw' })).toBeVisible();
  await expectClear(page, 'idle');

  await app.setTimers({ pregame: 3_600, live: 9, downtime: 3_600, extension: 1 });
  await app.asAdmin('game/start');
  await expect(stage.getByText('Game Starting Soon')).toBeVisible();
  await expectClear(page, 'pregame');

  await app.asAdmin('game/start-live');
  await expect(page.locator('.extend--live')).toBeVisible();
  await expectClear(page, 'as the round goes live');
  const join = stage.getByRole('button', { name: 'JOIN LIVE GAME NOW' });
  await join.evaluate((button) => window.scrollBy({ top: button.getBoundingClientRect().top, behavior: 'instant' }));
  await buy(page, 1);
  await expect.poll(() => join.evaluate((button) => button.getBoundingClientRect().top)).toBeGreaterThan(40);
  const again = stage.getByRole('button', { name: 'Buy 1 again' });
  await expectClear(page, 'after a purchase');

  await page.route('**/api/buy-from-balance', (route) =>
    route.fulfill({
      status: 400,
      json: { error: 'Refused by the test, in one sentence of usual length.', code: 'game-idle' },
    }),
  );
  await again.click();
  await expect(page.getByText('Purchase Failed').first()).toBeVisible();
  await expectClear(page, 'after a refusal');
  await join.click();
  await dialog.getByRole('button', { name: /^Buy 1 token/ }).click();
  await expect(dialog).toBeVisible();
  await expect(page.getByText('Purchase Failed').first()).toBeVisible();
  await expectClear(page, 'after a refusal in the dialog');
  await page.keyboard.press('Escape');

  await app.resetGame();
  await app.startShortRound(6);
  await gamer.buy(app.url, 1);
  await stage.getByRole('button', { name: 'Buy Tokens from Balance' }).click();
  const winner = page.locator('.winner');
  await expect(winner).toBeVisible({ timeout: 20_000 });
  const { x = 0, y = 0, width = 0 } = (await winner.boundingBox()) ?? {};
  expect(y).toBeLessThan(10);
  expect(x + width / 2).toBeCloseTo(WINDOWS[3].width / 2, 0);
  // The result is loaded when it is first shown.
  await expect(page.getByRole('dialog').locator('.btn')).not.toHaveCount(0);
  await expectClear(page, 'after the winner, in the dialog');
  await page.keyboard.press('Escape');
  await expectClear(page, 'after the winner');
});

test('scrolls a control clear of the notice that its press shows', async ({ browser }) => {
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
