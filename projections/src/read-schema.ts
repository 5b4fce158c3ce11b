import { CHAIN_START } from '../../domain/ledger/chain.js';
import { inTransaction, isMissingRelation } from '../../event-log/postgres.js';
import type { Db } from './database.js';
import type { View } from './views/view.js';

/*
 * The schema `read`: the views' tables; `views` with each view's version and position; `checkpoint`, the worker's
 * position. There are no migrations: a view with a raised version is rebuilt from the log and swapped in.
 */

export const READ_SCHEMA = 'read';
export const REBUILD_SCHEMA = 'read_rebuild';

/** The position before the first event of the log. */
export const BEGINNING = '-1';

export const isAfter = (position: string, other: string): boolean => BigInt(position) > BigInt(other);

/** Another runner moved the checkpoint: this runner no longer leads. */
export class FenceLost extends Error {}

/** The schema was dropped while the runner worked. */
export class SchemaGone extends Error {}

/** The last event in the tables. Its id and the chain detect another log; both are null before the first event. */
export interface Checkpoint {
  position: string;
  eventId: string | null;
  ledgerChain: string | null;
}

/** Creates missing tables. Returns the checkpoint, and the stale views, which must be rebuilt. */
export async function prepareReadSchema(db: Db, views: readonly View[]) {
  return inTransaction(db, async () => {
    await db.query(`
      CREATE SCHEMA IF NOT EXISTS read;
      CREATE TABLE IF NOT EXISTS read.checkpoint (
        id smallint PRIMARY KEY CHECK (id = 1), position bigint NOT NULL, event_id text, ledger_chain text);
      CREATE TABLE IF NOT EXISTS read.views (name text PRIMARY KEY, version integer NOT NULL, position bigint NOT NULL);
      INSERT INTO read.checkpoint (id, position) VALUES (1, ${BEGINNING}) ON CONFLICT DO NOTHING`);
    const checkpoint = await readCheckpoint(db, 'FOR UPDATE');
    const { position } = checkpoint;
    const stale = await staleViews(db, views);
    if (position !== BEGINNING) return { checkpoint, stale };
    for (const view of stale) {
      await makeTables(db, view, READ_SCHEMA);
      await markCurrent(db, view, position);
    }
    return { checkpoint: { ...checkpoint, ledgerChain: CHAIN_START }, stale: [] };
  });
}

/** Reads the last event in the serving tables. `FOR UPDATE` stops the worker's progress until the end of the transaction. */
export async function readCheckpoint(db: Db, lock: 'FOR UPDATE' | '' = ''): Promise<Checkpoint> {
  const { rows } = await db.query<Checkpoint>(
    `SELECT position, event_id AS "eventId", ledger_chain AS "ledgerChain" FROM read.checkpoint ${lock}`,
  );
  if (!rows[0]) throw new SchemaGone('read.checkpoint is empty');
  return rows[0];
}

/** Moves the checkpoint, or throws FenceLost. The transaction's first statement: others wait for its lock. */
export async function moveCheckpoint(db: Db, from: string, to: Checkpoint): Promise<void> {
  try {
    const { rowCount } = await db.query(
      'UPDATE read.checkpoint SET position = $2, event_id = $3, ledger_chain = $4 WHERE position = $1',
      [from, to.position, to.eventId, to.ledgerChain],
    );
    if (rowCount !== 1) throw new FenceLost(`the checkpoint is no longer at ${from}`);
  } catch (error) {
    if (isMissingRelation(error)) throw new SchemaGone('schema read is gone', { cause: error });
    throw error;
  }
}

/** Moves and returns the views at `from`; after the checkpoint's lock, to see those that were just swapped in. */
export async function moveViews(db: Db, views: readonly View[], from: string, to: string): Promise<View[]> {
  const { rows } = await db.query<{ name: string }>(
    `UPDATE read.views SET position = $2 FROM unnest($3::text[], $4::int[]) AS view (name, version)
     WHERE views.position = $1 AND views.name = view.name AND views.version = view.version RETURNING views.name`,
    [from, to, views.map(({ name }) => name), views.map(({ version }) => version)],
  );
  const moved = new Set(rows.map(({ name }) => name));
  return views.filter(({ name }) => moved.has(name));
}

/** Tells the api nodes the checkpoint, and before it the positions of the views that are behind it, as `journal@77 winners@120`. */
export async function notifyPositions(db: Db): Promise<void> {
  await db.query(
    `SELECT pg_notify('projections_lagging', coalesce(string_agg(name || '@' || views.position, ' '), '')),
       pg_notify('projections', checkpoint.position::text)
     FROM read.checkpoint LEFT JOIN read.views ON views.position < checkpoint.position GROUP BY checkpoint.position`,
  );
}

export async function makeTables(db: Db, view: View, schema: string): Promise<void> {
  await dropTables(db, view, schema);
  await db.query(`SET LOCAL search_path TO ${schema}`);
  await db.query(view.ddl);
}

export async function dropTables(db: Db, view: View, schema: string): Promise<void> {
  for (const table of view.tables) await db.query(`DROP TABLE IF EXISTS ${schema}.${table} CASCADE`);
}

/** The position of the tables that serve for these views; null when none serves, or they are at different ones. */
export async function servingPosition(db: Db, views: readonly View[]): Promise<string | null> {
  const { rows } = await db.query<{ position: string }>(
    'SELECT DISTINCT position FROM read.views WHERE name = ANY ($1)',
    [views.map(({ name }) => name)],
  );
  return rows.length === 1 ? (rows[0]?.position ?? null) : null;
}

/** Columns with the same name and type in both schemas, with commas between; empty when a table is missing. */
export async function commonColumns(db: Db, table: string): Promise<string> {
  const { rows } = await db.query<{ columns: string }>(
    `SELECT coalesce(string_agg(quote_ident(column_name), ', ' ORDER BY column_name), '') AS columns FROM (
       SELECT column_name FROM information_schema.columns WHERE table_schema IN ($1, $2) AND table_name = $3
       GROUP BY column_name, udt_name HAVING count(*) = 2) AS common`,
    [READ_SCHEMA, REBUILD_SCHEMA, table],
  );
  return rows[0]?.columns ?? '';
}

/** The views that are missing, or serve in another version or at another position. */
async function staleViews(db: Db, views: readonly View[]): Promise<View[]> {
  const { rows: relations } = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace('read')`,
  );
  const present = new Set(relations.map(({ name }) => name));
  const { rows: serving } = await db.query<{ name: string; version: number }>(
    'SELECT name, version FROM read.views JOIN read.checkpoint USING (position)',
  );
  const versions = new Map(serving.map(({ name, version }) => [name, version]));
  return views.filter(
    ({ name, version, tables }) => versions.get(name) !== version || tables.some((table) => !present.has(table)),
  );
}

export async function swapIn(db: Db, view: View, position: string): Promise<void> {
  await dropTables(db, view, READ_SCHEMA);
  for (const table of view.tables) await db.query(`ALTER TABLE ${REBUILD_SCHEMA}.${table} SET SCHEMA ${READ_SCHEMA}`);
  await markCurrent(db, view, position);
}

async function markCurrent(db: Db, view: View, position: string): Promise<void> {
  await db.query(
    `INSERT INTO read.views (name, version, position) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET version = excluded.version, position = excluded.position`,
    [view.name, view.version, position],
  );
}
