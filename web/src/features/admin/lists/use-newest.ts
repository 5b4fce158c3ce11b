import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_PAGE_SIZE } from '../../../../../contracts/limits.js';
import { type ApiKey, get } from '../../../shared/api/api-client.js';
import { newestRows } from './all-pages.js';

export type ListPath = readonly [string, ...string[]];

/** Unless somebody looks further back, 500 rows. */
const PAGES_AT_FIRST = 5;

/** What lies behind the rows that are here. */
export interface Older<Row> {
  /** Lists the rest too, and answers every row there is. */
  listAll: () => Promise<Row[]>;
  isComing: boolean;
}

interface NewestOptions<Row> {
  /** Not asked for again by any clock when false. */
  everyMs: number | false;
  /** Which rows of the list, as the server is to choose them. */
  filter?: Record<string, string>;
  /** For a list whose rows are known by something else than an id. */
  ask?: (key: ApiKey, signal?: AbortSignal) => Promise<Row[]>;
}

/** The newest rows of an admin list, and on demand, in `older`, all of them. */
export function useNewest<Row extends { id: string }>(
  path: ListPath,
  { everyMs, filter = {}, ask = get<Row[]> }: NewestOptions<Row>,
) {
  const client = useQueryClient();
  const [wantsAll, setWantsAll] = useState(false);
  const listQuery = (all: boolean) =>
    queryOptions({
      queryKey: [...path, { ...filter, all }] as const,
      queryFn: ({ signal }) =>
        newestRows((page, pageSize) => ask([...path, { ...filter, page, pageSize }], signal), {
          pages: all ? Number.POSITIVE_INFINITY : PAGES_AT_FIRST,
          pageSize: MAX_PAGE_SIZE,
        }),
    });
  const query = useQuery({ ...listQuery(wantsAll), refetchInterval: everyMs, placeholderData: keepPreviousData });
  const older: Older<Row> = {
    isComing: query.isPlaceholderData,
    listAll: async () => {
      setWantsAll(true);
      return (await client.fetchQuery({ ...listQuery(true), staleTime: 0 })).rows;
    },
  };
  return { query, older: query.data === undefined || query.data.isWhole ? undefined : older };
}
