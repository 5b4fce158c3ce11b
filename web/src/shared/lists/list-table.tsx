import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import type { Power } from '../../../../contracts/ids.js';
import { LIST_PAGE_SIZE, MAX_PAGE_SIZE } from '../../../../contracts/limits.js';
import { get } from '../api/api-client.js';
import { type Column, cellText } from '../files.js';
import { counted, numberText } from '../format.js';
import { useSession } from '../session.queries.js';
import { hasPower } from '../ui/admin-parts.js';
import { Button, Field } from '../ui/controls.js';
import { QueryResult } from '../ui/query-result.js';
import { DataTable, type DataTableProps, type ListRow, rowId } from './data-table.js';

/*
 * Lists come by pages in three ways. `useNewestRows`: the browser searches and exports, and refetches all it lists. `usePagedRows`:
 * the server searches, and one page is shown. `Pages` (pages.tsx): the reader adds page after page, and has no search.
 * Two fetch their pages themselves: the statement, whose pages share one `asOf`, and the round, whose result comes with each page.
 */

type ListPath = readonly [string, ...string[]];
type Filter = Record<string, string>;

/** Specification §9, polling: pending deposits every 10 seconds, the other polled lists every 30. */
export const POLLED_EVERY_MS = 30_000;
/** 500 rows, until the admin searches, or asks for all of them. */
const FIRST_PAGES = 5;

export type NewestRows<Row extends ListRow> = ReturnType<typeof useNewestRows<Row>>;
export const rowsOf = <Row extends ListRow>({ data }: NewestRows<Row>): Row[] => data?.rows ?? [];

/** The newest 500 rows of a list, and all of them on demand. A `queue` is fetched whole, and its oldest row is the first. */
export function useNewestRows<Row extends ListRow>(
  path: ListPath,
  options: { everyMs?: number | false; filter?: Filter; power?: Power; queue?: boolean } = {},
) {
  const { everyMs = false, filter = {}, power, queue = false } = options;
  const session = useSession();
  const [wantsAll, setWantsAll] = useState(queue);
  const query = useQuery({
    queryKey: [...path, { ...filter, all: wantsAll }] as const,
    queryFn: async ({ signal }) => {
      const fetchPage = (page: number, pageSize: number) =>
        get<Row[]>([...path, { ...filter, page, pageSize }], signal);
      const { rows, isWhole } = await newestRows(fetchPage, wantsAll ? {} : { pages: FIRST_PAGES });
      return { rows: queue ? rows.reverse() : rows, isWhole };
    },
    enabled: power === undefined || hasPower(session, [power]),
    refetchInterval: everyMs,
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
  return { ...query, listAll: () => setWantsAll(true) };
}

type PagedRows<Row extends ListRow> = ReturnType<typeof usePagedRows<{ total: number }, Row>>;

export function usePagedRows<Result extends { total: number }, Row extends ListRow>(
  path: ListPath,
  rowsIn: (response: Result) => Row[],
  options: { everyMs?: number | false; filter?: Filter; pageSize?: number } = {},
) {
  const { everyMs = false, filter = {}, pageSize = LIST_PAGE_SIZE } = options;
  const filterKey = JSON.stringify(filter);
  const [turned, setTurned] = useState({ filterKey, page: 1 });
  const page = turned.filterKey === filterKey ? turned.page : 1;
  const setPage = (next: number) => setTurned({ filterKey, page: next });
  const fetchPage = async (parameters: { page: number; pageSize: number }, signal?: AbortSignal) => {
    const response = await get<Result>([...path, { ...filter, ...parameters }], signal);
    return { ...response, rows: rowsIn(response) };
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
export function rowsMatching<Row>(rows: readonly Row[], columns: readonly Column<Row>[], search: string): Row[] {
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

const ROWS_PER_PAGE = 25;

export interface TableProps<Row>
  extends Pick<DataTableProps<Row>, 'name' | 'columns' | 'empty' | 'actions' | 'focusableRows'> {
  /** Replaces the name in the loading and failure texts: "pending deposits". */
  noun?: string;
}

/** The browser searches, pages and exports the rows. A search first fetches the older ones. */
export function NewestTable<Row extends ListRow>({ list, ...props }: TableProps<Row> & { list: NewestRows<Row> }) {
  const { name, noun = name.toLowerCase(), columns, empty } = props;
  const [typed, setTyped] = useState('');
  const [wantedPage, setPage] = useState(1);
  const search = typed.trim();
  return (
    <QueryResult query={list} noun={noun}>
      {({ rows, isWhole }) => {
        if (rows.length === 0) return <p className="empty">{empty}</p>;
        const found = rowsMatching(rows, columns, search);
        return (
          <DataTable
            {...props}
            {...pageOf(found, wantedPage, ROWS_PER_PAGE)}
            tool={
              <Field
                type="search"
                label={`Search ${noun}`}
                value={typed}
                onChange={(text) => {
                  setTyped(text);
                  setPage(1);
                  if (!isWhole) list.listAll();
                }}
              />
            }
            note={
              <p className={search === '' ? 'sr' : 't14 dim num'} aria-live="polite">
                {search !== '' && `${numberText(found.length)} of ${counted(rows.length, 'row')}`}
              </p>
            }
            empty={`Nothing here contains “${search}”.`}
            fetchRows={async () => found}
            onPage={setPage}
          >
            {!isWhole && (
              <p className="t14 dim flex flex-wrap items-center gap-4">
                <span>{`The newest ${numberText(rows.length)} are listed.`}</span>
                <Button
                  kind="text sm"
                  text="List all"
                  busy={list.isPlaceholderData && 'Listing all…'}
                  onClick={list.listAll}
                />
              </p>
            )}
          </DataTable>
        );
      }}
    </QueryResult>
  );
}

interface PagedTableProps<Row extends ListRow> extends TableProps<Row> {
  list: PagedRows<Row>;
  tool: ReactNode;
}

/** The server filters and pages the list. The export covers all pages. */
export function PagedTable<Row extends ListRow>({ list, ...table }: PagedTableProps<Row>) {
  const { query, page, pages, setPage, fetchAll } = list;
  return (
    <QueryResult query={query} noun={table.name.toLowerCase()}>
      {({ rows }) => (
        <DataTable
          {...table}
          page={page}
          pages={pages}
          rows={rows}
          note={pages > 1 && <p className="t14 dim">The export covers every page.</p>}
          fetchRows={fetchAll}
          onPage={setPage}
        />
      )}
    </QueryResult>
  );
}

interface ListTab {
  title: string;
  /** Counted beside the title: "12", or "500+" while older rows are not listed. */
  rows?: { rows: readonly unknown[]; isWhole: boolean } | undefined;
  content: ReactNode;
}

export function listTab<Row extends ListRow>(
  kind: string,
  title: string,
  list: NewestRows<Row>,
  table: Pick<TableProps<Row>, 'columns' | 'empty' | 'actions'>,
): ListTab {
  const name = `${kind} ${title.toLowerCase()}`;
  const noun = `${title} ${kind}`.toLowerCase();
  return { title, rows: list.data, content: <NewestTable list={list} name={name} noun={noun} {...table} /> };
}

export const ListTabs = ({ label, tabs }: { label: string; tabs: readonly ListTab[] }) => (
  <Tabs.Root defaultValue={tabs[0]?.title} className="grid gap-4">
    <Tabs.List className="tabs" aria-label={label}>
      {tabs.map(({ title, rows }) => (
        <Tabs.Trigger key={title} value={title}>
          {title}
          {rows && <sup>{`${numberText(rows.rows.length)}${rows.isWhole ? '' : '+'}`}</sup>}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
    {tabs.map(({ title, content }) => (
      <Tabs.Content key={title} value={title} tabIndex={-1}>
        {content}
      </Tabs.Content>
    ))}
  </Tabs.Root>
);
