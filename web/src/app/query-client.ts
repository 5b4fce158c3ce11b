import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../shared/api/api-error.js';
import { sessionQuery } from '../shared/session/session.queries.js';

const isRefused = (error: Error): boolean => error instanceof ApiError && error.status === 401;
const askWhoIsHere = () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });

/** A session that ended elsewhere (a new password ends all of them) is noticed by whatever it is refused first. */
const queryCache = new QueryCache({
  onError: (error, { queryKey }) => {
    if (isRefused(error) && queryKey !== sessionQuery.queryKey) askWhoIsHere();
  },
});

/** Who is logged in may be refused a command; for who is not, a 401 says that a password was wrong. */
const mutationCache = new MutationCache({
  onError: (error) => {
    if (isRefused(error) && queryClient.getQueryData(sessionQuery.queryKey)?.isAuthenticated) askWhoIsHere();
  },
});

/** Specification §9, data queries: messages of the socket say when to ask again, not the clock. */
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
