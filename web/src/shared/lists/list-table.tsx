import { Tabs } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { reasonOf } from '../api/api-client.js';
import { counted, numberText } from '../format.js';
import { Button, Field } from '../ui/controls.js';
import { QueryResult } from '../ui/query-result.js';
import { toastProblem } from '../ui/toasts.js';
import { DataTable, ExportTool, SortTool, type TableColumn } from './data-table.js';
import { type ListRow, matching, type NewestRows, type PagedRows, pageOf, type Sort, sorted } from './list-queries.js';

const ROWS_PER_PAGE = 25;

interface TableProps<Row> {
  name: string;
  /** For the loading and failure texts, when they do not say the name: "pending deposits". */
  what?: string;
  loadingRows?: number;
  columns: readonly TableColumn<Row>[];
  empty: string;
  actions?: (row: Row) => ReactNode;
}

interface NewestTableProps<Row> extends TableProps<Row> {
  list: NewestRows<Row>;
  searchLabel?: string;
}

/** The browser searches, sorts and pages the list. Searching, sorting and exporting first fetch the older rows. */
export function NewestTable<Row extends ListRow>({ list, searchLabel, ...props }: NewestTableProps<Row>) {
  const { name, what = name.toLowerCase(), loadingRows, columns, empty } = props;
  const { query, older } = list;
  const [typed, setTyped] = useState('');
  const [sort, setSort] = useState<Sort | null>(null);
  const [wantedPage, setPage] = useState(1);
  const search = typed.trim();
  const select = (all: readonly Row[]) => sorted(matching(all, columns, search), columns, sort);
  const fetchOlder = () =>
    older
      ?.fetchAll()
      .catch((error) => toastProblem('Not All Listed', reasonOf(error, 'The older rows could not be loaded')));
  return (
    <QueryResult query={query} what={what} rows={loadingRows}>
      {({ rows }) => {
        if (rows.length === 0) return <p className="empty">{empty}</p>;
        const found = select(rows);
        return (
          <TableLayout
            {...{ ...props, sort }}
            {...pageOf(found, wantedPage, ROWS_PER_PAGE)}
            tool={
              <Field
                label={searchLabel ?? `Search ${what}`}
                type="search"
                value={typed}
                onChange={(event) => {
                  setTyped(event.target.value);
                  setPage(1);
                  void fetchOlder();
                }}
              />
            }
            note={
              <p className={search === '' ? 'sr' : 't14 dim num'} aria-live="polite">
                {search !== '' && `${numberText(found.length)} of ${counted(rows.length, 'row')}`}
              </p>
            }
            empty={`Nothing here contains “${search}”.`}
            canExport={found.length > 0 || older !== undefined}
            fetchRows={async () => (older === undefined ? found : select(await older.fetchAll()))}
            onSort={(next) => {
              setSort(next);
              void fetchOlder();
            }}
            onPage={setPage}
          >
            {older && (
              <p className="t14 dim flex flex-wrap items-center gap-4">
                <span>{`The newest ${numberText(rows.length)} are listed.`}</span>
                <Button
                  kind="text sm"
                  text="List all"
                  busy={older.isLoading && 'Listing all…'}
                  onClick={() => void fetchOlder()}
                />
              </p>
            )}
          </TableLayout>
        );
      }}
    </QueryResult>
  );
}

interface PagedTableProps<Row> extends TableProps<Row> {
  list: PagedRows<Row>;
  tool: ReactNode;
}

/** The server filters and pages the list. Sorting covers the current page; the export covers all pages. */
export function PagedTable<Row extends ListRow>({ list, loadingRows, ...table }: PagedTableProps<Row>) {
  const { query, page, pages, setPage, fetchAll } = list;
  const { name, columns } = table;
  const [sort, setSort] = useState<Sort | null>(null);
  return (
    <QueryResult query={query} what={name.toLowerCase()} rows={loadingRows}>
      {({ rows }) => {
        const listed = sorted(rows, columns, sort);
        return (
          <TableLayout
            {...{ ...table, sort, page, pages }}
            rows={listed}
            note={pages > 1 && <p className="t14 dim">Sorts this page only. Export covers every page.</p>}
            canExport={rows.length > 0}
            fetchRows={async () => (pages > 1 ? sorted(await fetchAll(), columns, sort) : listed)}
            onSort={setSort}
            onPage={setPage}
          />
        );
      }}
    </QueryResult>
  );
}

interface TableLayoutProps<Row> extends Omit<TableProps<Row>, 'what'> {
  rows: readonly Row[];
  tool: ReactNode;
  note: ReactNode;
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
  canExport: boolean;
  fetchRows: () => Promise<readonly Row[]>;
  page: number;
  pages: number;
  onPage: (page: number) => void;
  children?: ReactNode;
}

function TableLayout<Row extends ListRow>(props: TableLayoutProps<Row>) {
  const { name, columns, rows, tool, note, sort, onSort, empty, actions, canExport, fetchRows, page, pages } = props;
  return (
    <div className="grid gap-4">
      <div className="tools">
        {tool}
        <SortTool columns={columns} sort={sort} onSort={onSort} />
        <ExportTool name={name} columns={columns} disabled={!canExport} fetchRows={fetchRows} />
      </div>
      {note}
      {rows.length === 0 ? (
        <p className="empty">{empty}</p>
      ) : (
        <DataTable caption={name} columns={columns} rows={rows} sort={sort} onSort={onSort} actions={actions} />
      )}
      {pages > 1 && (
        <nav className="flex items-center justify-between gap-4" aria-label={`Pages of ${name}`}>
          <Button kind="line sm" text="Previous" disabled={page <= 1} onClick={() => props.onPage(page - 1)} />
          <span className="t14 dim num" aria-live="polite">
            {`Page ${page} of ${numberText(pages)}`}
          </span>
          <Button kind="line sm" text="Next" disabled={page >= pages} onClick={() => props.onPage(page + 1)} />
        </nav>
      )}
      {props.children}
    </div>
  );
}

interface ListTab {
  title: string;
  rows: Countable | undefined;
  content: ReactNode;
}

export interface Countable {
  rows: readonly unknown[];
  isWhole: boolean;
}

export function listTab<Row extends ListRow>(
  noun: string,
  title: string,
  list: NewestRows<Row>,
  table: Pick<TableProps<Row>, 'columns' | 'empty' | 'actions'>,
): ListTab {
  const [name, what] = [`${noun} ${title.toLowerCase()}`, `${title} ${noun}`.toLowerCase()];
  return { title, rows: list.query.data, content: <NewestTable list={list} name={name} what={what} {...table} /> };
}

export const ListTabs = ({ label, tabs }: { label: string; tabs: readonly [ListTab, ...ListTab[]] }) => (
  <Tabs.Root defaultValue={tabs[0].title} className="grid gap-4">
    <Tabs.List className="tabs" aria-label={label}>
      {tabs.map(({ title, rows }) => (
        <Tabs.Trigger key={title} value={title}>
          {title}
          {rows && <sup>{countText(rows)}</sup>}
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

/** "12", or "500+" while older rows are not loaded. */
export const countText = ({ rows, isWhole }: Countable): string => `${numberText(rows.length)}${isWhole ? '' : '+'}`;
