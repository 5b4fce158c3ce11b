import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ResetRequest, StartLiveResponse, TimersBody } from '../../../../../contracts/http/admin.js';
import type { MessageResponse } from '../../../../../contracts/http/gamers.js';
import { get } from '../../../shared/api/api-client.js';
import { useCommand } from '../../../shared/api/use-command.js';

/** The timer settings as last saved; what runs now may still be on the ones before. */
export const timersQuery = queryOptions({
  queryKey: ['/api', 'admin', 'timers'] as const,
  queryFn: ({ queryKey, signal }) => get<TimersBody>(queryKey, signal),
});

export const useTimers = () => useQuery(timersQuery);

export const useStartGame = () => useCommand<MessageResponse, void>('POST', () => ({ path: '/api/admin/game/start' }));

export const useForceStartLive = () =>
  useCommand<StartLiveResponse, void>('POST', () => ({ path: '/api/admin/game/start-live' }));

export const useResetGame = () =>
  useCommand<MessageResponse, ResetRequest>('POST', (body) => ({ path: '/api/admin/game/reset', body }));

export function useSaveTimers() {
  const client = useQueryClient();
  const command = useCommand<unknown, TimersBody>('POST', (body) => ({ path: '/api/admin/timers', body }));
  const save = async (timers: TimersBody): Promise<void> => {
    await command.mutateAsync(timers);
    client.setQueryData(timersQuery.queryKey, timers);
  };
  return { save, isPending: command.isPending };
}
