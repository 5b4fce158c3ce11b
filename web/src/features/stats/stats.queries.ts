import { queryOptions, useQuery } from '@tanstack/react-query';
import type { StatsResponse } from '../../../../contracts/http/game.js';
import { get } from '../../shared/api/api-client.js';
import { useRefreshOn } from '../../shared/live/use-refresh-on.js';

/** Specification §9, polling. */
const POLLED_EVERY_MS = 10_000;

export const statsQuery = queryOptions({
  queryKey: ['/api', 'stats'] as const,
  queryFn: ({ queryKey, signal }) => get<StatsResponse>(queryKey, signal),
  refetchInterval: POLLED_EVERY_MS,
});

export function useStats() {
  useRefreshOn('stats:updated', statsQuery.queryKey);
  return useQuery(statsQuery);
}
