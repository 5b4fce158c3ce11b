import type { ReactNode } from 'react';
import { counted } from '../../../shared/format/clock-text.js';
import { DataTable, type ShownColumn } from './data-table.js';
import { ExportTool, SearchTool, SortTool } from './list-tools.js';
import { Pages } from './pages.js';
import { useListing } from './use-listing.js';

interface ListTableProps<Row extends { id: string }> {
  /** Names the table, its pages and its exported file. */
  name: string;
  columns: readonly ShownColumn<Row>[];
  rows: readonly Row[];
  /** What would fill it. */
  empty: string;
  searchLabel?: string;
  actions?: (row: Row) => ReactNode;
  /** Given while there may be older rows than those listed. */
  onOlder?: (() => void) | undefined;
}

/** A list that is here as a whole: searched, sorted and turned over without asking the server. */
export function ListTable<Row extends { id: string }>({
  name,
  columns,
  rows,
  empty,
  searchLabel = 'Search',
  actions,
  onOlder,
}: ListTableProps<Row>) {
  const listing = useListing(rows, columns);
  const { search, found } = listing;
  if (rows.length === 0) return <p className="empty">{empty}</p>;
  return (
    <div className="grid gap-4">
      <div className="tools">
        <SearchTool label={searchLabel} search={search} onSearch={listing.setSearch} />
        <SortTool columns={columns} sort={listing.sort} onSort={listing.setSort} />
        <ExportTool name={name} columns={columns} rows={found} />
      </div>
      <p className={search.trim() === '' ? 'sr' : 't14 dim num'} aria-live="polite">
        {search.trim() !== '' && `${found.length.toLocaleString('en-US')} of ${counted(rows.length, 'row')}`}
      </p>
      {found.length === 0 ? (
        <p className="empty">Nothing here contains “{search.trim()}”.</p>
      ) : (
        <DataTable
          caption={name}
          columns={columns}
          rows={listing.shown}
          idOf={(row) => row.id}
          sort={listing.sort}
          onSort={listing.press}
          actions={actions}
        />
      )}
      <Pages label={`Pages of ${name}`} page={listing.page} pages={listing.pages} onPage={listing.setPage} />
      {onOlder && (
        <p className="t14 dim flex flex-wrap items-center gap-4">
          The newest {rows.length.toLocaleString('en-US')} are listed.
          <button type="button" className="btn btn--text btn--sm" onClick={onOlder}>
            List older ones too
          </button>
        </p>
      )}
    </div>
  );
}
