import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { get } from '../api/api-client.js';
import { usePageEvent } from '../live/live-events.js';
import { useSession } from './session.queries.js';

/** A gamer's own profile, wallet and balances. */
export const gamerQuery = (id: GamerId) =>
  queryOptions({
    queryKey: ['/api', 'gamer', id] as const,
    queryFn: ({ queryKey, signal }) => get<GamerProfile>(queryKey, signal),
  });

/** The profile of the gamer logged in; disabled while nobody is. */
export function useGamer() {
  const session = useSession();
  return useQuery({ ...gamerQuery(session?.id ?? ''), enabled: session !== null && session !== undefined });
}

/** Keeps the wallet and the winnings of the gamer logged in up to date. */
export function useGamerSync(): void {
  const client = useQueryClient();
  const session = useSession();
  const refresh = () => {
    if (session) void client.invalidateQueries({ queryKey: gamerQuery(session.id).queryKey });
  };
  usePageEvent('winnings:updated', refresh);
  usePageEvent('balanceUpdated', ({ purchaseBalanceCents }) => {
    if (!session) return;
    client.setQueryData(
      gamerQuery(session.id).queryKey,
      (gamer) => gamer && { ...gamer, wallet: { purchaseBalanceCents } },
    );
  });
  usePageEvent('socket-connected', refresh);
}
