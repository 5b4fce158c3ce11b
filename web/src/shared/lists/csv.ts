import { dayInNewYork } from '../../../../contracts/new-york.js';
import type { Column } from './columns.js';

/** What spreadsheets take for a formula at the start of a cell, full-width forms included (OWASP, CSV injection). */
const FORMULA = /^[\s\u00a0]*[=+\-@\t\r\n＝＋－＠|%]/;

/**
 * A file of the rows listed (RFC 4180): CRLF after every record, quotes doubled. Amounts are dollars (1204.66), times
 * ISO 8601 in UTC. Begins with a byte order mark, without which Excel reads UTF-8 as something else. Written here
 * because the library for it brings 80 kB of Node's Buffer along.
 */
export function csvOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const header = columns.map(({ label, kind }) => quoted(kind === 'cents' ? `${label} (USD)` : label));
  const records = rows.map((row) => columns.map((column) => cell(column, row)));
  return `\ufeff${[header, ...records].map((fields) => `${fields.join(',')}\r\n`).join('')}`;
}

function cell<Row>({ kind, value }: Column<Row>, row: Row): string {
  const content = value(row);
  if (content === null) return '';
  if (typeof content === 'string') return quoted(FORMULA.test(content) ? `'${content}` : content);
  return kind === 'cents' ? dollars(content) : kind === 'moment' ? new Date(content).toISOString() : String(content);
}

/** 120466 → 1204.66, -5 → -0.05: digits alone, which is no formula whatever its sign. */
function dollars(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const quoted = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** withdrawals-pending-2025-10-14.csv; the day is New York's. */
export function csvFileName(list: string, nowEpochMs: number): string {
  return `${list.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${dayInNewYork(nowEpochMs)}.csv`;
}
