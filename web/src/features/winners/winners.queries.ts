import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WinnersResponse } from '../../../../contracts/http/game.js';
import { WINNERS_LISTED } from '../../../../contracts/limits.js';
import { get } from '../../shared/api/api-client.js';
import { usePageEvent } from '../../shared/live/live-events.js';

/** Newest first, 20 at most. */
export const winnersQuery = queryOptions({
  queryKey: ['/api', 'winners'] as const,
  queryFn: ({ queryKey, signal }) => get<WinnersResponse>(queryKey, signal),
  select: ({ winners }) => winners.toSorted((a, b) => b.endedAt - a.endedAt).slice(0, WINNERS_LISTED),
});

export const useWinners = () => useQuery(winnersQuery);

/** Asks again whenever somebody won, and after a time in which that may have been missed. */
export function useWinnersSync(): void {
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey: winnersQuery.queryKey });
  usePageEvent('round:ended', refresh);
  usePageEvent('socket-connected', refresh);
}
