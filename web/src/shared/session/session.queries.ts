import { queryOptions, useQuery } from '@tanstack/react-query';
import type { AuthStatus, GamerSession } from '../../../../contracts/http/accounts.js';
import { get } from '../api/api-client.js';

/** Who is looking at the page. Checked on load. */
export const sessionQuery = queryOptions({
  queryKey: ['/api', 'auth', 'status'] as const,
  queryFn: ({ queryKey, signal }) => get<AuthStatus>(queryKey, signal),
});

/** The gamer logged in, or null; undefined while it is not known yet. */
export function useSession(): GamerSession | null | undefined {
  const { data, isError } = useQuery(sessionQuery);
  if (data === undefined) return isError ? null : undefined;
  return data.isAuthenticated ? data : null;
}
