import { type BrowserContext, chromium, expect } from '@playwright/test';
import lighthouse, { type Flags, type Result } from 'lighthouse';
import { caseCount } from '../contracts/testing/case-count.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { browserForTests } from './browser.js';
import type { HttpGamer } from './http-gamer.js';
import { type TestApp, test } from './test-app.js';

/*
 * Lighthouse on the built site, as a phone and as a desktop. The performance score depends on the machine's other load, so it
 * is only printed; the tests assert its causes: bytes of scripts, layout shift, blocking scripts. `npm test` measures the first
 * page, campaigns measure all.
 */

const ACCESSIBILITY = 100;
const BEST_PRACTICES = 95;
/** Limit of the scripts for the first screen, compressed. */
const SCRIPT_BYTES = 190_000;
/** Upper limit of Google's "good". */
const LAYOUT_SHIFT = 0.1;

let app: TestApp;
let gamer: HttpGamer;
/** Lighthouse opens its pages in this browser, by the browser's port. */
let browser: BrowserContext;
let port: number;

test.beforeAll(async ({ sharedApp }) => {
  app = sharedApp;
  await app.resetGame();
  gamer = await app.gamer('reader', { tokens: 20, winningsCents: 1_234, isDepositor: true });
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

const PHONE: Flags = { formFactor: 'mobile' };
const DESKTOP: Flags = {
  formFactor: 'desktop',
  screenEmulation: { mobile: false, width: 1280, height: 900, deviceScaleFactor: 1, disabled: false },
  throttling: {
    rttMs: 40,
    throughputKbps: 10_240,
    cpuSlowdownMultiplier: 1,
    requestLatencyMs: 0,
    downloadThroughputKbps: 0,
    uploadThroughputKbps: 0,
  },
};

const PAGES = [
  ['/', 'visitor', PHONE],
  ['/', 'gamer', DESKTOP],
  ['/gamers-guide', 'visitor', PHONE],
] as const;

for (const [path, who, device] of PAGES.slice(0, caseCount(1, PAGES.length)))
  test(`${path} for a ${who}, ${device.formFactor}`, async () => {
    test.setTimeout(120_000);
    const report = await reportOn(`${app.url}${path}`, who === 'gamer' ? gamer : null, device);
    const score = (category: string): number => Math.round((report.categories[category]?.score ?? 0) * 100);
    const figure = (audit: string): number => report.audits[audit]?.numericValue ?? Number.NaN;
    const seconds = (audit: string): string => `${(figure(audit) / 1000).toFixed(1)} s`;
    console.log(
      `${path} ${who} ${device.formFactor}: performance ${score('performance')}, accessibility ${score('accessibility')}, best practices ${score('best-practices')}; ` +
        `${Math.round(scriptBytes(report) / 1024)} KiB of scripts, layout shift ${figure('cumulative-layout-shift').toFixed(3)}; ` +
        `first paint ${seconds('first-contentful-paint')}, largest ${seconds('largest-contentful-paint')}, speed index ${seconds('speed-index')}, ` +
        `blocked ${Math.round(figure('total-blocking-time'))} ms`,
    );
    expect(failedAudits(report, 'accessibility')).toEqual([]);
    expect(score('accessibility')).toBe(ACCESSIBILITY);
    expect(score('best-practices'), failedAudits(report, 'best-practices').join('\n')).toBeGreaterThanOrEqual(
      BEST_PRACTICES,
    );
    expect(scriptBytes(report)).toBeLessThan(SCRIPT_BYTES);
    expect(figure('cumulative-layout-shift'), JSON.stringify(rowsOf(report, 'layout-shifts'))).toBeLessThan(
      LAYOUT_SHIFT,
    );
    expect(blockingScripts(report)).toEqual([]);
  });

async function reportOn(url: string, as: HttpGamer | null, device: Flags): Promise<Result> {
  await browser.clearCookies();
  await as?.enterWith(browser, app.url);
  const result = await lighthouse(url, {
    ...device,
    port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
  });
  if (result === undefined) throw new Error('Lighthouse made no report');
  expect(result.lhr.runtimeError).toBeUndefined();
  return result.lhr;
}

interface Request {
  resourceType?: string;
  transferSize?: number;
  url: string;
}

const rowsOf = <Row>(report: Result, audit: string): Row[] =>
  (report.audits[audit]?.details as { items?: Row[] } | undefined)?.items ?? [];

const scriptBytes = (report: Result): number =>
  rowsOf<Request>(report, 'network-requests')
    .filter(({ resourceType }) => resourceType === 'Script')
    .reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);

/** Scripts that block the first paint; style sheets may block it. */
const blockingScripts = (report: Result): string[] =>
  rowsOf<Request>(report, 'render-blocking-resources').flatMap(({ url }) => (/\.js(\?|$)/.test(url) ? [url] : []));

/** Audits of a category that did not pass, with their findings. */
function failedAudits(report: Result, category: string): string[] {
  return (report.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
    const audit = report.audits[id];
    const isPassed = audit === undefined || audit.score === null || audit.score === 1 || weight === 0;
    return isPassed ? [] : [`${id}: ${audit.title} ${JSON.stringify(rowsOf(report, id)).slice(0, 600)}`];
  });
}
