import type { GamerId } from '../../../contracts/ids.js';
import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { insertEntities } from '../sql-rows.js';
import { GamerRow } from './tables.entity.js';
import { oneByOne, type View } from './view.js';

/**
 * Gamers' accounts. Enrolment (in the ledger) and registration (in the gamer's stream) come in either order; the first inserts the row.
 * A removed gamer's row has only the id, and events after the removal do not change a row without a GamerTag.
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
    const registered = batch.ofType('GamerRegistered').map(({ event: { data } }) => ({ ...data, id: data.gamerId }));
    const enrolledBefore = `ON CONFLICT (id) DO UPDATE SET gamer_tag = excluded.gamer_tag, email = excluded.email,
      ref_code = excluded.ref_code, role = excluded.role`;
    await insertEntities(db, GamerRow, registered, enrolledBefore);
    await changeGamers(batch, db);
  },
};

const changeGamers = oneByOne({
  GamerRenamed: ({ gamerId, gamerTag }, db) => set(db, gamerId, 'gamer_tag', gamerTag),
  EmailChanged: ({ gamerId, email }, db) => set(db, gamerId, 'email', email),
  RoleChanged: ({ gamerId, role }, db) => set(db, gamerId, 'role', role),
  PowersSet: ({ gamerId, powers }, db) => db.query('UPDATE gamers SET powers = $2 WHERE id = $1', [gamerId, powers]),
  DepositorStatusSet: ({ gamerId, untilMs }, db, { atMs }) => setDepositorStatus(db, gamerId, untilMs, atMs),
  // A token payment does not change the status (decision 8).
  DepositApproved: async ({ gamerId, depositorUntilMs }, db, { atMs }) => {
    if (depositorUntilMs !== null) await setDepositorStatus(db, gamerId, depositorUntilMs, atMs);
  },
  GamerRemoved: ({ gamerId }, db) =>
    db.query(
      `UPDATE gamers SET gamer_tag = NULL, email = NULL, ref_code = NULL, role = NULL, powers = '{}', depositor_until_ms = NULL
       WHERE id = $1`,
      [gamerId],
    ),
});

const set = (db: Db, gamerId: GamerId, column: 'gamer_tag' | 'email' | 'role', value: string) =>
  db.query(`UPDATE gamers SET ${column} = $2 WHERE id = $1 AND gamer_tag IS NOT NULL`, [gamerId, value]);

/** Switching it off ends the status with the millisecond before; a gamer who never was a depositor keeps no end. */
async function setDepositorStatus(db: Db, gamerId: GamerId, untilMs: number | null, atMs: number): Promise<void> {
  const { rowCount } = await db.query(
    `UPDATE gamers SET depositor_until_ms =
       coalesce($2, CASE WHEN depositor_until_ms IS NOT NULL THEN least(depositor_until_ms, $3) END) WHERE id = $1`,
    [gamerId, untilMs, atMs - 1],
  );
  if (rowCount !== 1) throw new Error('a depositor status was set for a gamer who is not enrolled');
}
