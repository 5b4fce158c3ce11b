import { Tabs } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { counted, numberText } from '../format.js';
import { SearchField } from '../ui/controls.js';
import { QueryResult } from '../ui/query-result.js';
import { DataTable, type DataTableProps } from './data-table.js';
import { type ListRow, matching, type NewestRows, type PagedRows, pageOf } from './list-queries.js';

const ROWS_PER_PAGE = 25;

export interface TableProps<Row>
  extends Pick<DataTableProps<Row>, 'name' | 'columns' | 'empty' | 'actions' | 'focusableRows'> {
  /** Replaces the name in the loading and failure texts: "pending deposits". */
  what?: string;
}

/** The browser searches, pages and exports the rows. */
export function NewestTable<Row extends ListRow>({ list, ...props }: TableProps<Row> & { list: NewestRows<Row> }) {
  const { name, what = name.toLowerCase(), columns, empty } = props;
  const [typed, setTyped] = useState('');
  const [wantedPage, setPage] = useState(1);
  const search = typed.trim();
  return (
    <QueryResult query={list} what={what}>
      {({ rows, isWhole }) => {
        if (rows.length === 0) return <p className="empty">{empty}</p>;
        const found = matching(rows, columns, search);
        return (
          <DataTable
            {...props}
            {...pageOf(found, wantedPage, ROWS_PER_PAGE)}
            tool={
              <SearchField
                label={`Search ${what}`}
                value={typed}
                onChange={(text) => {
                  setTyped(text);
                  setPage(1);
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
            {!isWhole && <p className="t14 dim">{`The newest ${numberText(rows.length)} are listed.`}</p>}
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
    <QueryResult query={query} what={table.name.toLowerCase()}>
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
  /** Counted beside the title: "12", or "500+" when older rows are not listed. */
  rows?: { rows: readonly unknown[]; isWhole: boolean } | undefined;
  content: ReactNode;
}

export function listTab<Row extends ListRow>(
  noun: string,
  title: string,
  list: NewestRows<Row>,
  table: Pick<TableProps<Row>, 'columns' | 'empty' | 'actions'>,
): ListTab {
  const [name, what] = [`${noun} ${title.toLowerCase()}`, `${title} ${noun}`.toLowerCase()];
  return { title, rows: list.data, content: <NewestTable list={list} name={name} what={what} {...table} /> };
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
