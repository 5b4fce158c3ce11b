/**
 * Code that is fetched once. A call of `fetch` after a failure tries again. A browser may remember a failed import until the
 * page is reloaded, so a second failure reloads it if the server answers.
 */
export function fetchedOnce<Module>(load: () => Promise<Module>) {
  let fetched: Module | null = null;
  let fetching: Promise<Module> | null = null;
  let failures = 0;
  const attempt = async (): Promise<Module> => {
    try {
      fetched = await load();
      return fetched;
    } catch (error) {
      fetching = null;
      failures += 1;
      if (failures > 1) void reloadIfReachable();
      throw error;
    }
  };
  return {
    get: () => fetched,
    fetch: (): Promise<Module> => {
      fetching ??= attempt();
      return fetching;
    },
  };
}

const RELOADED_AT = 'reloaded-at';
const RELOADS_APART_MS = 60_000;

/** At most once a minute, because code that never arrives would otherwise reload the page for ever. */
async function reloadIfReachable(): Promise<void> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < RELOADS_APART_MS) return;
  const response = await fetch(window.location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!response?.ok) return;
  sessionStorage.setItem(RELOADED_AT, `${Date.now()}`);
  window.location.reload();
}
