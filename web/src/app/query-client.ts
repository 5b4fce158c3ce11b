import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../shared/api/api-error.js';
import { sessionQuery } from '../shared/session/session.queries.js';

/** A session that ended elsewhere (a new password ends all of them) is noticed by the first query it is refused. */
const queryCache = new QueryCache({
  onError: (error, { queryKey }) => {
    const isRefused = error instanceof ApiError && error.status === 401;
    if (isRefused && queryKey !== sessionQuery.queryKey)
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  },
});

/** Specification §9, data queries: messages of the socket say when to ask again, not the clock. */
export const queryClient = new QueryClient({
  queryCache,
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
