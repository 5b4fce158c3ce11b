/*
 * Runs in the browser, apart from the page. It keeps an offline page, shows reminders, and leaves everything else to the
 * network and the browser's cache: it never answers with an old game state.
 */

const CACHE = 'offline-1';
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
  event.waitUntil(self.clients.claim());
});

self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  event.respondWith(fetch(event.request).catch(() => caches.match(OFFLINE_PAGE)));
});

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
