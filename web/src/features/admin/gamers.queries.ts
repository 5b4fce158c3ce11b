import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  AdjustRequest,
  AdminGamersResponse,
  DepositorStatusRequest,
  DepositorStatusResponse,
} from '../../../../contracts/http/admin.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { GAMER_LIST_PAGE_SIZE } from '../../../../contracts/limits.js';
import { get } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';

/** Specification §9, polling. */
const POLLED_EVERY_MS = 30_000;
const listKey = ['/api', 'admin', 'mini', 'gamers'] as const;

export const gamersQuery = (q: string, page: number) =>
  queryOptions({
    queryKey: [...listKey, { q, page, pageSize: GAMER_LIST_PAGE_SIZE }] as const,
    queryFn: ({ queryKey, signal }) => get<AdminGamersResponse>(queryKey, signal),
    refetchInterval: POLLED_EVERY_MS,
    placeholderData: keepPreviousData,
  });

export const useGamers = (q: string, page: number) => useQuery(gamersQuery(q, page));

export function useAdjustBalance(gamerId: GamerId) {
  const client = useQueryClient();
  const command = useCommand<unknown, AdjustRequest>('POST', (body) => ({
    path: `/api/admin/mini/gamers/${gamerId}/adjust`,
    body,
  }));
  const adjust = async (change: AdjustRequest): Promise<void> => {
    await command.mutateAsync(change);
    await client.invalidateQueries({ queryKey: listKey });
  };
  return { adjust, isPending: command.isPending };
}

export function useSetDepositorStatus(gamerId: GamerId) {
  const client = useQueryClient();
  const command = useCommand<DepositorStatusResponse, DepositorStatusRequest>('POST', (body) => ({
    path: `/api/admin/mini/gamers/${gamerId}/depositor-status`,
    body,
  }));
  const setStatus = async (isDepositor: boolean): Promise<DepositorStatusResponse> => {
    const status = await command.mutateAsync({ isDepositor });
    await client.invalidateQueries({ queryKey: listKey });
    return status;
  };
  return { setStatus, isPending: command.isPending };
}
