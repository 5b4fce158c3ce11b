import { connect, type Db, inTransaction } from './database.js';
import { ASIDE_SCHEMA, dropTables, READ_SCHEMA, readCheckpoint } from './read-schema.js';
import { buildAside, claimAside, type RebuildOptions } from './rebuild-view.js';
import { replay } from './replay.js';
import { projected, type View } from './views/view.js';

export interface TableComparison {
  table: string;
  rows: number;
  /** Rows that serve but that the log does not yield. */
  onlyServing: number;
  /** Rows that the log yields but that do not serve. */
  onlyRebuilt: number;
}

/** Builds a view aside and compares it, row for row, with the one that serves at the same position. Changes neither. */
export async function compareView(
  view: View,
  { databaseUrl, log, signal }: RebuildOptions,
): Promise<TableComparison[]> {
  const db = await connect(databaseUrl, ASIDE_SCHEMA);
  try {
    await claimAside(db, view);
    const position = await buildAside(db, view, { log, signal });
    // One snapshot of what serves, so the worker need not stand still while the rest is replayed and compared.
    const comparisons = await inTransaction(
      db,
      async () => {
        const upTo = await readCheckpoint(db);
        await replay(log, { after: position, upTo }, ({ events }) => view.apply(events.map(projected), db), signal);
        const tables: TableComparison[] = [];
        for (const table of view.tables) tables.push(await compareTable(db, table));
        return tables;
      },
      'BEGIN ISOLATION LEVEL REPEATABLE READ',
    );
    await inTransaction(db, () => dropTables(db, view, ASIDE_SCHEMA));
    return comparisons;
  } finally {
    await db.end();
  }
}

async function compareTable(db: Db, table: string): Promise<TableComparison> {
  const [serving, rebuilt] = [`TABLE ${READ_SCHEMA}.${table}`, `TABLE ${ASIDE_SCHEMA}.${table}`];
  const { rows } = await db.query<{ rows: string; only_serving: string; only_rebuilt: string }>(
    `SELECT (SELECT count(*) FROM (${serving}) AS s) AS rows,
       (SELECT count(*) FROM (${serving} EXCEPT ALL ${rebuilt}) AS s) AS only_serving,
       (SELECT count(*) FROM (${rebuilt} EXCEPT ALL ${serving}) AS r) AS only_rebuilt`,
  );
  const counts = rows[0];
  if (!counts) throw new Error(`${table} could not be counted`);
  return {
    table,
    rows: Number(counts.rows),
    onlyServing: Number(counts.only_serving),
    onlyRebuilt: Number(counts.only_rebuilt),
  };
}
