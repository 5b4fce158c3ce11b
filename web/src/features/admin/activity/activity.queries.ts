import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ActivityResponse } from '../../../../../contracts/http/people.js';
import { LIST_PAGE_SIZE } from '../../../../../contracts/limits.js';
import { get } from '../../../shared/api/api-client.js';

const activityKey = ['/api', 'admin', 'activity'] as const;

export const useActivity = (page: number) =>
  useQuery({
    queryKey: [...activityKey, { page, pageSize: LIST_PAGE_SIZE }] as const,
    queryFn: ({ queryKey, signal }) => get<ActivityResponse>(queryKey, signal),
    placeholderData: keepPreviousData,
  });

/** Whatever is carried out on this page by the admin is an entry. */
export function useActivitySync(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      client.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success')
          void client.invalidateQueries({ queryKey: activityKey });
      }),
    [client],
  );
}
