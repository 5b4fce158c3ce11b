import { type UseQueryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onPageEvent, type PageEventName } from '../live/live-events.js';
import { type ApiKey, get } from './api-client.js';

type Options<Answer> = Pick<
  UseQueryOptions<Answer>,
  'enabled' | 'refetchInterval' | 'refetchOnMount' | 'placeholderData' | 'staleTime'
>;

export function useApi<Answer>(
  queryKey: ApiKey,
  { refreshOn = [], ...options }: Options<Answer> & { refreshOn?: readonly PageEventName[] } = {},
): UseQueryResult<Answer> {
  useRefreshOn(queryKey, ...refreshOn);
  return useQuery<Answer>({ queryKey, queryFn: ({ signal }) => get<Answer>(queryKey, signal), ...options });
}

/** In a busy round an event may arrive many times a second; refetches are at least this far apart. */
const REFRESH_GAP_MS = 1_000;

/** Refetches a query on live events: at once, then at most once a second. The last event always causes a refetch. */
export function useRefreshOn(queryKey: ApiKey, ...events: PageEventName[]): void {
  const client = useQueryClient();
  const key = JSON.stringify(queryKey);
  const names = JSON.stringify(events);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let refetchedAtMonotonicMs = Number.NEGATIVE_INFINITY;
    const refetch = () => {
      timer = undefined;
      refetchedAtMonotonicMs = performance.now();
      void client.invalidateQueries({ queryKey: JSON.parse(key) as ApiKey });
    };
    const plan = () => {
      timer ??= setTimeout(refetch, Math.max(0, refetchedAtMonotonicMs + REFRESH_GAP_MS - performance.now()));
    };
    const stops = (JSON.parse(names) as PageEventName[]).map((name) => onPageEvent(name, plan));
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [client, names, key]);
}
