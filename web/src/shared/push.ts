/** The service worker: the offline page and reminders. */
export const SERVICE_WORKER = '/sw.js';

/** Registers the service worker, when the page has loaded. Without one the page works as well. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  const register = () => navigator.serviceWorker.register(SERVICE_WORKER).catch(() => undefined);
  if (document.readyState === 'complete') void register();
  else window.addEventListener('load', register, { once: true });
}

export const canBeReminded = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && Notification.permission !== 'denied';
