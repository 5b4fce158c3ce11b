import { QueryClient } from '@tanstack/react-query';
import type { GamerId } from '../../../contracts/ids.js';
import { get, requestCallbacks } from '../shared/api/api-client.js';
import { staleResponses } from '../shared/api/stale-responses.js';
import { sleep } from '../shared/clock.js';
import { onPageEvent } from '../shared/live/live-events.js';
import { isSessionChanging, sessionQuery } from '../shared/session.queries.js';
import { toast, toastProblem } from '../shared/ui/toasts.js';

function shownGamerId(): GamerId | null | undefined {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  return session && (session.isAuthenticated ? session.id : null);
}

let isChecking = false;

/** Fetches the session. Reloads the page when it is another gamer's; a toast says when it has ended. */
async function checkSession(isOtherTab = false): Promise<void> {
  if (isChecking || isSessionChanging()) return;
  isChecking = true;
  const before = shownGamerId();
  await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  isChecking = false;
  const now = shownGamerId();
  if (before === undefined || now === before || isSessionChanging()) return;
  if (now) window.location.reload();
  else if (now === null && isOtherTab) toast({ title: 'You are logged out', text: 'You logged out in another tab.' });
  else if (now === null) toastProblem('Authentication Error', 'Your session has ended. Please log in again.');
}

/** Specification §9, data queries: the socket's messages cause refetches, not timers or focus. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
  },
});

const { noteResponse } = staleResponses({
  request: (path) => get([path]),
  refetch: () => queryClient.invalidateQueries({}, { cancelRefetch: false }),
  // Spread by a quarter, so that the pages of all gamers do not fetch at once after an outage of the tables.
  sleep: (timeoutMs) => sleep(timeoutMs * (0.75 + Math.random() / 2)),
});
requestCallbacks.onFreshness = noteResponse;
requestCallbacks.shownGamerId = shownGamerId;
requestCallbacks.onOtherGamer = () => void checkSession();

const otherTabs = new BroadcastChannel('session');
otherTabs.onmessage = () => void checkSession(true);
onPageEvent('session-changed', () => {
  otherTabs.postMessage(null);
  // The change may have been refused because the page shows somebody else.
  void checkSession();
});
