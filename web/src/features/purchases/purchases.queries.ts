import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  BuyFromBalanceRequest,
  PurchaseReceipt,
  RecentPurchase,
  RecentPurchasesResponse,
} from '../../../../contracts/http/game.js';
import { FEED_PURCHASES } from '../../../../contracts/limits.js';
import { get } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';
import { usePageEvent } from '../../shared/live/live-events.js';
import { gamerQuery } from '../../shared/session/gamer.queries.js';

/** The feed: at most 10, newest first, whichever round they were in. */
export const recentPurchasesQuery = queryOptions({
  queryKey: ['/api', 'purchases', 'recent'] as const,
  queryFn: ({ queryKey, signal }) => get<RecentPurchasesResponse>(queryKey, signal),
  select: ({ purchases }) => purchases.slice(0, FEED_PURCHASES),
});

export const useRecentPurchases = () => useQuery(recentPurchasesQuery);

/** A purchase joins the feed by its message; after a time in which some may have been missed the feed is asked for. */
export function useRecentPurchasesSync(): void {
  const client = useQueryClient();
  const { queryKey } = recentPurchasesQuery;
  usePageEvent('purchase:added', (added) => {
    client.setQueryData<RecentPurchasesResponse>(
      queryKey,
      (feed) => feed && { purchases: withNewest(feed.purchases, added) },
    );
  });
  usePageEvent('socket-connected', () => void client.invalidateQueries({ queryKey }));
}

const withNewest = (purchases: RecentPurchase[], added: RecentPurchase): RecentPurchase[] =>
  [added, ...purchases.filter((p) => p.purchaseId !== added.purchaseId)].slice(0, FEED_PURCHASES);

/** Buys tokens from the purchase balance; the wallet shows what is left as soon as the receipt is here. */
export function useBuyFromBalance() {
  const client = useQueryClient();
  const command = useCommand<PurchaseReceipt, BuyFromBalanceRequest>('POST', (body) => ({
    path: '/api/buy-from-balance',
    body,
  }));
  const buy = async (request: BuyFromBalanceRequest): Promise<PurchaseReceipt> => {
    const receipt = await command.mutateAsync(request);
    const { queryKey } = gamerQuery(request.userId);
    const { purchaseBalanceCents } = receipt;
    client.setQueryData(queryKey, (gamer) => gamer && { ...gamer, wallet: { purchaseBalanceCents } });
    void client.invalidateQueries({ queryKey });
    return receipt;
  };
  return { buy, isPending: command.isPending };
}
