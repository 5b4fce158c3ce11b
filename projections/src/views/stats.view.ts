import { type View } from './view.js';
import { winningsCredits } from './winnings.js';

/**
 * The public counters, one row. Gamers: those there are, without the house and without the removed, who would otherwise
 * be counted for ever as people that nobody can find. Winnings: all jackpots and matrix credits ever (decision 10).
 * Tokens: all ever bought, which a reset of a round does not undo.
 */
export const statsView: View = {
  name: 'stats',
  version: 2,
  tables: ['stats'],
  ddl: `
    CREATE TABLE stats (
      id smallint PRIMARY KEY CHECK (id = 1),
      total_gamers bigint NOT NULL,
      total_winnings_cents bigint NOT NULL,
      total_tokens bigint NOT NULL
    );
    INSERT INTO stats VALUES (1, 0, 0, 0)`,

  async apply(batch, db) {
    const joined = batch.ofType('GamerEnrolled').filter(({ event }) => event.data.parentId !== null).length;
    const gamers = joined - batch.ofType('GamerRemoved').length;
    const purchases = batch.ofType('TokenPurchased');
    const tokens = purchases.reduce((sum, { event }) => sum + event.data.quantity, 0);
    const wonCents = [...purchases, ...batch.ofType('RoundEnded')]
      .flatMap(winningsCredits)
      .reduce((sum, { cents }) => sum + cents, 0);
    if (gamers === 0 && wonCents === 0 && tokens === 0) return;
    await db.query(
      `UPDATE stats SET total_gamers = total_gamers + $1, total_winnings_cents = total_winnings_cents + $2,
         total_tokens = total_tokens + $3`,
      [gamers, wonCents, tokens],
    );
  },
};
