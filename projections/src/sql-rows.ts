import { tableOf } from './columns.js';
import type { Db } from './database.js';

/* Array literals for whole columns: the driver's work per element would be most of the worker's time. */

export function integers(values: readonly (number | string | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

export function texts(values: readonly (string | null)[]): string {
  return `{${values.map(textElement).join(',')}}`;
}

/** Text that needs no quotes: letters, digits and the marks of ids, accounts and email addresses, but not NULL. */
const PLAIN = /^(?!null$)[\w:.@-]+$/i;

function textElement(value: string | null): string {
  if (value === null) return 'NULL';
  return PLAIN.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

type IntegerType = 'smallint' | 'integer' | 'bigint';
type TextType = 'text' | 'uuid' | 'jsonb' | 'date' | 'boolean';

/** The Postgres type and the column's value of a row, by column name. */
export type Columns<R> = Record<
  string,
  [IntegerType, (row: R) => number | string | null] | [TextType, (row: R) => string | boolean | null]
>;

const isInteger = (type: string): type is IntegerType => type === 'smallint' || type === 'integer' || type === 'bigint';

/** SQL that makes rows a table, for `… FROM ${sql}`, and its parameters $1, $2 … */
export function sqlRows<R>(name: string, rows: readonly R[], columns: Columns<R>) {
  const all = Object.entries(columns);
  const arrays = all.map(([, [type]], index) => `$${index + 1}::${type}[]`).join(', ');
  const parameters = all.map(([, [type, read]]) => {
    if (isInteger(type)) return integers(rows.map((row) => read(row) as number | string | null));
    return texts(rows.map((row) => read(row)?.toString() ?? null));
  });
  return { sql: `unnest(${arrays}) AS ${name} (${Object.keys(columns).join(', ')})`, parameters };
}

/** Updates in one statement the rows whose first column matches; no two rows may have the same value there. */
export async function updateRows<R>(db: Db, table: string, rows: readonly R[], columns: Columns<R>): Promise<void> {
  if (rows.length === 0) return;
  const [key, ...others] = Object.keys(columns);
  const { sql, parameters } = sqlRows('changed', rows, columns);
  const changes = others.map((name) => `${name} = changed.${name}`).join(', ');
  await db.query(`UPDATE ${table} SET ${changes} FROM ${sql} WHERE ${table}.${key} = changed.${key}`, parameters);
}

/** Inserts rows in one statement. @param ending ORDER BY or ON CONFLICT clause */
export async function insertRows<R>(db: Db, table: string, rows: readonly R[], columns: Columns<R>, ending = '') {
  if (rows.length === 0) return;
  const names = Object.keys(columns).join(', ');
  const { sql, parameters } = sqlRows('inserted', rows, columns);
  await db.query(`INSERT INTO ${table} (${names}) SELECT ${names} FROM ${sql} ${ending}`, parameters);
}

/** Inserts rows of an entity in one statement. All rows have the same properties; the other columns get their defaults. */
export async function insertEntities<R extends object>(
  db: Db,
  entity: new () => R,
  rows: readonly Partial<R>[],
  ending?: string,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const { table, columns } = tableOf(entity);
  const given = columns.filter(({ propertyName }) => propertyName in first);
  const entries = given.map(({ name, type, propertyName }) => {
    const read = (row: Partial<R>) => row[propertyName as keyof R] ?? null;
    const readJson = (row: Partial<R>) => read(row) && JSON.stringify(read(row));
    return [name, [type, type === 'jsonb' ? readJson : read]];
  });
  await insertRows(db, table, rows, Object.fromEntries(entries) as Columns<Partial<R>>, ending);
}

/** Inserts rows of an entity, or adds their figures to those of the rows with the same keys. */
export function addEntities<R extends object>(db: Db, entity: new () => R, rows: readonly R[]): Promise<void> {
  const { table, columns } = tableOf(entity);
  const keys = columns.filter(({ primary }) => primary).map(({ name }) => name);
  const figures = columns.filter(({ primary }) => !primary);
  const sums = figures.map(({ name }) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');
  return insertEntities(db, entity, rows, `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${sums}`);
}
