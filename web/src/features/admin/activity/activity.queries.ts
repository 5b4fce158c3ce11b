import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ActivityEntry, ActivityResponse, ActivityTopic } from '../../../../../contracts/http/people.js';
import { LIST_PAGE_SIZE, MAX_PAGE_SIZE } from '../../../../../contracts/limits.js';
import { get } from '../../../shared/api/api-client.js';
import { allRows } from '../lists/all-pages.js';

/** Undefined: about everything. */
export type About = ActivityTopic | undefined;

const activityKey = ['/api', 'admin', 'activity'] as const;

const asked = (about: About): Record<string, string> => (about === undefined ? {} : { about });

export const useActivity = (about: About, page: number) =>
  useQuery({
    queryKey: [...activityKey, { ...asked(about), page, pageSize: LIST_PAGE_SIZE }] as const,
    queryFn: ({ queryKey, signal }) => get<ActivityResponse>(queryKey, signal),
    placeholderData: keepPreviousData,
  });

export const allActivity = (about: About): Promise<ActivityEntry[]> =>
  allRows(
    async (page, pageSize) =>
      (await get<ActivityResponse>([...activityKey, { ...asked(about), page, pageSize }])).activity,
    MAX_PAGE_SIZE,
  );

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
