import { Column, type ColumnOptions, Entity, getMetadataArgsStorage, type ValueTransformer } from 'typeorm';

/** A row of a table of the schema `read`. TypeORM only reads the table: a view creates it with `createTable`. */
export const ReadTable = (name: string): ClassDecorator => Entity({ schema: 'read', name, synchronize: false });

const columnOf =
  (type: 'text' | 'bigint' | 'integer' | 'smallint' | 'boolean' | 'jsonb' | 'uuid' | 'date', own: ColumnOptions = {}) =>
  (name: string, options: ColumnOptions = {}): PropertyDecorator =>
    Column({ name, type, ...own, ...options } as ColumnOptions);

/** Postgres sends bigint as text. Cents and epoch milliseconds are safe integers; another value is a bug. */
const safeInteger: ValueTransformer = {
  to: (value: number | null) => value,
  from: (value: string | null) => (value === null ? null : toSafeInteger(value)),
};

export const column = {
  text: columnOf('text'),
  textArray: columnOf('text', { array: true }),
  bigint: columnOf('bigint', { transformer: safeInteger }),
  /** A log position, which may exceed a safe integer: it stays text. */
  position: columnOf('bigint'),
  integer: columnOf('integer'),
  smallint: columnOf('smallint'),
  boolean: columnOf('boolean'),
  json: columnOf('jsonb'),
  uuid: columnOf('uuid'),
  date: columnOf('date'),
};

export function tableOf(entity: new () => object) {
  const { tables, columns } = getMetadataArgsStorage();
  const own = columns.filter(({ target }) => target === entity);
  const table = tables.find(({ target }) => target === entity)?.name ?? entity.name;
  return { table, columns: own.map(({ propertyName, options }) => ({ propertyName, ...options })) };
}

/** SQL that creates the table of an entity. `fillfactor` is in percent. */
export function createTable(entity: new () => object, { fillfactor }: { fillfactor?: number } = {}): string {
  const { table, columns } = tableOf(entity);
  const lines = columns.map(({ name, type, array, nullable, unique, default: value }) =>
    [
      `${name} ${type}${array ? '[]' : ''}`,
      nullable ? '' : 'NOT NULL',
      unique ? 'UNIQUE' : '',
      value === undefined ? '' : `DEFAULT ${value}`,
    ].join(' '),
  );
  const key = columns.filter(({ primary }) => primary).map(({ name }) => name);
  const storage = fillfactor === undefined ? '' : ` WITH (fillfactor = ${fillfactor})`;
  return `CREATE TABLE ${table} (${lines.join(', ')}, PRIMARY KEY (${key.join(', ')}))${storage};`;
}

export function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is not a safe integer`);
  return value;
}
