import { queryOptions, useQuery } from '@tanstack/react-query';
import type { GenealogyResponse } from '../../../../contracts/http/gamers.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { get } from '../../shared/api/api-client.js';
import { useRefreshOn } from '../../shared/live/use-refresh-on.js';

/** A gamer's place in the matrix: who stands below, level by level, and what each level has paid. */
export const genealogyQuery = (id: GamerId) =>
  queryOptions({
    queryKey: ['/api', 'genealogy', id] as const,
    queryFn: ({ queryKey, signal }) => get<GenealogyResponse>(queryKey, signal),
  });

export function useGenealogy(id: GamerId) {
  const query = genealogyQuery(id);
  useRefreshOn('winnings:updated', query.queryKey);
  return useQuery(query);
}
