import { MAX_PAGE_SIZE } from '../../../../../contracts/limits.js';
import { type Column, cellText } from '../../../shared/columns.js';

/** A row of a list, with the id that tells it from the other rows. */
export type ListRow = { id: string } | { paymentId: string };
export const rowId = (row: ListRow): string => ('id' in row ? row.id : row.paymentId);

/**
 * Fetches a list page by page, newest rows first, up to `pages` pages. `isWhole` is false when more pages exist. A row
 * that slides onto the next page between two requests is returned once.
 */
export async function newestRows<Row extends ListRow>(
  fetchPage: (page: number, pageSize: number) => Promise<Row[]>,
  { pages = Number.POSITIVE_INFINITY, pageSize = MAX_PAGE_SIZE } = {},
): Promise<{ rows: Row[]; isWhole: boolean }> {
  const rows = new Map<string, Row>();
  for (let page = 1; page <= pages; page += 1) {
    const answer = await fetchPage(page, pageSize);
    const before = rows.size;
    for (const row of answer) rows.set(rowId(row), row);
    // A list without pages returns the same rows for every page.
    if (answer.length < pageSize || rows.size === before) return { rows: [...rows.values()], isWhole: true };
  }
  return { rows: [...rows.values()], isWhole: false };
}

export interface Sort {
  by: string;
  direction: 'ascending' | 'descending';
}

const collator = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' });

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

/** Stable: equal rows keep their order. Rows without a value come last in both directions. */
export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | null): Row[] {
  const column = columns.find(({ label }) => label === sort?.by);
  if (sort === null || column === undefined) return [...rows];
  const sign = sort.direction === 'ascending' ? 1 : -1;
  return [...rows].sort((one, other) => {
    const a = column.value(one);
    const b = column.value(other);
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b)));
  });
}

/** A first press sorts amounts and times descending, and text ascending; a second press reverses the order. */
export function nextSort<Row>(sort: Sort | null, { label, kind }: Column<Row>): Sort {
  const isDescending = sort?.by === label ? sort.direction === 'ascending' : kind !== 'text';
  return { by: label, direction: isDescending ? 'descending' : 'ascending' };
}

/** Pages count from 1. A page past the end becomes the last page. */
export function pageOf<Row>(rows: readonly Row[], page: number, size: number) {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const existing = Math.min(Math.max(1, page), pages);
  return { page: existing, pages, rows: rows.slice((existing - 1) * size, existing * size) };
}
