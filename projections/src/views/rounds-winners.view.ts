import { createTable } from '../columns.js';
import { insertEntities } from '../sql-rows.js';
import { WinnerRow } from './tables.entity.js';
import { oneByOne, type View } from './view.js';

export const winnersView: View = {
  name: 'winners',
  version: 1,
  tables: ['winners'],
  ddl: `${createTable(WinnerRow)}
    CREATE INDEX winners_newest ON winners (ended_at_ms DESC, round_id DESC)`,

  apply: oneByOne({
    async RoundEnded({ roundId, winner, jackpotCents, endedAtMs }, db) {
      if (winner) await insertEntities(db, WinnerRow, [{ roundId, winnerId: winner.gamerId, jackpotCents, endedAtMs }]);
    },
  }),
};
