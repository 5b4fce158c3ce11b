import { createTable } from '../columns.js';
import { insertEntities } from '../sql-rows.js';
import { WinnerRow } from './tables.entity.js';
import type { View } from './view.js';

export const winnersView: View = {
  name: 'winners',
  version: 1,
  tables: ['winners'],
  ddl: `${createTable(WinnerRow)}
    CREATE INDEX winners_newest ON winners (ended_at_ms DESC, round_id DESC)`,

  async apply(batch, db) {
    const won = batch.ofType('RoundEnded').flatMap(({ event: { data } }) => {
      const { roundId, winner, jackpotCents, endedAtMs } = data;
      return winner ? [{ roundId, winnerId: winner.gamerId, jackpotCents, endedAtMs }] : [];
    });
    await insertEntities(db, WinnerRow, won);
  },
};
