import { formatCents } from '../../../contracts/money.js';
import { dateTimeText } from './format.js';

type Value = string | number | null;

/**
 * One column of a list of the admin or the auditor. `value` is text, cents or epoch milliseconds: sorting, the cell's
 * text, the search and the export use it.
 */
export interface Column<Row> {
  label: string;
  kind: 'text' | 'cents' | 'dateTime';
  value: (row: Row) => Value;
  /** True for columns that the exported file has and the table on screen leaves out. */
  exportOnly?: boolean;
}

/** The cell's text: $1,204.66; Oct 14, 8:52 PM; empty for null. */
export function cellText<Row>({ kind, value }: Column<Row>, row: Row): string {
  const content = value(row);
  if (typeof content !== 'number') return content ?? '';
  return kind === 'cents' ? formatCents(content) : kind === 'dateTime' ? dateTimeText(content) : String(content);
}

/** A long text, such as a wallet address, as its first and last `kept` characters. */
export function shortened(text: string, kept = 4): string {
  return text.length <= 2 * kept + 3 ? text : `${text.slice(0, kept)}…${text.slice(-kept)}`;
}
