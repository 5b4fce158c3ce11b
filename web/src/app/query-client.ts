import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, get, onAnswer } from '../shared/api/api-client.js';
import { staleAnswers } from '../shared/api/stale-answers.js';
import { isSessionEnding, sessionQuery } from '../shared/session.queries.js';
import { toastProblem } from '../shared/ui/toasts.js';

const isRefused = (error: Error): boolean => error instanceof ApiError && error.status === 401;
const isLoggedIn = () => queryClient.getQueryData(sessionQuery.queryKey)?.isAuthenticated === true;

let isChecking = false;

async function checkSession(): Promise<void> {
  if (isChecking) return;
  isChecking = true;
  const isUnexpected = isLoggedIn() && !isSessionEnding();
  await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  isChecking = false;
  if (isUnexpected && !isLoggedIn())
    toastProblem('Authentication Error', 'Your session has ended. Please log in again. Your balance is unchanged.');
}

/** A 401 to any other query means that the session ended elsewhere: a new password ends all sessions. */
const queryCache = new QueryCache({
  onError: (error) => {
    if (isRefused(error)) void checkSession();
  },
});

/** For a logged-in gamer a 401 means that the session ended. For a visitor it means a wrong password. */
const mutationCache = new MutationCache({
  onError: (error) => {
    if (isRefused(error) && isLoggedIn()) void checkSession();
  },
});

/** Specification §9, data queries: the socket's messages cause refetches, not timers or focus. */
export const queryClient = new QueryClient({
  queryCache,
  mutationCache,
  defaultOptions: {
    queries: {
      refetchInterval: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    },
    mutations: { retry: false },
  },
});

const { note } = staleAnswers({
  request: (path) => get([path]),
  refetch: () => queryClient.invalidateQueries({}, { cancelRefetch: false }),
  // Spread by a quarter, so that the pages of all gamers do not fetch at once after an outage of the tables.
  sleep: (timeoutMs) => new Promise((resolve) => setTimeout(resolve, timeoutMs * (0.75 + Math.random() / 2))),
});
onAnswer(note);
