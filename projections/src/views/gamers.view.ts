import type { GamerId } from '../../../contracts/ids.js';
import { integers, texts } from '../array-literals.js';
import type { Db } from '../database.js';
import { type Batch, type View } from './view.js';

/**
 * Who gamers are, and until when they are depositors. A row begins with whichever comes first, the place in the ledger
 * or the registration in the gamer's own stream. A removed gamer keeps the id and nothing else, whether the events of
 * the deleted stream are still in the log or not; what comes after the removal changes no row without a name.
 */
export const gamersView: View = {
  name: 'gamers',
  version: 2,
  tables: ['gamers'],
  ddl: `
    CREATE TABLE gamers (
      id text PRIMARY KEY,
      gamer_tag text,
      email text,
      ref_code text,
      role text,
      depositor_until_ms bigint,
      registered_at_ms bigint
    );
    CREATE INDEX gamers_by_tag ON gamers (lower(gamer_tag), id)`,

  async apply(batch, db) {
    await enrol(batch, db);
    await register(batch, db);
    await edit(batch, db);
    await setDepositorStatus(batch, db);
    await blank(batch, db);
  },
};

async function enrol(batch: Batch, db: Db): Promise<void> {
  const ids = batch.ofType('GamerEnrolled').map(({ event }) => event.data.gamerId);
  if (ids.length === 0) return;
  await db.query('INSERT INTO gamers (id) SELECT * FROM unnest($1::text[]) ON CONFLICT (id) DO NOTHING', [texts(ids)]);
}

async function register(batch: Batch, db: Db): Promise<void> {
  const registered = batch.ofType('GamerRegistered');
  if (registered.length === 0) return;
  await db.query(
    `INSERT INTO gamers (id, gamer_tag, email, ref_code, role, registered_at_ms)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
     ON CONFLICT (id) DO UPDATE SET gamer_tag = excluded.gamer_tag, email = excluded.email,
       ref_code = excluded.ref_code, role = excluded.role, registered_at_ms = excluded.registered_at_ms`,
    [
      texts(registered.map(({ event }) => event.data.gamerId)),
      texts(registered.map(({ event }) => event.data.gamerTag)),
      texts(registered.map(({ event }) => event.data.email)),
      texts(registered.map(({ event }) => event.data.refCode)),
      texts(registered.map(({ event }) => event.data.role)),
      integers(registered.map(({ metadata }) => metadata.at)),
    ],
  );
}

/** What a gamer is called, written to, and allowed: the latest of each in the batch. */
async function edit(batch: Batch, db: Db): Promise<void> {
  await set(
    db,
    'gamer_tag',
    new Map(batch.ofType('GamerRenamed').map(({ event: { data } }) => [data.gamerId, data.gamerTag])),
  );
  await set(
    db,
    'email',
    new Map(batch.ofType('EmailChanged').map(({ event: { data } }) => [data.gamerId, data.email])),
  );
  await set(db, 'role', new Map(batch.ofType('RoleChanged').map(({ event: { data } }) => [data.gamerId, data.role])));
}

async function set(db: Db, column: 'gamer_tag' | 'email' | 'role', values: Map<GamerId, string>): Promise<void> {
  if (values.size === 0) return;
  await db.query(
    `UPDATE gamers SET ${column} = edited.value FROM unnest($1::text[], $2::text[]) AS edited (id, value)
     WHERE gamers.id = edited.id AND gamers.gamer_tag IS NOT NULL`,
    [texts([...values.keys()]), texts([...values.values()])],
  );
}

/** The switch sets it either way, a deposit makes it longer; a token payment says nothing of it (decision 8). */
async function setDepositorStatus(batch: Batch, db: Db): Promise<void> {
  const untilByGamer = new Map<GamerId, number | null>();
  for (const { event } of batch) {
    if (event.type === 'DepositorStatusSet') untilByGamer.set(event.data.gamerId, event.data.untilEpochMs);
    if (event.type !== 'DepositApproved' || event.data.depositorUntilEpochMs === null) continue;
    untilByGamer.set(event.data.gamerId, event.data.depositorUntilEpochMs);
  }
  if (untilByGamer.size === 0) return;
  const { rowCount } = await db.query(
    `UPDATE gamers SET depositor_until_ms = status.until_ms
     FROM unnest($1::text[], $2::bigint[]) AS status (id, until_ms) WHERE gamers.id = status.id`,
    [texts([...untilByGamer.keys()]), integers([...untilByGamer.values()])],
  );
  if (rowCount !== untilByGamer.size) throw new Error('a depositor status was set for a gamer who is not enrolled');
}

/** Last, because nothing of a gamer follows in the ledger after the removal. */
async function blank(batch: Batch, db: Db): Promise<void> {
  const removed = batch.ofType('GamerRemoved').map(({ event }) => event.data.gamerId);
  if (removed.length === 0) return;
  await db.query(
    `UPDATE gamers SET gamer_tag = NULL, email = NULL, ref_code = NULL, role = NULL, depositor_until_ms = NULL,
       registered_at_ms = NULL WHERE id = ANY($1::text[])`,
    [texts(removed)],
  );
}
