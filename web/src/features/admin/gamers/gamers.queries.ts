import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type {
  AdjustRequest,
  AdminGamerRow,
  AdminGamersResponse,
  DepositorStatusRequest,
  DepositorStatusResponse,
} from '../../../../../contracts/http/admin.js';
import type {
  AdminResetPasswordRequest,
  ChangeRoleRequest,
  DeleteGamerResponse,
  EditProfileRequest,
} from '../../../../../contracts/http/people.js';
import type { GamerId } from '../../../../../contracts/ids.js';
import { GAMER_LIST_PAGE_SIZE, MAX_PAGE_SIZE } from '../../../../../contracts/limits.js';
import { get } from '../../../shared/api/api-client.js';
import { allRows } from '../lists/all-pages.js';
import { useAdminCommand } from '../use-admin-command.js';

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

export const allGamers = (q: string): Promise<AdminGamerRow[]> =>
  allRows(
    async (page, pageSize) => (await get<AdminGamersResponse>([...listKey, { q, page, pageSize }])).gamers,
    MAX_PAGE_SIZE,
  );

/** Whoever bears exactly this tag; null when nobody does. */
export const useGamerNamed = (gamerTag: string) =>
  useQuery({
    queryKey: [...listKey, 'named', gamerTag] as const,
    queryFn: async () => (await allGamers(gamerTag)).find((gamer) => gamer.gamerTag === gamerTag) ?? null,
    refetchInterval: POLLED_EVERY_MS,
  });

const ofGamer = (gamerId: GamerId) => `/api/admin/mini/gamers/${gamerId}`;

export const useAdjustBalance = (gamerId: GamerId) =>
  useAdminCommand<unknown, AdjustRequest>('POST', (body) => ({ path: `${ofGamer(gamerId)}/adjust`, body }), [listKey]);

export const useSetDepositorStatus = (gamerId: GamerId) =>
  useAdminCommand<DepositorStatusResponse, DepositorStatusRequest>(
    'POST',
    (body) => ({ path: `${ofGamer(gamerId)}/depositor-status`, body }),
    [listKey],
  );

export const useEditProfile = (gamerId: GamerId) =>
  useAdminCommand<unknown, EditProfileRequest>('PATCH', (body) => ({ path: `${ofGamer(gamerId)}/profile`, body }), [
    listKey,
  ]);

export const useResetPassword = (gamerId: GamerId) =>
  useAdminCommand<unknown, AdminResetPasswordRequest>(
    'POST',
    (body) => ({ path: `${ofGamer(gamerId)}/reset-password`, body }),
    [],
  );

export const useChangeRole = (gamerId: GamerId) =>
  useAdminCommand<unknown, ChangeRoleRequest>('POST', (body) => ({ path: `${ofGamer(gamerId)}/role`, body }), [
    listKey,
  ]);

/** What a deleted gamer had goes to the house: its figures change too. */
export const useDeleteGamer = (gamerId: GamerId) =>
  useAdminCommand<DeleteGamerResponse, void>('DELETE', () => ({ path: `/api/admin/gamers/${gamerId}` }), [
    listKey,
    ['/api', 'admin', 'profits'],
    ['/api', 'admin', 'support', 'tickets'],
    ['/api', 'community', 'posts'],
  ]);
