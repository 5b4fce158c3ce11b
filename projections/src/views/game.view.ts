import { evolveGame, type Game, initialGame } from '../../../domain/game.js';
import { createTable } from '../columns.js';
import { GameBoard, StatsRow } from './tables.entity.js';
import type { View } from './view.js';
import { winningsCredits } from './winnings.view.js';

/** The public board in one row, evolved by `evolveGame` as in deciders and sockets. No row before the first ledger event. */
export const gameBoardView: View = {
  name: 'game-board',
  version: 3,
  tables: ['game_board'],
  ddl: `${createTable(GameBoard)} ALTER TABLE game_board ADD CHECK (id = 1)`,

  async apply(batch, db) {
    const { ofLedger } = batch;
    if (ofLedger.length === 0) return;
    const { rows } = await db.query<{ game: Game }>('SELECT game FROM game_board');
    const before = rows[0]?.game ?? initialGame;
    let after = before;
    for (const { event, metadata } of ofLedger) after = evolveGame(after, event, metadata.at);
    if (after === before && rows.length > 0) return;
    await db.query(
      'INSERT INTO game_board (id, game) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET game = excluded.game',
      [JSON.stringify(after)],
    );
  },
};

/** The public counters (decision 10), in one row: gamers without the admin and removed ones, tokens also of rounds that were reset. */
export const statsView: View = {
  name: 'stats',
  version: 1,
  tables: ['stats'],
  ddl: `${createTable(StatsRow)}
    ALTER TABLE stats ADD CHECK (id = 1);
    INSERT INTO stats VALUES (1, 0, 0, 0, 0)`,

  async apply(batch, db) {
    const joined = batch.ofType('GamerEnrolled').filter(({ event }) => event.data.parentId !== null).length;
    const gamers = joined - batch.ofType('GamerRemoved').length;
    const purchases = batch.ofType('TokenPurchased');
    const tokens = purchases.reduce((sum, { event }) => sum + event.data.quantity, 0);
    const profitCents = purchases.reduce((sum, { event }) => sum + event.data.houseShareCents, 0);
    let wonCents = 0;
    for (const won of [...purchases, ...batch.ofType('RoundEnded')])
      for (const { cents } of winningsCredits(won)) wonCents += cents;
    if (gamers === 0 && wonCents === 0 && tokens === 0) return;
    await db.query(
      `UPDATE stats SET total_gamers = total_gamers + $1, total_winnings_cents = total_winnings_cents + $2,
         total_tokens = total_tokens + $3, total_profit_cents = total_profit_cents + $4`,
      [gamers, wonCents, tokens, profitCents],
    );
  },
};
