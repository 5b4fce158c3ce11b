import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MessageResponse } from '../../../../contracts/http/gamers.js';
import type {
  CryptoWallets,
  SaveWalletRequest,
  Withdrawal,
  WithdrawRequest,
} from '../../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { get, send } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';
import { useRefreshOn } from '../../shared/live/use-refresh-on.js';
import { gamerQuery } from '../../shared/session/gamer.queries.js';

/** A person pays them by hand, and no message says when. */
const OPEN_POLLED_EVERY_MS = 30_000;

export const walletsQuery = (gamerId: GamerId) =>
  queryOptions({
    queryKey: ['/api', 'gamer', gamerId, 'crypto-wallets'] as const,
    queryFn: ({ queryKey, signal }) => get<CryptoWallets>(queryKey, signal),
  });

/** Newest first. */
export const withdrawalsQuery = (gamerId: GamerId) =>
  queryOptions({
    queryKey: ['/api', 'gamer', gamerId, 'withdrawals'] as const,
    queryFn: ({ queryKey, signal }) => get<Withdrawal[]>(queryKey, signal),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? OPEN_POLLED_EVERY_MS : false),
  });

const isOpen = ({ status }: Withdrawal): boolean => status === 'pending' || status === 'processing';

export const useWallets = (gamerId: GamerId) => useQuery(walletsQuery(gamerId));

export function useWithdrawals(gamerId: GamerId) {
  const query = withdrawalsQuery(gamerId);
  useRefreshOn('winnings:updated', query.queryKey);
  return useQuery(query);
}

/** Asks for a withdrawal; the winnings, the list and the public counters are asked for again. */
export function useWithdraw(gamerId: GamerId) {
  const client = useQueryClient();
  const command = useCommand<MessageResponse, WithdrawRequest>('POST', (body) => ({
    path: `/api/gamer/${gamerId}/withdraw`,
    body,
  }));
  const withdraw = async (request: WithdrawRequest): Promise<string> => {
    const { message } = await command.mutateAsync(request);
    // The gamer's key is the beginning of the list's: both are asked for.
    void client.invalidateQueries({ queryKey: gamerQuery(gamerId).queryKey });
    void client.invalidateQueries({ queryKey: ['/api', 'stats'] });
    return message;
  };
  return { withdraw, isPending: command.isPending };
}

export function useSaveWallet(gamerId: GamerId) {
  const client = useQueryClient();
  const { queryKey } = walletsQuery(gamerId);
  return useMutation({
    mutationFn: (wallet: SaveWalletRequest) => send<void>('POST', `/api/gamer/${gamerId}/crypto-wallets`, wallet),
    onSuccess: (_, { cryptoType, walletAddress }) => {
      client.setQueryData(queryKey, (wallets) => ({ ...wallets, [cryptoType]: walletAddress }));
    },
  });
}
