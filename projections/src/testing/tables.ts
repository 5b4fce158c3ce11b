import type { Db } from '../database.js';
import { allViews } from '../views/all-views.js';
import type { View } from '../views/view.js';

/** Everything in the views' tables, as text, in an order that does not depend on how the rows came to be. */
export async function contents(db: Db, views: readonly View[] = allViews): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const table of views.flatMap((view) => view.tables)) {
    const { rows } = await db.query<{ row: string }>(`SELECT t::text AS row FROM read.${table} AS t ORDER BY 1`);
    tables[table] = rows.map(({ row }) => row);
  }
  return tables;
}

/** Resolves once the condition holds; fails the test when it never does. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
