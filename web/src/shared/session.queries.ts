import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AuthStatus, GamerProfile, GamerSession } from '../../../contracts/http/gamers.js';
import type { ProtectionResponse } from '../../../contracts/http/protection.js';
import type { GamerId } from '../../../contracts/ids.js';
import type { Exclusion, LimitInForce, LimitKind } from '../../../contracts/protection.js';
import { ApiError, get, useApi, useRefreshOn } from './api/api-client.js';
import { batchUpdate, emitPageEvent, usePageEvent } from './live/live-events.js';

export const sessionQuery = queryOptions({
  queryKey: ['/api', 'auth', 'status'] as const,
  queryFn: ({ queryKey, signal }) =>
    get<AuthStatus>(queryKey, signal).catch((error): AuthStatus => {
      if (error instanceof ApiError && error.status === 401) return { isAuthenticated: false };
      throw error;
    }),
  // The mailed link may be opened on another device.
  refetchOnWindowFocus: ({ state: { data } }) => (data?.isAuthenticated && !data.isEmailConfirmed ? 'always' : false),
});

/** The logged-in gamer, or null for a visitor; undefined while the session is not known, even after a failed request. */
export function useSession(): GamerSession | null | undefined {
  const { data } = useQuery(sessionQuery);
  return data && (data.isAuthenticated ? data : null);
}

/** The logged-in gamer's id; empty for a visitor, and while the session is not known. */
export const useMyId = (): GamerId => useSession()?.id ?? '';

export const gamerQuery = (id: GamerId) =>
  queryOptions({
    queryKey: ['/api', 'gamer', id] as const,
    queryFn: ({ queryKey, signal }) => get<GamerProfile>(queryKey, signal),
  });

export function useGamer() {
  const myId = useMyId();
  return useQuery({ ...gamerQuery(myId), enabled: myId !== '' });
}

export function useGamerSync(): void {
  const client = useQueryClient();
  const myId = useMyId();
  const { queryKey } = gamerQuery(myId);
  useRefreshOn(queryKey, 'winnings:updated', 'socket-connected');
  usePageEvent('balanceUpdated', ({ purchaseBalanceCents }) => {
    batchUpdate('balance', () =>
      client.setQueryData(queryKey, (gamer) => gamer && { ...gamer, wallet: { purchaseBalanceCents } }),
    );
  });
  usePageEvent('socket-connected', () => {
    if (client.getQueryState(sessionQuery.queryKey)?.status === 'error') void client.refetchQueries(sessionQuery);
  });
}

export const referralUrl = (refCode: string): string => `${window.location.origin}/?ref=${encodeURIComponent(refCode)}`;

let changes = 0;

/** Runs a request that begins or ends the session of this page. Responses for another gamer are expected in the meantime. */
export async function changeSession<T>(request: () => Promise<T>): Promise<T> {
  changes += 1;
  try {
    return await request();
  } finally {
    changes -= 1;
    emitPageEvent('session-changed', null);
  }
}

export const isSessionChanging = (): boolean => changes > 0;

export function useProtection() {
  const myId = useMyId();
  // The key begins as the profile's, so it is refreshed together with the profile.
  const key = ['/api', 'gamer', myId, 'protection'] as const;
  return useApi<ProtectionResponse>(key, { enabled: myId !== '' });
}

/** The limit of these kinds that leaves the least; undefined without one. */
export const useStrictestLimit = (kinds: readonly LimitKind[]): LimitInForce | undefined =>
  useProtection().data?.limitsInForce.find(({ kind }) => kinds.includes(kind));

export const useExclusion = (): Exclusion | null => useProtection().data?.exclusion ?? null;

/** Covers lost callbacks, and rejections and expiries, whose events do not name the gamer and so send no live message. */
export const PAYMENTS_POLLED_EVERY_MS = 5_000;

/** A list about the gamer's money: live messages refetch its key, because it begins with the profile's key. */
export const usePayments = <Payment extends object>(list: 'open-invoices' | 'payments-in-review') =>
  useApi<Payment[]>(['/api', 'gamer', useMyId(), list], {
    refetchInterval: ({ state }) => (state.data?.some(isUndecided) ? PAYMENTS_POLLED_EVERY_MS : false),
  });

const isUndecided = ({ state, status }: { state?: string; status?: string }): boolean =>
  ['review', 'waiting', 'confirming'].includes(state ?? status ?? '');
