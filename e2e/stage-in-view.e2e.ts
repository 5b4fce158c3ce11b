import { expect, type Locator, type Page } from '@playwright/test';
import type { StateResponse } from '../contracts/http/game.js';
import { setTextSize } from './check-page.js';
import { buyDialog, openBuyDialog, stageOf } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { CAMPAIGN, sharedApp, test } from './test-app.js';
import { expectUncovered, SCREENS } from './uncovered.js';

/* Clock and buy button stay in view while a round is live, wherever the page is scrolled. */

const WINDOWS = [{ width: 320, height: 568 }, { width: 667, height: 375 }, SCREENS[3]] as const;

let gamer: HttpGamer;

const app = sharedApp(async () => {
  gamer = await app.gamer('scroller', { tokens: 50 });
});
test.beforeEach(() => app.resetGame());

/** Scrolls and waits until observers have run. */
async function scrollTo(page: Page, top: number): Promise<void> {
  await page.evaluate(async (y) => {
    window.scrollTo({ top: y, behavior: 'instant' });
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  }, top);
}

/** Equals the share in dock.tsx: with less of the button in view, the dock has one. */
const IN_VIEW_SHARE = 0.9;

/** Tells for each element whether this share of its height is in the window. */
const inView = (targets: Locator, share = 0.85): Promise<boolean[]> =>
  targets.evaluateAll(
    (elements, least) =>
      elements.map((element) => {
        const { top, bottom, height } = element.getBoundingClientRect();
        return height > 0 && Math.min(bottom, window.innerHeight) - Math.max(top, 0) >= height * least;
      }),
    share,
  );

test('keeps the clock and one amber button in view, wherever the page is scrolled', CAMPAIGN, async ({ browser }) => {
  const page = await app.page(browser, gamer);
  await app.asAdmin('game/start-live');
  await expect(stageOf(page).getByText('LIVE GAME NOW ACTIVE')).toBeVisible();
  const clock = page.locator('.hero, .dock').getByRole('timer');
  const button = page.getByRole('button', { name: /JOIN LIVE GAME NOW|Buy tokens/ });
  const hidden: string[] = [];
  let seenWithoutClock = 0;
  for (const viewport of WINDOWS) {
    await page.setViewportSize(viewport);
    for (let top = 0; top <= 1_600; top += 80) {
      await scrollTo(page, top);
      if (!(await inView(clock)).includes(true)) hidden.push(`clock at ${top} of ${viewport.width} px`);
      if (!(await inView(button)).includes(true)) hidden.push(`button at ${top} of ${viewport.width} px`);
      if (viewport.width < 1_440 || top > 1_200) continue;
      const amber = await inView(page.locator('.btn--buy'), IN_VIEW_SHARE);
      expect(amber.filter(Boolean), `at ${top}`).toHaveLength(1);
      const seen = await inView(page.locator('.clock, .apron-act .btn--buy'));
      if (!seen[0] && seen[1]) seenWithoutClock += 1;
    }
  }
  expect(hidden).toEqual([]);
  expect(seenWithoutClock).toBeGreaterThan(0);
});

test('fits a hundred hours, nine figures, ten thousand tokens and the longest tag', CAMPAIGN, async ({ browser }) => {
  const whale = await app.gamer('W'.repeat(20), { tokens: 100_000 });
  await app.setTimers({ pregame: 3_600, live: 120, downtime: 3_600, extension: 30 });
  await app.asAdmin('game/start-live');
  for (let purchases = 0; purchases < 10; purchases += 1) await whale.buy(app.url, 10_000);
  const page = await app.blankPage(browser, whale);
  // No test can afford a jackpot of nine figures, so the page is sent one.
  await page.route('**/api/state', async (route) => {
    const response = (await (await route.fetch()).json()) as StateResponse;
    const currentGame = { ...response.currentGame, jackpotCents: 12_345_678_912 };
    await route.fulfill({ json: { currentGame } });
  });
  await page.goto('/');
  await expect(stageOf(page).locator('.jackpot')).toContainText('$123,456,789.12');
  await expect(stageOf(page).getByRole('timer')).toHaveText(/^\d{3}:\d\d:\d\d$/);
  await expect(page.locator('.buy').first()).toContainText('+83:20:00');
  const cut: string[] = [];
  for (const width of [320, 360, 640, 768, 1_280, 1_440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => new Promise(requestAnimationFrame));
    for (const fault of await page.evaluate(cutTexts)) cut.push(`${fault} at ${width}`);
  }
  expect(cut).toEqual([]);
});

test('fits text of double size', CAMPAIGN, async ({ browser }) => {
  await app.asAdmin('game/start-live');
  await gamer.buy(app.url, 3);
  const page = await app.page(browser, gamer);
  await expect(page.locator('.buy').first()).toBeVisible();
  await expect(page.locator('.levels li').first()).toBeVisible();
  await setTextSize(page, 32);
  const overflows: string[] = [];
  for (const { width, height } of [...WINDOWS, ...SCREENS]) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const px = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (px > 0) overflows.push(`${px} px at ${width}`);
  }
  expect(overflows).toEqual([]);
  // This is a window of half the width.
  await page.setViewportSize({ width: 1_280, height: 900 });
  await expect(page.locator('.topbar .wide')).toBeHidden();

  await page.setViewportSize({ width: 360, height: 740 });
  await openBuyDialog(page);
  const dialog = buyDialog(page);
  await expect(dialog.locator('.btn--buy')).toBeVisible();
  await expectUncovered(dialog.getByLabel('How many tokens'), 'the quantity');
  // One line: a second one would make the button higher than 70 px.
  const button = await dialog.locator('.btn--buy').boundingBox();
  expect(button?.height).toBeLessThan(70);
});

/** Numbers of the stage and the feed that reach over their box or into the next one, by the selector of the box. */
function cutTexts(): string[] {
  const widthOf = (element: Element): number => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().width;
  };
  return ['.clock', '.jackpot b', '.buy-k', '.buy-who', '.buy-sum', '.tally'].flatMap((selector) =>
    [...document.querySelectorAll(selector)]
      .filter((element) => widthOf(element) > element.getBoundingClientRect().width + 1)
      .map((element) => `${selector} ${element.textContent}`),
  );
}

test('never moves the buy button', CAMPAIGN, async ({ browser }) => {
  const buyer = await app.gamer('twenty_letters'.padEnd(20, 'x'), { tokens: 400 });
  const page = await app.page(browser);
  const stage = stageOf(page);
  const tops: number[][] = [];
  /** Where the button is at each size. */
  const measure = async () => {
    const measured: number[] = [];
    for (const viewport of WINDOWS) {
      await page.setViewportSize(viewport);
      await scrollTo(page, 0);
      measured.push(await stage.locator('.apron-act .btn--big').evaluate((each) => each.getBoundingClientRect().top));
    }
    tops.push(measured.map(Math.round));
  };
  await app.setTimers({ pregame: 3_600, live: 120, downtime: 3_600, extension: 30 });
  await app.asAdmin('game/start');
  await expect(stage.getByText('Game Starting Soon')).toBeVisible();
  await measure();
  await app.asAdmin('game/start-live');
  await expect(stage.getByText('LIVE GAME NOW ACTIVE')).toBeVisible();
  await measure();
  for (const tokens of [1, 30, 300]) {
    await buyer.buy(app.url, tokens);
    await expect(page.locator('.buy').first()).toContainText(`${tokens} token`);
    await measure();
  }
  await expect(stage.getByRole('timer')).toHaveText(/^0[23]:/);
  expect(tops).toEqual(tops.map(() => tops[0]));
});
