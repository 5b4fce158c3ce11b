import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_PAGE_SIZE } from '../../../../../contracts/limits.js';
import { get } from '../../../shared/api/api-client.js';
import { newestRows } from './all-pages.js';

export type ListPath = readonly [string, ...string[]];

/** 500 rows at first, and as many again each time somebody wants older ones. */
const PAGES_AT_ONCE = 5;

/** The newest rows of an admin list, asked for again every `everyMs`; `showOlder` lists more of them. */
export function useNewest<Row extends { id: string }>(path: ListPath, everyMs: number | false) {
  const [pages, setPages] = useState(PAGES_AT_ONCE);
  const query = useQuery({
    queryKey: [...path, { pages }] as const,
    queryFn: ({ signal }) =>
      newestRows((page, pageSize) => get<Row[]>([...path, { page, pageSize }], signal), {
        pages,
        pageSize: MAX_PAGE_SIZE,
      }),
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  });
  return { query, showOlder: () => setPages(pages + PAGES_AT_ONCE) };
}
