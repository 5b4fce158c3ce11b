import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import { formatCents } from '../contracts/money.js';
import { stageOf } from './game-page.js';
import type { HttpGamer } from './http-gamer.js';
import { sharedApp, test } from './test-app.js';

/*
 * A round with fifty purchases a second. The page's work is asserted by counting it: how often the stage is drawn. How long
 * frames take depends on the machine's other load, so these figures are only printed.
 */

const BUYERS = 10;
const PURCHASES_PER_SECOND = 50;
const BUSY_MS = 6_000;
/** Four for the coalesced purchases, one for a lamp that goes out, one for a label such as "1 minute ago". */
const DRAWN_PER_SECOND = 6;

const app = sharedApp();

test('draws fifty purchases a second at most a few times a second', async ({ browser }) => {
  const buyers: HttpGamer[] = [];
  for (let i = 0; i < BUYERS; i += 1) buyers.push(await app.gamer(`rush_${i}`, { tokens: 2_000 }));
  await app.setTimers({ pregame: 3_600, live: 120, downtime: 3_600, extension: 30 });
  const page = await app.page(browser, await app.gamer('rush_watcher', { tokens: 10 }));
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await app.asAdmin('game/start-live');
  await expect(stageOf(page).getByText('LIVE GAME NOW ACTIVE')).toBeVisible();
  await page.waitForLoadState('networkidle');
  // A purchase replaces the texts of an empty round.
  await buyers[0]?.buy(app.url, 1);
  await expect(stageOf(page).locator('.lastbuyer')).toContainText('rush_0');
  await startCounting(page);
  const bought = await buyFor(buyers, BUSY_MS);
  const figures = await page.evaluate(() => window.busy?.read());
  if (figures === undefined) throw new Error('nothing was counted');
  const seconds = figures.lastedMs / 1000;
  const framesMs = figures.framesMs.sort((a, b) => a - b);
  const quantile = (share: number) => `${framesMs[Math.floor(framesMs.length * share)]?.toFixed(0)} ms`;
  console.log(
    `${bought} purchases in ${seconds.toFixed(1)} s: stage drawn ${figures.stageDrawn} times, feed ${figures.feedDrawn} times; ` +
      `${framesMs.length} frames, p50 ${quantile(0.5)}, p95 ${quantile(0.95)}, p99 ${quantile(0.99)}; ` +
      `tasks over 50 ms: ${figures.longTasksMs.map(Math.round).join(', ') || 'none'}`,
  );
  expect(bought / seconds).toBeGreaterThan(PURCHASES_PER_SECOND / 2);
  expect(figures.stageDrawn).toBeLessThanOrEqual(Math.ceil(seconds * DRAWN_PER_SECOND));
  expect(figures.feedDrawn).toBeLessThanOrEqual(Math.ceil(seconds * DRAWN_PER_SECOND));
  expect(figures.elsewhereDrawn, 'parts of the page that no purchase changes').toEqual([]);
  // Nothing is lost: the last purchase and the whole jackpot are shown.
  await expect(async () => {
    // The tables may lag behind the messages that the page gets.
    const { lastBuyerGamerTag, jackpotCents } = await app.game();
    await expect(stageOf(page).locator('.lastbuyer')).toContainText(lastBuyerGamerTag ?? '', { timeout: 500 });
    await expect(stageOf(page).locator('.jackpot')).toContainText(formatCents(jackpotCents), { timeout: 500 });
  }).toPass();
});

/** Buys at the rate of PURCHASES_PER_SECOND; returns the number of purchases. */
async function buyFor(buyers: readonly HttpGamer[], ms: number): Promise<number> {
  const endsAtMs = Date.now() + ms;
  const everyMs = (buyers.length * 1000) / PURCHASES_PER_SECOND;
  const counts = await Promise.all(
    buyers.map(async (buyer, place) => {
      let bought = 0;
      let nextAtMs = Date.now() + (place * 1000) / PURCHASES_PER_SECOND;
      for (; nextAtMs < endsAtMs; nextAtMs += everyMs) {
        await sleep(Math.max(0, nextAtMs - Date.now()));
        await buyer.buy(app.url, 1 + (bought % 3));
        bought += 1;
      }
      return bought;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

interface BusyFigures {
  stageDrawn: number;
  feedDrawn: number;
  elsewhereDrawn: string[];
  framesMs: number[];
  longTasksMs: number[];
  lastedMs: number;
}

declare global {
  interface Window {
    busy?: { read(): BusyFigures };
  }
}

/** Counts how often the page's parts change, and measures its frames. */
function startCounting(page: Page): Promise<void> {
  return page.evaluate(() => {
    const startedAtMs = performance.now();
    const figures: BusyFigures = {
      stageDrawn: 0,
      feedDrawn: 0,
      elsewhereDrawn: [],
      framesMs: [],
      longTasksMs: [],
      lastedMs: 0,
    };
    const onTasks = (tasks: PerformanceObserverEntryList) =>
      figures.longTasksMs.push(...tasks.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(onTasks).observe({ type: 'longtask' });
    // The digits are drawn apart; the banner and the announcer have their own times.
    const own = '.clock, .extend, [data-testid=announcer], .dock, .tally';
    const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement);
    // One call for each commit: React changes all elements of a commit in one task.
    new MutationObserver((records) => {
      const parts = new Set<string>();
      for (const { target, type } of records) {
        const element = elementOf(target);
        if (element === null || element.closest(own) !== null || element.matches('#root')) continue;
        if (element.closest('.hero') !== null) parts.add('stage');
        else if (element.closest('.rows') !== null) parts.add('feed');
        else parts.add(`${type} of ${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`);
      }
      if (parts.delete('stage')) figures.stageDrawn += 1;
      if (parts.delete('feed')) figures.feedDrawn += 1;
      figures.elsewhereDrawn.push(...parts);
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    let beforeMs = performance.now();
    const frame = () => {
      const nowMs = performance.now();
      figures.framesMs.push(nowMs - beforeMs);
      beforeMs = nowMs;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    window.busy = { read: () => ({ ...figures, lastedMs: performance.now() - startedAtMs }) };
  });
}
