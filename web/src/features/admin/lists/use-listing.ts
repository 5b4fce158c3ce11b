import { useState } from 'react';
import type { Column } from '../../../shared/lists/columns.js';
import { matching, nextSort, pageOf, type Sort, sorted } from './listing.js';

const ROWS_PER_PAGE = 25;

/** What of a list is looked at: searched for, in what order, which page. */
export function useListing<Row>(rows: readonly Row[], columns: readonly Column<Row>[]) {
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort | null>(null);
  const [wantedPage, setPage] = useState(1);
  /** Of any rows those that are looked for, in the order they are looked at. */
  const of = (any: readonly Row[]) => sorted(matching(any, columns, search), columns, sort);
  const found = of(rows);
  const { page, shown } = pageOf(found, wantedPage, ROWS_PER_PAGE);
  return {
    search,
    setSearch: (text: string) => {
      setSearch(text);
      setPage(1);
    },
    sort,
    setSort,
    press: (column: Column<Row>) => setSort(nextSort(sort, column)),
    of,
    found,
    shown,
    page,
    pages: Math.max(1, Math.ceil(found.length / ROWS_PER_PAGE)),
    setPage,
  };
}
