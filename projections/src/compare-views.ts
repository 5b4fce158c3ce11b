import { connect, type Db, inTransaction } from './database.js';
import { ASIDE_SCHEMA, dropTables, READ_SCHEMA, readCheckpoint } from './read-schema.js';
import { applyAll, buildAside, type RebuildOptions } from './rebuild-views.js';
import { replay } from './replay.js';
import type { View } from './views/view.js';

export interface TableComparison {
  table: string;
  rows: number;
  /** Rows that serve but that the log does not yield. */
  onlyServing: number;
  /** Rows that the log yields but that do not serve. */
  onlyRebuilt: number;
}

/** Builds views aside and compares them, row for row, with those that serve at the same position. Changes neither. */
export async function compareViews(
  views: readonly View[],
  { databaseUrl, log, signal }: RebuildOptions,
): Promise<TableComparison[]> {
  const db = await connect(databaseUrl, ASIDE_SCHEMA);
  try {
    const position = await buildAside(db, views, { log, signal });
    // One snapshot of what serves, so the worker need not stand still while the rest is replayed and compared.
    const comparisons = await inTransaction(
      db,
      async () => {
        const upTo = await readCheckpoint(db);
        await replay(log, { after: position, upTo }, ({ events }) => applyAll(views, events, db), signal);
        const tables: TableComparison[] = [];
        for (const table of views.flatMap((view) => view.tables)) tables.push(await compareTable(db, table));
        return tables;
      },
      'BEGIN ISOLATION LEVEL REPEATABLE READ',
    );
    await inTransaction(db, async () => {
      for (const view of views) await dropTables(db, view, ASIDE_SCHEMA);
    });
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
