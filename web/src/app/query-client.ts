import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../shared/api/api-client.js';
import { sessionQuery } from '../shared/session.queries.js';

const isRefused = (error: Error): boolean => error instanceof ApiError && error.status === 401;
const refetchSession = () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });

/** A 401 to any other query means that the session ended elsewhere: a new password ends all sessions. */
const queryCache = new QueryCache({
  onError: (error, { queryKey }) => {
    if (isRefused(error) && queryKey !== sessionQuery.queryKey) refetchSession();
  },
});

/** For a logged-in gamer a 401 means that the session ended. For a visitor it means a wrong password. */
const mutationCache = new MutationCache({
  onError: (error) => {
    if (isRefused(error) && queryClient.getQueryData(sessionQuery.queryKey)?.isAuthenticated) refetchSession();
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
