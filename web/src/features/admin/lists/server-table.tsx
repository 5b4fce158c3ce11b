import { type ReactNode, useState } from 'react';
import { DataTable, type ShownColumn } from './data-table.js';
import { ExportTool, SortTool } from './list-tools.js';
import { nextSort, type Sort, sorted } from './listing.js';
import { Pages } from './pages.js';

interface ServerTableProps<Row extends { id: string }> {
  name: string;
  columns: readonly ShownColumn<Row>[];
  /** Those of one page: the server turns the pages. */
  rows: readonly Row[];
  /** Those of all pages, for the exported file. */
  allRows: () => Promise<Row[]>;
  /** What chooses the rows: a search, a select. */
  tool: ReactNode;
  empty: string;
  page: number;
  pages: number;
  onPage: (page: number) => void;
  actions?: (row: Row) => ReactNode;
}

/** A list of which one page is here. Sorting reaches no further than that, and says so; what is exported is all of it. */
export function ServerTable<Row extends { id: string }>(props: ServerTableProps<Row>) {
  const { name, columns, rows, allRows, tool, empty, page, pages, onPage, actions } = props;
  const [sort, setSort] = useState<Sort | null>(null);
  const listed = sorted(rows, columns, sort);
  return (
    <div className="grid gap-4">
      <div className="tools">
        {tool}
        <SortTool columns={columns} sort={sort} onSort={setSort} />
        <ExportTool
          name={name}
          columns={columns}
          isEmpty={rows.length === 0}
          rows={async () => (pages > 1 ? sorted(await allRows(), columns, sort) : listed)}
        />
      </div>
      {pages > 1 && <p className="t14 dim">Sorting is of this page; all pages are exported.</p>}
      {rows.length === 0 ? (
        <p className="empty">{empty}</p>
      ) : (
        <DataTable
          caption={name}
          columns={columns}
          rows={listed}
          idOf={(row) => row.id}
          sort={sort}
          onSort={(column) => setSort(nextSort(sort, column))}
          actions={actions}
        />
      )}
      <Pages label={`Pages of ${name}`} page={page} pages={pages} onPage={onPage} />
    </div>
  );
}
