import { keepPreviousData, queryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../../shared/api/api-client.js';
import { type ListRow, newestRows } from './rows.js';

type ListPath = readonly [string, ...string[]];
/** Query parameters that choose the rows. */
type Filter = Record<string, string>;

/** Specification §9, polling: pending deposits every 10 seconds, everything else every 30. */
export const POLLED_EVERY_MS = 30_000;
/** 500 rows, until the admin asks for all of them. */
const FIRST_PAGES = 5;

export interface NewestRows<Row> {
  query: UseQueryResult<{ rows: Row[]; isWhole: boolean }>;
  /** Undefined when the query already holds every row. */
  older: { fetchAll: () => Promise<Row[]>; isLoading: boolean } | undefined;
}

/** The newest 500 rows of a list, and all of them on demand; all at once with `whole`, for a list that must be counted. */
export function useNewestRows<Row extends ListRow>(
  path: ListPath,
  {
    everyMs = POLLED_EVERY_MS,
    filter = {},
    enabled = true,
    whole = false,
  }: { everyMs?: number | false; filter?: Filter; enabled?: boolean; whole?: boolean } = {},
): NewestRows<Row> {
  const client = useQueryClient();
  const [wantsAll, setWantsAll] = useState(whole);
  const listQuery = (all: boolean) =>
    queryOptions({
      queryKey: [...path, { ...filter, all }] as const,
      queryFn: ({ signal }) =>
        newestRows((page, pageSize) => get<Row[]>([...path, { ...filter, page, pageSize }], signal), {
          pages: all ? Number.POSITIVE_INFINITY : FIRST_PAGES,
        }),
    });
  const query = useQuery({
    ...listQuery(wantsAll),
    enabled,
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  });
  const fetchAll = async () => {
    setWantsAll(true);
    return (await client.fetchQuery({ ...listQuery(true), staleTime: 0 })).rows;
  };
  const hasOlder = query.data !== undefined && !query.data.isWhole;
  return { query, older: hasOlder ? { fetchAll, isLoading: query.isPlaceholderData } : undefined };
}

export interface PagedRows<Row> {
  query: UseQueryResult<{ rows: Row[]; total: number }>;
  page: number;
  pages: number;
  setPage: (page: number) => void;
  /** Fetches the rows of all pages. */
  fetchAll: () => Promise<Row[]>;
}

/** One page of a list that the server filters and pages. */
export function usePagedRows<Answer extends { total: number }, Row extends ListRow>(
  path: ListPath,
  filter: Filter,
  rowsOf: (answer: Answer) => Row[],
  { pageSize, everyMs = false }: { pageSize: number; everyMs?: number | false },
): PagedRows<Row> {
  const [page, setPage] = useState(1);
  const fetchPage = async (parameters: { page: number; pageSize: number }, signal?: AbortSignal) => {
    const answer = await get<Answer>([...path, { ...filter, ...parameters }], signal);
    return { rows: rowsOf(answer), total: answer.total };
  };
  const query = useQuery({
    queryKey: [...path, { ...filter, page, pageSize }] as const,
    queryFn: ({ signal }) => fetchPage({ page, pageSize }, signal),
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  });
  const pages = Math.ceil((query.data?.total ?? 0) / pageSize);
  const fetchAll = async () =>
    (await newestRows(async (page, pageSize) => (await fetchPage({ page, pageSize })).rows)).rows;
  return { query, page, pages, setPage, fetchAll };
}
