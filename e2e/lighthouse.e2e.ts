import { type BrowserContext, chromium, expect } from '@playwright/test';
import lighthouse, { type Result } from 'lighthouse';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { browserForTests } from './browser.js';
import { sharedApp, test } from './test-app.js';

/*
 * Lighthouse on the built site's first page, as a phone. The performance score depends on the machine's other load, so it is
 * only printed; the test asserts two of its causes: layout shift and blocking scripts. The build limits the bytes of scripts.
 */

const ACCESSIBILITY = 100;
const BEST_PRACTICES = 95;
/** Upper limit of Google's "good". */
const LAYOUT_SHIFT = 0.1;

/** Lighthouse opens its pages in this browser, by the browser's port. */
let browser: BrowserContext;
let port: number;

const app = sharedApp(async () => {
  const gamer = await app.gamer('reader', { tokens: 20 });
  await app.asAdmin('game/start-live');
  await gamer.buy(app.url, 3);
  port = await anyFreePort();
  const options = await browserForTests();
  browser = await chromium.launchPersistentContext('', {
    ...options,
    args: [...(options.args ?? []), `--remote-debugging-port=${port}`],
  });
});

test.afterAll(async () => {
  await browser?.close();
});

test('the first page of a live round passes Lighthouse as a phone', async () => {
  test.setTimeout(120_000);
  const report = await reportOn(app.url);
  const score = (category: string): number => Math.round((report.categories[category]?.score ?? 0) * 100);
  const figure = (audit: string): number => report.audits[audit]?.numericValue ?? Number.NaN;
  const seconds = (audit: string): string => `${(figure(audit) / 1000).toFixed(1)} s`;
  console.log(
    `performance ${score('performance')}, layout shift ${figure('cumulative-layout-shift').toFixed(3)}, ` +
      `first paint ${seconds('first-contentful-paint')}, largest ${seconds('largest-contentful-paint')}, ` +
      `speed index ${seconds('speed-index')}, blocked ${Math.round(figure('total-blocking-time'))} ms`,
  );
  expect(failedAudits(report, 'accessibility')).toEqual([]);
  expect(score('accessibility')).toBe(ACCESSIBILITY);
  expect(score('best-practices'), failedAudits(report, 'best-practices').join('\n')).toBeGreaterThanOrEqual(
    BEST_PRACTICES,
  );
  expect(figure('cumulative-layout-shift'), JSON.stringify(rowsOf(report, 'layout-shifts'))).toBeLessThan(LAYOUT_SHIFT);
  expect(blockingScripts(report)).toEqual([]);
});

async function reportOn(url: string): Promise<Result> {
  const flags = { formFactor: 'mobile', port, logLevel: 'error' } as const;
  const result = await lighthouse(url, {
    ...flags,
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
  });
  if (result === undefined) throw new Error('Lighthouse made no report');
  expect(result.lhr.runtimeError).toBeUndefined();
  return result.lhr;
}

const rowsOf = <Row>(report: Result, audit: string): Row[] =>
  (report.audits[audit]?.details as { items?: Row[] } | undefined)?.items ?? [];

/** Scripts that block the first paint; style sheets may block it. */
const blockingScripts = (report: Result): string[] =>
  rowsOf<{ url: string }>(report, 'render-blocking-resources').flatMap(({ url }) =>
    /\.js(\?|$)/.test(url) ? [url] : [],
  );

/** Audits of a category that did not pass, with their findings. */
function failedAudits(report: Result, category: string): string[] {
  return (report.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
    const audit = report.audits[id];
    const isPassed = audit === undefined || audit.score === null || audit.score === 1 || weight === 0;
    return isPassed ? [] : [`${id}: ${audit.title} ${JSON.stringify(rowsOf(report, id)).slice(0, 600)}`];
  });
}
