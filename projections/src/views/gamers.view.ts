import { integers, texts } from '../array-literals.js';
import type { Db } from '../database.js';
import { type Batch, type View } from './view.js';

/**
 * Who gamers are, and until when they are depositors. A row begins with whichever comes first, the place in the ledger
 * or the registration in the gamer's own stream; one without a name is a gamer whose stream was deleted.
 */
export const gamersView: View = {
  name: 'gamers',
  version: 1,
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
    await setDepositorStatus(batch, db);
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

async function setDepositorStatus(batch: Batch, db: Db): Promise<void> {
  const untilByGamer = new Map(
    batch.ofType('DepositorStatusSet').map(({ event }) => [event.data.gamerId, event.data.untilEpochMs]),
  );
  if (untilByGamer.size === 0) return;
  const { rowCount } = await db.query(
    `UPDATE gamers SET depositor_until_ms = status.until_ms
     FROM unnest($1::text[], $2::bigint[]) AS status (id, until_ms) WHERE gamers.id = status.id`,
    [texts([...untilByGamer.keys()]), integers([...untilByGamer.values()])],
  );
  if (rowCount !== untilByGamer.size) throw new Error('a depositor status was set for a gamer who is not enrolled');
}
