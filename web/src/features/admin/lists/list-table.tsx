import type { ReactNode } from 'react';
import { reasonOf } from '../../../shared/api/api-error.js';
import { counted } from '../../../shared/format/clock-text.js';
import { toast } from '../../../shared/ui/toasts.js';
import { DataTable, type ShownColumn } from './data-table.js';
import { ExportTool, SearchTool, SortTool } from './list-tools.js';
import { Pages } from './pages.js';
import { useListing } from './use-listing.js';
import type { Older } from './use-newest.js';

interface ListTableProps<Row extends { id: string }> {
  /** Names the table, its pages and its exported file. */
  name: string;
  columns: readonly ShownColumn<Row>[];
  rows: readonly Row[];
  /** What would fill it. */
  empty: string;
  searchLabel?: string;
  actions?: (row: Row) => ReactNode;
  /** Given while there are older rows than those listed. */
  older?: Older<Row> | undefined;
}

/**
 * A list that is searched, sorted and turned over here. Where only its newest rows are here, whoever searches, sorts or
 * exports means all of it: the rest is then listed first.
 */
export function ListTable<Row extends { id: string }>({
  name,
  columns,
  rows,
  empty,
  searchLabel = 'Search',
  actions,
  older,
}: ListTableProps<Row>) {
  const listing = useListing(rows, columns);
  const { search, found } = listing;
  const bringAll = () =>
    older?.listAll().catch((error: unknown) => {
      toast({ title: 'Not All Listed', text: reasonOf(error, 'The older rows could not be loaded'), tone: 'bad' });
    });
  if (rows.length === 0) return <p className="empty">{empty}</p>;
  return (
    <div className="grid gap-4">
      <div className="tools">
        <SearchTool
          label={searchLabel}
          search={search}
          onSearch={(text) => {
            listing.setSearch(text);
            void bringAll();
          }}
        />
        <SortTool
          columns={columns}
          sort={listing.sort}
          onSort={(sort) => {
            listing.setSort(sort);
            void bringAll();
          }}
        />
        <ExportTool
          name={name}
          columns={columns}
          isEmpty={found.length === 0 && older === undefined}
          rows={async () => (older === undefined ? found : listing.of(await older.listAll()))}
        />
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
          onSort={(column) => {
            listing.press(column);
            void bringAll();
          }}
          actions={actions}
        />
      )}
      <Pages label={`Pages of ${name}`} page={listing.page} pages={listing.pages} onPage={listing.setPage} />
      {older && (
        <p className="t14 dim flex flex-wrap items-center gap-4">
          The newest {rows.length.toLocaleString('en-US')} are listed.
          <button
            type="button"
            className="btn btn--text btn--sm"
            disabled={older.isComing}
            onClick={() => void bringAll()}
          >
            {older.isComing ? 'Listing all…' : 'List all'}
          </button>
        </p>
      )}
    </div>
  );
}
