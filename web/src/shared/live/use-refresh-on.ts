import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ApiKey } from '../api/api-client.js';
import { type LiveEventName, onPageEvent } from './live-events.js';

/** In a busy round an event may come many times a second; the page asks this often at most. */
const REFRESH_GAP_MS = 1_000;

/** Asks again when an event says so: at once, then once a second at most, never missing the last one. */
export function useRefreshOn(event: LiveEventName, queryKey: ApiKey): void {
  const client = useQueryClient();
  const key = JSON.stringify(queryKey);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let askedAtMs = Number.NEGATIVE_INFINITY;
    const ask = () => {
      timer = undefined;
      askedAtMs = performance.now();
      void client.invalidateQueries({ queryKey: JSON.parse(key) as ApiKey });
    };
    const stop = onPageEvent(event, () => {
      timer ??= setTimeout(ask, Math.max(0, askedAtMs + REFRESH_GAP_MS - performance.now()));
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, event, key]);
}
