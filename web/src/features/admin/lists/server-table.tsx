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
}

/** A list of which one page is here. Sorting and exporting reach no further than that, and say so. */
export function ServerTable<Row extends { id: string }>(props: ServerTableProps<Row>) {
  const { name, columns, rows, empty, page, pages, onPage, actions } = props;
  const [sort, setSort] = useState<Sort | null>(null);
  const listed = sorted(rows, columns, sort);
  const exported = pages > 1 ? `${name}, page ${page}` : name;
  return (
    <div className="grid gap-4">
      {rows.length > 0 && (
        <div className="flex flex-wrap items-end justify-between gap-3">
          <SortTool columns={columns} sort={sort} onSort={setSort} />
          <p className="t14 dim">{pages > 1 && 'Sorted and exported is what this page lists.'}</p>
          <ExportTool name={exported} columns={columns} rows={listed} />
        </div>
      )}
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
