import { formatCents } from '../../../../contracts/money.js';
import { momentText } from '../format/time-text.js';

export type Value = string | number | null;

/**
 * One column of a back office list. `value` is what it is sorted by: text, cents, or epoch milliseconds; what is shown,
 * searched and exported is made from it.
 */
export interface Column<Row> {
  label: string;
  kind: 'text' | 'cents' | 'moment';
  value: (row: Row) => Value;
  /** In the exported file only: what a row has no room for. */
  exportOnly?: boolean;
}

/** As a person reads it: $1,204.66; Oct 14, 8:52 PM. Nothing is nothing. */
export function shownText<Row>({ kind, value }: Column<Row>, row: Row): string {
  const content = value(row);
  if (typeof content !== 'number') return content ?? '';
  return kind === 'cents' ? formatCents(content) : kind === 'moment' ? momentText(content) : String(content);
}

/** The first and the last characters of what is too long for a row, such as a wallet address. */
export function shortened(text: string, kept = 4): string {
  return text.length <= 2 * kept + 3 ? text : `${text.slice(0, kept)}…${text.slice(-kept)}`;
}
