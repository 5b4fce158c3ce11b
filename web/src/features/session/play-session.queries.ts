import { useQueryClient } from '@tanstack/react-query';
import type { PlaySession } from '../../../../contracts/http/protection.js';
import { useApi } from '../../shared/api/use-api.js';
import { usePageEvent } from '../../shared/live/live-events.js';

/** Not below the profile's key, which every matrix credit refreshes: the figures change with the gamer's own play only. */
const KEY = ['/api', 'play-session'] as const;

/** The play of this login, as the server counts it. */
export const usePlaySession = () => useApi<PlaySession>(KEY, { refreshOn: 'balanceUpdated' });

/** Returns the function that fetches the figures again. */
export function useRefreshPlaySession(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: KEY });
}

/** Fetches the figures again after a jackpot of this gamer, and after a reconnect, because messages may be missing. */
export function usePlaySessionSync(gamerId: string): void {
  const refresh = useRefreshPlaySession();
  usePageEvent('round:ended', ({ winner }) => {
    if (winner?.id === gamerId) void refresh();
  });
  usePageEvent('socket-connected', () => void refresh());
}
