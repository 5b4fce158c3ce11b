import { type View } from './view.js';
import { winningsCredits } from './winnings.js';

/** The public counters, one row: gamers without the house, and all jackpots and matrix credits ever (decision 10). */
export const statsView: View = {
  name: 'stats',
  version: 1,
  tables: ['stats'],
  ddl: `
    CREATE TABLE stats (
      id smallint PRIMARY KEY CHECK (id = 1),
      total_gamers bigint NOT NULL,
      total_winnings_cents bigint NOT NULL
    );
    INSERT INTO stats VALUES (1, 0, 0)`,

  async apply(batch, db) {
    const gamers = batch.ofType('GamerEnrolled').filter(({ event }) => event.data.parentId !== null).length;
    const wonCents = [...batch.ofType('TokenPurchased'), ...batch.ofType('RoundEnded')]
      .flatMap(winningsCredits)
      .reduce((sum, { cents }) => sum + cents, 0);
    if (gamers === 0 && wonCents === 0) return;
    await db.query(
      'UPDATE stats SET total_gamers = total_gamers + $1, total_winnings_cents = total_winnings_cents + $2',
      [gamers, wonCents],
    );
  },
};
