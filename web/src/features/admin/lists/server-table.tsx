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
  empty: string;
  page: number;
  pages: number;
  onPage: (page: number) => void;
  actions?: (row: Row) => ReactNode;
  /** Stands before the tools: a search that the server does. */
  search?: ReactNode;
}

/** A list of which one page is here. Sorting and exporting reach no further than that, and say so. */
export function ServerTable<Row extends { id: string }>(props: ServerTableProps<Row>) {
  const { name, columns, rows, empty, page, pages, onPage, actions, search } = props;
  const [sort, setSort] = useState<Sort | null>(null);
  const listed = sorted(rows, columns, sort);
  const exported = pages > 1 ? `${name}, page ${page}` : name;
  return (
    <div className="grid gap-4">
      <div className="tools">
        {search}
        {rows.length > 0 && (
          <>
            <SortTool columns={columns} sort={sort} onSort={setSort} />
            <ExportTool name={exported} columns={columns} rows={listed} />
          </>
        )}
      </div>
      {pages > 1 && <p className="t12 dim">Sorting and exporting are of this page.</p>}
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
