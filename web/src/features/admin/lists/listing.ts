import { type Column, shownText } from '../../../shared/lists/columns.js';

export type Direction = 'ascending' | 'descending';

export interface Sort {
  /** The column's label. */
  by: string;
  direction: Direction;
}

const words = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' });

/** The rows in which every word of the search stands somewhere, in whatever column, exported ones included. */
export function matching<Row>(rows: readonly Row[], columns: readonly Column<Row>[], search: string): Row[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [...rows];
  return rows.filter((row) => {
    const text = columns
      .map((column) => `${shownText(column, row)}\n${column.value(row) ?? ''}`)
      .join('\n')
      .toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** Equal rows keep their order; rows without a value stand last, in either direction. */
export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | null): Row[] {
  const column = columns.find(({ label }) => label === sort?.by);
  if (sort === null || column === undefined) return [...rows];
  const turn = sort.direction === 'ascending' ? 1 : -1;
  return [...rows].sort((one, other) => {
    const a = column.value(one);
    const b = column.value(other);
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b));
    return turn * order;
  });
}

/** A first press shows the newest and the largest first, names from A; a second turns it round. */
export function nextSort<Row>(sort: Sort | null, column: Column<Row>): Sort {
  if (sort?.by !== column.label)
    return { by: column.label, direction: column.kind === 'text' ? 'ascending' : 'descending' };
  return { by: column.label, direction: sort.direction === 'ascending' ? 'descending' : 'ascending' };
}

/** Pages are counted from 1; one that no longer exists is the last one. */
export function pageOf<Row>(rows: readonly Row[], page: number, size: number): { page: number; shown: Row[] } {
  const last = Math.max(1, Math.ceil(rows.length / size));
  const existing = Math.min(Math.max(1, page), last);
  return { page: existing, shown: rows.slice((existing - 1) * size, existing * size) };
}
