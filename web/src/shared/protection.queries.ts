import type { Exclusion, ProtectionResponse } from '../../../contracts/http/protection.js';
import type { GamerId } from '../../../contracts/ids.js';
import { useApi } from './api/use-api.js';
import { useSession } from './session.queries.js';

/** Begins as the profile's key, so it is refreshed together with the profile. */
export const protectionKey = (id: GamerId) => ['/api', 'gamer', id, 'protection'] as const;

/** The logged-in gamer's limits and exclusion; disabled for visitors. */
export function useProtection() {
  const session = useSession();
  return useApi<ProtectionResponse>(protectionKey(session?.id ?? ''), {
    enabled: Boolean(session),
    refreshOn: 'winnings:updated',
  });
}

/** The logged-in gamer's time-out or self-exclusion; null without one. */
export const useExclusion = (): Exclusion | null => useProtection().data?.exclusion ?? null;
