import { type Db, inTransaction, isMissingRelation } from './database.js';
import type { View } from './views/view.js';

/*
 * The schema `read`: the views' tables, `views` with each view's version and how far it has come, and `checkpoint`, one
 * row, how far the worker has come.
 *
 * Each view owns its DDL; there are no migrations. A read model is never altered, only rebuilt from the log: a changed
 * view raises its version, is built aside from nothing and swapped in, so a path from one shape to the next would be
 * code that nothing ever needs.
 */

export const READ_SCHEMA = 'read';
export const ASIDE_SCHEMA = 'read_aside';

/** Before the first event of the log. */
export const BEGINNING = '-1';

export const isAfter = (position: string, other: string): boolean => BigInt(position) > BigInt(other);

/** Someone else moved the checkpoint: this runner is not the one that writes. */
export class FenceLost extends Error {}

/** The schema went away under the runner. */
export class SchemaGone extends Error {}

/** Makes what is missing, and tells where to go on from and which views cannot serve as they are. */
export async function prepareReadSchema(
  db: Db,
  views: readonly View[],
): Promise<{ position: string; stale: readonly View[] }> {
  return inTransaction(db, async () => {
    await db.query(`
      CREATE SCHEMA IF NOT EXISTS read;
      CREATE TABLE IF NOT EXISTS read.checkpoint (id smallint PRIMARY KEY CHECK (id = 1), position bigint NOT NULL);
      CREATE TABLE IF NOT EXISTS read.views (name text PRIMARY KEY, version integer NOT NULL, position bigint NOT NULL);
      INSERT INTO read.checkpoint VALUES (1, ${BEGINNING}) ON CONFLICT DO NOTHING`);
    const position = await lockCheckpoint(db);
    const stale: View[] = [];
    for (const view of views) if (!(await isCurrent(db, view, position))) stale.push(view);
    if (position !== BEGINNING) return { position, stale };
    for (const view of stale) {
      await makeTables(db, view, READ_SCHEMA);
      await markCurrent(db, view, position);
    }
    return { position, stale: [] };
  });
}

/** Holds the worker's progress still until the end of the transaction. */
export async function lockCheckpoint(db: Db): Promise<string> {
  const { rows } = await db.query<{ position: string }>('SELECT position FROM read.checkpoint FOR UPDATE');
  return checkpointOf(rows);
}

export async function readCheckpoint(db: Db): Promise<string> {
  const { rows } = await db.query<{ position: string }>('SELECT position FROM read.checkpoint');
  return checkpointOf(rows);
}

function checkpointOf(rows: { position: string }[]): string {
  if (!rows[0]) throw new SchemaGone('read.checkpoint is empty');
  return rows[0].position;
}

/**
 * Moves the checkpoint, or throws FenceLost when it is not where this runner left it. To be the transaction's first
 * statement: it is the lock that rebuilds and other runners wait for.
 */
export async function moveCheckpoint(db: Db, from: string, to: string): Promise<void> {
  try {
    const { rowCount } = await db.query('UPDATE read.checkpoint SET position = $2 WHERE position = $1', [from, to]);
    if (rowCount !== 1) throw new FenceLost(`the checkpoint is no longer at ${from}`);
    await db.query("SELECT pg_notify('projections', $1)", [to]);
  } catch (error) {
    if (isMissingRelation(error)) throw new SchemaGone('schema read is gone', { cause: error });
    throw error;
  }
}

/**
 * Moves those views along that are of this version and were at `from`, and returns them. A statement of its own, after
 * the checkpoint's lock is held, so that it sees what a rebuild has just swapped in.
 */
export async function moveViews(db: Db, views: readonly View[], from: string, to: string): Promise<View[]> {
  const { rows } = await db.query<{ name: string }>(
    `UPDATE read.views SET position = $2 FROM unnest($3::text[], $4::int[]) AS ours (name, version)
     WHERE views.position = $1 AND views.name = ours.name AND views.version = ours.version RETURNING views.name`,
    [from, to, views.map(({ name }) => name), views.map(({ version }) => version)],
  );
  const moved = new Set(rows.map(({ name }) => name));
  return views.filter(({ name }) => moved.has(name));
}

export async function makeTables(db: Db, view: View, schema: string): Promise<void> {
  await dropTables(db, view, schema);
  await db.query(`SET LOCAL search_path TO ${schema}`);
  await db.query(view.ddl);
}

export async function dropTables(db: Db, view: View, schema: string): Promise<void> {
  for (const table of view.tables) await db.query(`DROP TABLE IF EXISTS ${schema}.${table} CASCADE`);
}

/** Puts the tables built aside in the place of those that serve. */
export async function swapIn(db: Db, view: View, position: string): Promise<void> {
  await dropTables(db, view, READ_SCHEMA);
  for (const table of view.tables) await db.query(`ALTER TABLE ${ASIDE_SCHEMA}.${table} SET SCHEMA ${READ_SCHEMA}`);
  await markCurrent(db, view, position);
}

async function markCurrent(db: Db, view: View, position: string): Promise<void> {
  await db.query(
    `INSERT INTO read.views (name, version, position) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET version = excluded.version, position = excluded.position`,
    [view.name, view.version, position],
  );
}

async function isCurrent(db: Db, view: View, position: string): Promise<boolean> {
  const { rows } = await db.query<{ current: boolean }>(
    `SELECT count(*) = 1 AND bool_and(version = $2 AND position = $3)
       AND (SELECT bool_and(to_regclass('read.' || name) IS NOT NULL) FROM unnest($4::text[]) AS name) AS current
     FROM read.views WHERE name = $1`,
    [view.name, view.version, position, view.tables],
  );
  return rows[0]?.current ?? false;
}
