/*
 * Runs in the browser, apart from the page. It keeps files whose content never changes (their names have a hash) and an
 * offline page, shows reminders, and leaves everything else to the network: it never answers with an old game state.
 *
 * The build replaces ASSETS by the names of its files (service-worker-plugin.ts).
 */

/** @type {readonly string[]} */
const ASSETS = [];
const CACHE = 'files-1';
const OFFLINE_PAGE = '/offline.html';

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.add(new Request(OFFLINE_PAGE, { cache: 'reload' })))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(dropOldFiles().then(() => self.clients.claim()));
});

async function dropOldFiles() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  const cache = await caches.open(CACHE);
  const kept = new Set([OFFLINE_PAGE, ...ASSETS]);
  for (const request of await cache.keys()) if (!kept.has(new URL(request.url).pathname)) await cache.delete(request);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (ASSETS.includes(pathname)) event.respondWith(fileOf(request));
  else if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => caches.match(OFFLINE_PAGE)));
});

async function fileOf(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.status === 200) await cache.put(request, response.clone());
  return response;
}

self.addEventListener('push', (event) => {
  const { roundId } = event.data.json();
  event.waitUntil(
    self.registration.showNotification(`Round ${roundId} is live`, {
      body: 'The clock is running. The last buyer before zero takes the whole jackpot.',
      icon: '/icons/icon-192.png',
      badge: '/icons/badge-96.png',
      tag: 'round-live',
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showGame());
});

async function showGame() {
  const windows = await self.clients.matchAll({ type: 'window' });
  const open = windows.find(({ url }) => new URL(url).pathname === '/');
  if (open) await open.focus();
  else await self.clients.openWindow('/');
}
