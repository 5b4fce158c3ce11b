/*
 * Postgres array literals for whole columns. The driver writes them too, but element by element; for the journal's
 * hundred thousand rows a second that was most of the worker's time.
 */

/** Integers, as numbers or decimal strings. */
export function integers(values: readonly (number | string | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** Any text; null is NULL. */
export function texts(values: readonly (string | null)[]): string {
  return `{${values.map(textElement).join(',')}}`;
}

/** Letters, digits and the marks of ids, accounts and email addresses need no quotes, but for the word NULL. */
const PLAIN = /^(?!null$)[\w:.@-]+$/i;

function textElement(value: string | null): string {
  if (value === null) return 'NULL';
  return PLAIN.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}
