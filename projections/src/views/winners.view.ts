import { integers, texts } from '../array-literals.js';
import { type View } from './view.js';

/** Every round somebody won. */
export const winnersView: View = {
  name: 'winners',
  version: 1,
  tables: ['winners'],
  ddl: `
    CREATE TABLE winners (
      round_id integer PRIMARY KEY,
      winner_id text NOT NULL,
      jackpot_cents bigint NOT NULL,
      ended_at_ms bigint NOT NULL
    );
    CREATE INDEX winners_newest ON winners (ended_at_ms DESC, round_id DESC)`,

  async apply(batch, db) {
    const rows = batch
      .ofType('RoundEnded')
      .flatMap(({ event: { data } }) => (data.winner ? [{ ...data, winnerId: data.winner.gamerId }] : []));
    if (rows.length === 0) return;
    await db.query(
      `INSERT INTO winners (round_id, winner_id, jackpot_cents, ended_at_ms)
       SELECT * FROM unnest($1::int[], $2::text[], $3::bigint[], $4::bigint[])`,
      [
        integers(rows.map(({ roundId }) => roundId)),
        texts(rows.map(({ winnerId }) => winnerId)),
        integers(rows.map(({ jackpotCents }) => jackpotCents)),
        integers(rows.map(({ endedAtEpochMs }) => endedAtEpochMs)),
      ],
    );
  },
};
