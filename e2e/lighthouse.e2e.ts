import { type BrowserContext, chromium, expect, test } from '@playwright/test';
import lighthouse, { type Flags, type Result } from 'lighthouse';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { browserForTests } from './browser.js';
import type { GamerByHttp } from './gamers-by-http.js';
import { Scene } from './scene.js';

/*
 * Lighthouse on the built site, as a phone and as a desk. How fast a page is here depends on what else the machine does,
 * so the score for performance is printed; what decides it on any machine is asserted: bytes, shifts, what blocks.
 */

const ACCESSIBILITY = 100;
const BEST_PRACTICES = 95;
/** Of the code for the first screen, as sent. */
const SCRIPT_BYTES = 220_000;
/** Where Google's "good" ends. */
const LAYOUT_SHIFT = 0.1;

let scene: Scene;
let gamer: GamerByHttp;
/** Lighthouse opens its pages in it, by the browser's port. */
let browser: BrowserContext;
let port: number;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  scene = await Scene.open('lighthouse');
  gamer = await scene.gamer('reader', { tokens: 20, winningsCents: 1_234, isDepositor: true });
  await scene.asAdmin('game/start-live');
  await gamer.buy(scene.url, 3);
  port = await anyFreePort();
  const options = await browserForTests();
  browser = await chromium.launchPersistentContext('', {
    ...options,
    args: [...(options.args ?? []), `--remote-debugging-port=${port}`],
  });
});

test.afterAll(async () => {
  await browser?.close();
  await scene?.close();
});

const PHONE: Flags = { formFactor: 'mobile' };
const DESK: Flags = {
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

for (const [path, who, device] of [
  ['/', 'visitor', PHONE],
  ['/', 'gamer', DESK],
  ['/gamers-guide', 'visitor', PHONE],
] as const)
  test(`${path} for a ${who}, ${device.formFactor}`, async () => {
    test.setTimeout(120_000);
    const report = await reportOn(`${scene.url}${path}`, who === 'gamer' ? gamer : null, device);
    const score = (category: string): number => Math.round((report.categories[category]?.score ?? 0) * 100);
    const figure = (audit: string): number => report.audits[audit]?.numericValue ?? Number.NaN;
    console.log(
      `${path} ${who} ${device.formFactor}: performance ${score('performance')}, accessibility ${score('accessibility')}, best practices ${score('best-practices')}; ` +
        `${Math.round(scriptBytes(report) / 1024)} KiB of scripts, layout shift ${figure('cumulative-layout-shift').toFixed(3)}`,
    );
    expect(shortcomings(report, 'accessibility')).toEqual([]);
    expect(score('accessibility')).toBe(ACCESSIBILITY);
    expect(score('best-practices'), shortcomings(report, 'best-practices').join('\n')).toBeGreaterThanOrEqual(
      BEST_PRACTICES,
    );
    expect(scriptBytes(report)).toBeLessThan(SCRIPT_BYTES);
    expect(figure('cumulative-layout-shift'), JSON.stringify(rowsOf(report, 'layout-shifts'))).toBeLessThan(
      LAYOUT_SHIFT,
    );
    expect(blockingScripts(report)).toEqual([]);
  });

async function reportOn(url: string, as: GamerByHttp | null, device: Flags): Promise<Result> {
  await browser.clearCookies();
  await as?.enterWith(browser, scene.url);
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

/** A style sheet may hold back the first picture: without it there would be two. A script may not. */
const blockingScripts = (report: Result): string[] =>
  rowsOf<Request>(report, 'render-blocking-resources').flatMap(({ url }) => (/\.js(\?|$)/.test(url) ? [url] : []));

/** What cost points, and where. */
function shortcomings(report: Result, category: string): string[] {
  return (report.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
    const audit = report.audits[id];
    const isPassed = audit === undefined || audit.score === null || audit.score === 1 || weight === 0;
    return isPassed ? [] : [`${id}: ${audit.title} ${JSON.stringify(rowsOf(report, id)).slice(0, 600)}`];
  });
}
