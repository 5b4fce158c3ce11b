import { type BrowserContext, expect, type Page, type Worker } from '@playwright/test';
import { TestSubscription } from '../api/test/push-service.js';
import { stageOf } from './game-page.js';
import { CAMPAIGN, sharedApp, test } from './test-app.js';

/* The page as an installed application: manifest, service worker, offline page, reminders. */

const app = sharedApp();

test.beforeEach(() => app.resetGame());

const WITH_WORKER = { serviceWorkers: 'allow' } as const;

/** Waits until the service worker controls the page. */
async function workerOf(page: Page): Promise<Worker> {
  await page.goto('/');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const [worker] = page.context().serviceWorkers();
  if (worker === undefined) throw new Error('the page has no service worker');
  return worker;
}

test('has a manifest without errors, and shows a reminder as a notification', CAMPAIGN, async ({ browser }) => {
  const page = await app.blankPage(browser, undefined, WITH_WORKER);
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const worker = await workerOf(page);
  const devTools = await page.context().newCDPSession(page);
  const { data, errors } = await devTools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data ?? '{}') as { display: string; icons: { src: string; sizes: string }[] };
  expect(manifest.display).toBe('standalone');
  const sizes = await page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(async (source) => {
          const image = new Image();
          image.src = source;
          await image.decode();
          return `${image.naturalWidth}x${image.naturalHeight}`;
        }),
      ),
    manifest.icons.filter(({ src }) => src.endsWith('.png')).map(({ src }) => src),
  );
  expect(sizes).toEqual(['192x192', '512x512', '512x512']);
  expect(problems).toEqual([]);
  // This browser shows no notifications, so the test reads what the worker would show.
  const shown = await worker.evaluate(async () => {
    const scope = self as unknown as ServiceWorkerGlobalScope;
    return new Promise<unknown[]>((resolve) => {
      scope.registration.showNotification = async (...notification) => resolve(notification);
      scope.dispatchEvent(new PushEvent('push', { data: JSON.stringify({ roundId: 7 }) }));
    });
  });
  expect(shown).toEqual(['Round 7 is live', expect.objectContaining({ tag: 'round-live' })]);
});

test('says offline that the game is offline, and never shows an old state', CAMPAIGN, async ({ browser }) => {
  const page = await app.blankPage(browser, undefined, WITH_WORKER);
  await workerOf(page);
  await app.asAdmin('game/start-live');
  await page.reload();
  await expect(stageOf(page).getByText('LIVE GAME NOW ACTIVE')).toBeVisible();
  const stored = await page.evaluate(async () => {
    const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(stored).toEqual(['/offline.html']);
  await page.context().setOffline(true);
  // The browser takes the worker off the network a moment after the page.
  for (const path of ['/api/state', '/api/winners', '/gamers-guide', '/manifest.webmanifest'])
    await expect.poll(() => statusOf(page, path), path).toBe('no response');
  await page.goto('/gamers-guide');
  await expect(page.getByRole('heading', { name: 'The game is offline' })).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(stageOf(page).getByText('LIVE GAME NOW ACTIVE')).toBeVisible();
});

const statusOf = (page: Page, path: string): Promise<number | string> =>
  page.evaluate(
    (url) =>
      fetch(url).then(
        ({ status }) => status,
        () => 'no response',
      ),
    path,
  );

test('reminds a gamer’s browser when the round goes live, until the gamer says no', CAMPAIGN, async ({ browser }) => {
  const subscription = new TestSubscription(`${app.pushService.origin}/phone`);
  const page = await app.blankPage(browser, await app.gamer('forgetful', { tokens: 5 }), WITH_WORKER);
  await standInForPush(page.context(), subscription);
  await workerOf(page);
  const stage = stageOf(page);
  await stage.getByRole('button', { name: 'Remind me' }).click();
  const on = stage.getByRole('button', { name: 'Reminder is on', pressed: true });
  await expect(on).toBeVisible();
  await page.reload();
  await expect(on).toBeVisible();
  await app.asAdmin('game/start-live');
  await expect.poll(() => app.pushService.to('/phone').length).toBe(1);
  await app.until(({ gameState }) => gameState === 'live');
  const { roundId } = await app.game();
  const message = subscription.read(app.pushService.to('/phone')[0] as never);
  expect(message).toMatchObject({ roundId });
  await expect(stage.getByRole('button', { name: 'JOIN LIVE GAME NOW' })).toBeVisible();
  await app.resetGame();
  await on.click();
  await expect(stage.getByRole('button', { name: 'Remind me', pressed: false })).toBeVisible();
  await app.asAdmin('game/start-live');
  await expect(stage.getByRole('button', { name: 'JOIN LIVE GAME NOW' })).toBeVisible();
  await app.resetGame();
  expect(app.pushService.to('/phone')).toHaveLength(1);
});

interface ServiceWorkerGlobalScope extends EventTarget {
  registration: ServiceWorkerRegistration;
}
declare const PushEvent: new (type: string, init: { data: string }) => Event;

/** The tests' browser knows no push service and grants no notifications: it gets stand-ins for both. */
async function standInForPush(context: BrowserContext, subscription: TestSubscription): Promise<void> {
  await context.addInitScript(({ endpoint, p256dh, auth }) => {
    const bytes = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer;
    const subscribed = (key: string) => ({
      endpoint,
      options: { applicationServerKey: bytes(key) },
      getKey: (name: string) => bytes(name === 'auth' ? auth : p256dh),
      unsubscribe: async () => localStorage.removeItem('push-key'),
    });
    Object.defineProperty(Notification, 'permission', { get: () => localStorage.getItem('push-allowed') ?? 'default' });
    Notification.requestPermission = async () => {
      localStorage.setItem('push-allowed', 'granted');
      return 'granted';
    };
    const manager = PushManager.prototype as unknown as Record<string, unknown>;
    manager.getSubscription = async () => {
      const key = localStorage.getItem('push-key');
      return key === null ? null : subscribed(key);
    };
    manager.subscribe = async ({ applicationServerKey }: { applicationServerKey: string }) => {
      localStorage.setItem('push-key', applicationServerKey);
      return subscribed(applicationServerKey);
    };
  }, subscription.toJSON());
}
