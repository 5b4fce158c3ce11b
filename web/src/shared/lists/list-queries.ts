import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Power } from '../../../../contracts/ids.js';
import { LIST_PAGE_SIZE, MAX_PAGE_SIZE } from '../../../../contracts/limits.js';
import { get } from '../api/api-client.js';
import { type Column, cellText } from '../files.js';
import { useSession } from '../session.queries.js';

type ListPath = readonly [string, ...string[]];
type Filter = Record<string, string>;

type Session = ReturnType<typeof useSession>;

/** Whether the session is the admin's, or that of an operator with one of the powers. The server decides anew. */
export function hasPower(session: Session, powers: readonly Power[]): boolean {
  if (session?.role !== 'operator') return session?.role === 'admin';
  return powers.some((power) => session.powers.includes(power));
}

export const usePower = (power: Power): boolean => hasPower(useSession(), [power]);

/** Specification §9, polling: pending deposits every 10 seconds, the other polled lists every 30. */
export const POLLED_EVERY_MS = 30_000;
const NEWEST_PAGES = 5;

export type NewestRows<Row extends ListRow> = ReturnType<typeof useNewestRows<Row>>;
export const rowsOf = <Row extends ListRow>({ data }: NewestRows<Row>): Row[] => data?.rows ?? [];

/** The newest 500 rows of a list. A `queue` is fetched whole, and its oldest row is the first. */
export function useNewestRows<Row extends ListRow>(
  path: ListPath,
  options: { everyMs?: number | false; filter?: Filter; power?: Power; queue?: boolean } = {},
) {
  const { everyMs = false, filter = {}, power, queue = false } = options;
  const session = useSession();
  return useQuery({
    queryKey: [...path, filter] as const,
    queryFn: async ({ signal }) => {
      const fetchPage = (page: number, pageSize: number) =>
        get<Row[]>([...path, { ...filter, page, pageSize }], signal);
      const { rows, isWhole } = await newestRows(fetchPage, queue ? {} : { pages: NEWEST_PAGES });
      return { rows: queue ? rows.reverse() : rows, isWhole };
    },
    enabled: power === undefined || hasPower(session, [power]),
    refetchInterval: everyMs,
    refetchOnMount: 'always',
  });
}

export type PagedRows<Row extends ListRow> = ReturnType<typeof usePagedRows<{ total: number }, Row>>;

export function usePagedRows<Result extends { total: number }, Row extends ListRow>(
  path: ListPath,
  rowsOf: (response: Result) => Row[],
  options: { everyMs?: number | false; filter?: Filter; pageSize?: number } = {},
) {
  const { everyMs = false, filter = {}, pageSize = LIST_PAGE_SIZE } = options;
  const filterKey = JSON.stringify(filter);
  const [turned, setTurned] = useState({ filterKey, page: 1 });
  const page = turned.filterKey === filterKey ? turned.page : 1;
  const setPage = (next: number) => setTurned({ filterKey, page: next });
  const fetchPage = async (parameters: { page: number; pageSize: number }, signal?: AbortSignal) => {
    const response = await get<Result>([...path, { ...filter, ...parameters }], signal);
    return { ...response, rows: rowsOf(response) };
  };
  const query = useQuery({
    queryKey: [...path, { ...filter, page, pageSize }] as const,
    queryFn: ({ signal }) => fetchPage({ page, pageSize }, signal),
    refetchInterval: everyMs,
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
  const pages = Math.ceil((query.data?.total ?? 0) / pageSize);
  const fetchAll = async () =>
    (await newestRows(async (page, pageSize) => (await fetchPage({ page, pageSize })).rows)).rows;
  return { query, page, pages, setPage, fetchAll };
}

export type ListRow = { id: string } | { paymentId: string };
export const rowId = (row: ListRow): string => ('id' in row ? row.id : row.paymentId);

/** Fetches a list page by page, newest rows first. A row that slides onto the next page meanwhile is returned once. */
export async function newestRows<Row extends ListRow>(
  fetchPage: (page: number, pageSize: number) => Promise<Row[]>,
  { pages = Number.POSITIVE_INFINITY, pageSize = MAX_PAGE_SIZE } = {},
): Promise<{ rows: Row[]; isWhole: boolean }> {
  const rows = new Map<string, Row>();
  for (let page = 1; page <= pages; page += 1) {
    const response = await fetchPage(page, pageSize);
    const before = rows.size;
    for (const row of response) rows.set(rowId(row), row);
    // A list without pages returns the same rows for every page.
    if (response.length < pageSize || rows.size === before) return { rows: [...rows.values()], isWhole: true };
  }
  return { rows: [...rows.values()], isWhole: false };
}

/** The rows that contain every word of the search in any column, exported columns included. */
export function matching<Row>(rows: readonly Row[], columns: readonly Column<Row>[], search: string): Row[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [...rows];
  return rows.filter((row) => {
    const text = columns
      .map((column) => `${cellText(column, row)}\n${column.value(row) ?? ''}`)
      .join('\n')
      .toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

export function pageOf<Row>(rows: readonly Row[], page: number, size: number) {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const existing = Math.min(Math.max(1, page), pages);
  return { page: existing, pages, rows: rows.slice((existing - 1) * size, existing * size) };
}
