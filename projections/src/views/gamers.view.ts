import type { GamerId } from '../../../contracts/ids.js';
import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { insertEntities, sqlRows, texts } from '../sql-rows.js';
import { GamerRow } from './tables.entity.js';
import type { Batch, View } from './view.js';

/**
 * Gamers' accounts, and the ends of their depositor status. Enrolment (in the ledger) and registration (in the gamer's
 * stream) come in either order; the first inserts the row. A removed gamer's row has only the id, whether the log still has
 * the events of the deleted stream or not; events after the removal do not change a row without a GamerTag.
 */
export const gamersView: View = {
  name: 'gamers',
  version: 2,
  tables: ['gamers'],
  ddl: `${createTable(GamerRow)}
    CREATE INDEX gamers_by_tag ON gamers (lower(gamer_tag), id)`,

  async apply(batch, db) {
    const enrolled = batch.ofType('GamerEnrolled').map(({ event }) => ({ id: event.data.gamerId }));
    await insertEntities(db, GamerRow, enrolled, 'ON CONFLICT (id) DO NOTHING');
    await register(batch, db);
    const renamed = batch.ofType('GamerRenamed').map(({ event: { data } }) => [data.gamerId, data.gamerTag] as const);
    const mailed = batch.ofType('EmailChanged').map(({ event: { data } }) => [data.gamerId, data.email] as const);
    const roles = batch.ofType('RoleChanged').map(({ event: { data } }) => [data.gamerId, data.role] as const);
    await set(db, 'gamer_tag', new Map(renamed));
    await set(db, 'email', new Map(mailed));
    await set(db, 'role', new Map(roles));
    // Powers are set rarely, so each has a statement. A removed gamer has none.
    for (const { event } of batch.ofType('PowersSet'))
      await db.query('UPDATE gamers SET powers = $2 WHERE id = $1', [event.data.gamerId, event.data.powers]);
    await setDepositorStatus(batch, db);
    await erase(batch, db);
  },
};

async function register(batch: Batch, db: Db): Promise<void> {
  const registered = batch.ofType('GamerRegistered').map(({ event: { data } }) => ({ ...data, id: data.gamerId }));
  const enrolledBefore = `ON CONFLICT (id) DO UPDATE SET gamer_tag = excluded.gamer_tag, email = excluded.email,
    ref_code = excluded.ref_code, role = excluded.role`;
  await insertEntities(db, GamerRow, registered, enrolledBefore);
}

/** Sets a column to the newest value of each gamer. */
async function set(db: Db, column: 'gamer_tag' | 'email' | 'role', values: Map<GamerId, string>): Promise<void> {
  if (values.size === 0) return;
  await db.query(
    `UPDATE gamers SET ${column} = edited.value FROM unnest($1::text[], $2::text[]) AS edited (id, value)
     WHERE gamers.id = edited.id AND gamers.gamer_tag IS NOT NULL`,
    [texts([...values.keys()]), texts([...values.values()])],
  );
}

/**
 * The admin sets the status, and a deposit extends it. A token payment does not change it (decision 8). Switching it off
 * ends it with the millisecond before; a gamer who never was a depositor keeps no end.
 */
async function setDepositorStatus(batch: Batch, db: Db): Promise<void> {
  /** Each gamer's newest end, and the first time at which the status was switched off since. */
  const changes = new Map<GamerId, { until?: number; off?: number }>();
  for (const { event, metadata } of batch) {
    if (event.type !== 'DepositorStatusSet' && event.type !== 'DepositApproved') continue;
    const until = event.type === 'DepositorStatusSet' ? event.data.untilMs : event.data.depositorUntilMs;
    if (until === null && event.type === 'DepositApproved') continue;
    const before = changes.get(event.data.gamerId);
    changes.set(event.data.gamerId, until === null ? { off: metadata.at - 1, ...before } : { until });
  }
  if (changes.size === 0) return;
  const { sql, parameters } = sqlRows('change', [...changes], {
    id: ['text', ([gamerId]) => gamerId],
    until: ['bigint', ([, { until = null }]) => until],
    off: ['bigint', ([, { off = null }]) => off],
  });
  const { rowCount } = await db.query(
    `UPDATE gamers SET depositor_until_ms = CASE WHEN coalesce(until, depositor_until_ms) > off THEN off
       ELSE coalesce(until, depositor_until_ms) END FROM ${sql} WHERE gamers.id = change.id`,
    parameters,
  );
  if (rowCount !== changes.size) throw new Error('a depositor status was set for a gamer who is not enrolled');
}

/** Runs last: a removed gamer has no later events in the ledger. */
async function erase(batch: Batch, db: Db): Promise<void> {
  const removed = batch.removedGamers;
  if (removed.length === 0) return;
  await db.query(
    `UPDATE gamers SET gamer_tag = NULL, email = NULL, ref_code = NULL, role = NULL, powers = '{}', depositor_until_ms = NULL
     WHERE id = ANY($1::text[])`,
    [texts(removed)],
  );
}
