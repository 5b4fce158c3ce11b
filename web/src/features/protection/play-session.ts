import { useQueryClient } from '@tanstack/react-query';
import { unitsOf } from '../../../../contracts/durations.js';
import type { PlaySession } from '../../../../contracts/http/protection.js';
import { formatCents, formatSignedCents } from '../../../../contracts/money.js';
import { useApi } from '../../shared/api/use-api.js';
import { LAST_SECONDS } from '../../shared/board.js';
import { counted } from '../../shared/format.js';
import { usePageEvent } from '../../shared/live/live-events.js';

/** Not below the profile's key, which every matrix credit refreshes: the figures change with the gamer's own play only. */
const KEY = ['/api', 'play-session'] as const;

export const usePlaySession = () => useApi<PlaySession>(KEY, { refreshOn: 'balanceUpdated' });

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

/** "42 minutes", "2 hours 5 minutes", "3 days 4 hours": how long a login lasts. */
export function playedText(startedAtEpochMs: number, nowEpochMs: number): string {
  const { days, hours, minutes } = unitsOf(Math.max(0, Math.floor((nowEpochMs - startedAtEpochMs) / 1000)));
  const parts = days > 0 ? ([days, 'day', hours % 24, 'hour'] as const) : ([hours, 'hour', minutes, 'minute'] as const);
  const [large, largeUnit, small, smallUnit] = parts;
  if (large === 0) return counted(small, smallUnit);
  return small === 0 ? counted(large, largeUnit) : `${counted(large, largeUnit)} ${counted(small, smallUnit)}`;
}

export const netText = (cents: number): string => (cents === 0 ? formatCents(0) : formatSignedCents(cents));

/**
 * A due reality check waits while its gamer leads the last seconds of a round, and until that round is decided.
 *
 * @param secondsLeft seconds of the round that the gamer leads; null when the gamer leads none
 */
export const isCheckShown = (isDue: boolean, secondsLeft: number | null): boolean =>
  isDue && (secondsLeft === null || secondsLeft > LAST_SECONDS);
