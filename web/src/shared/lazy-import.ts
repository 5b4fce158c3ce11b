import { store, stored } from './store.js';

/** Returns a loader. Its second failure reloads the page if the server responds: a browser may remember a failed import. */
export function lazyImport<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let failures = 0;
  return () =>
    load().catch((error: unknown) => {
      failures += 1;
      if (failures > 1) void reloadIfReachable();
      throw error;
    });
}

const RELOADED_AT = 'reloaded-at';
const RELOADS_APART_MS = 60_000;

/** Reloads at most once a minute, because code that never arrives would otherwise reload the page for ever. */
async function reloadIfReachable(): Promise<void> {
  if (Date.now() - Number(stored(RELOADED_AT, 'session')) < RELOADS_APART_MS) return;
  const response = await fetch(window.location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!response?.ok) return;
  store(RELOADED_AT, `${Date.now()}`, 'session');
  window.location.reload();
}
