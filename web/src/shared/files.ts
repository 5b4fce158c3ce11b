import { dayInNewYork } from '../../../contracts/new-york.js';
import { dateTimeText, formatCents, inputFromCents } from './format.js';

/** The beginnings of a cell that spreadsheets read as a formula, full-width forms included (OWASP, CSV injection). */
const FORMULA = /^[\s\u00a0]*[=+\-@\t\r\n＝＋－＠|%]/;

/** A CSV file (RFC 4180), with a byte order mark for Excel. The usual library adds 80 kB of Node's Buffer to the page. */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const header = columns.map(({ label, kind }) => quotedText(kind === 'cents' ? `${label} (USD)` : label));
  const records = rows.map((row) => columns.map((column) => cell(column, row)));
  return `\ufeff${[header, ...records].map((fields) => `${fields.join(',')}\r\n`).join('')}`;
}

function cell<Row>({ kind, value }: Column<Row>, row: Row): string {
  const content = value(row);
  if (content === null) return '';
  if (typeof content === 'string') return quotedText(FORMULA.test(content) ? `'${content}` : content);
  if (kind === 'cents') return inputFromCents(content);
  return kind === 'dateTime' ? new Date(content).toISOString() : String(content);
}

const quotedText = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const csvFileName = (list: string, nowMs: number): string =>
  `${list.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${dayInNewYork(nowMs)}.csv`;

type FileType = 'text/csv' | 'application/json' | 'application/octet-stream';

export function saveFile(name: string, text: string, type: FileType): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoked later, because the browser reads the address only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export const saveJson = (name: string, content: object): void =>
  saveFile(name, `${JSON.stringify(content, null, 2)}\n`, 'application/json');

type Value = string | number | null;

/** `value` is text, cents or epoch milliseconds: sorting, the cell's text, the search and the export use it. */
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
  if (kind === 'cents') return formatCents(content);
  return kind === 'dateTime' ? dateTimeText(content) : String(content);
}

const END_LENGTH = 6;

/** The first and the last characters of a long text. */
export const shortened = (text: string): string =>
  text.length <= 2 * END_LENGTH + 3 ? text : `${text.slice(0, END_LENGTH)}…${text.slice(-END_LENGTH)}`;
