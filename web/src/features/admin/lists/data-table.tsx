import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Column, shownText } from '../../../shared/lists/columns.js';
import { scrollable } from '../../../shared/ui/scrollable.js';
import type { Sort } from './listing.js';

export interface ShownColumn<Row> extends Column<Row> {
  /** In place of the plain text. */
  cell?: (row: Row) => ReactNode;
  /** The row's name: the headline of a folded row. */
  isKey?: boolean;
  className?: string;
}

interface DataTableProps<Row> {
  caption: string;
  columns: readonly ShownColumn<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  sort: Sort | null;
  onSort: (column: Column<Row>) => void;
  actions?: ((row: Row) => ReactNode) | undefined;
}

/** A table whose headers sort, from 768 px; folded rows below, where a select sorts (list-tools.tsx). */
export function DataTable<Row>({ caption, columns, rows, idOf, sort, onSort, actions }: DataTableProps<Row>) {
  const shown = columns.filter(({ exportOnly }) => !exportOnly);
  return (
    <div className="scroller" {...scrollable(`${caption}, listed`)}>
      <table className="tbl tbl--fold">
        <caption className="sr">{caption}</caption>
        <thead>
          <tr>
            {shown.map((column) => (
              <SortHeader key={column.label} column={column} sort={sort} onSort={onSort} />
            ))}
            {actions && (
              <th>
                <span className="sr">Action</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)}>
              {shown.map((column) => (
                <td key={column.label} data-l={column.label} className={cellClass(column)}>
                  {column.cell ? column.cell(row) : <Plain text={shownText(column, row)} />}
                </td>
              ))}
              {actions && (
                <td className="do">
                  <div className="actions">{actions(row)}</div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SortHeader<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort: Sort | null;
  onSort: (column: Column<Row>) => void;
}) {
  const direction = sort?.by === column.label ? sort.direction : 'none';
  const Icon = direction === 'none' ? ArrowUpDown : direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th aria-sort={direction} className={column.kind === 'cents' ? 'r' : undefined}>
      <button type="button" className="sort" onClick={() => onSort(column)}>
        {column.label}
        <Icon size={14} aria-hidden="true" />
      </button>
    </th>
  );
}

const Plain = ({ text }: { text: string }) => (text === '' ? <span className="dim">none</span> : text);

function cellClass<Row>({ kind, isKey, className }: ShownColumn<Row>): string {
  const classes = [kind === 'cents' ? 'r num' : kind === 'moment' ? 'num' : '', isKey ? 'key' : '', className ?? ''];
  return classes.filter(Boolean).join(' ');
}
