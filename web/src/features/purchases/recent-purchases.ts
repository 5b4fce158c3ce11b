import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { RecentPurchase, RecentPurchasesResponse } from '../../../../contracts/http/purchases.js';
import { FEED_PURCHASES } from '../../../../contracts/limits.js';
import { inNextTurn, usePageEvent } from '../../shared/live/live-events.js';

export const FEED_KEY = ['/api', 'purchases', 'recent'] as const;

/** Adds each purchase from its live message. Refetches the feed when messages may be missing. */
export function useRecentPurchasesSync(): void {
  const client = useQueryClient();
  const unshown = useRef<RecentPurchase[]>([]);
  usePageEvent('purchase:added', (added) => {
    unshown.current = withNewest(unshown.current, added);
    inNextTurn('feed', () => {
      const newest = unshown.current.splice(0).reverse();
      client.setQueryData<RecentPurchasesResponse>(
        FEED_KEY,
        (feed) => feed && { purchases: newest.reduce(withNewest, feed.purchases) },
      );
    });
  });
  const refetch = () => void client.invalidateQueries({ queryKey: FEED_KEY });
  usePageEvent('state:update', ({ purchases: [last] }) => {
    const feed = client.getQueryData<RecentPurchasesResponse>(FEED_KEY);
    const known = [...unshown.current, ...(feed?.purchases ?? [])];
    if (feed && last && !known.some(({ purchaseId }) => purchaseId === last.purchaseId)) refetch();
  });
  usePageEvent('socket-connected', refetch);
}

const withNewest = (purchases: RecentPurchase[], added: RecentPurchase): RecentPurchase[] =>
  [added, ...purchases.filter((p) => p.purchaseId !== added.purchaseId)].slice(0, FEED_PURCHASES);
