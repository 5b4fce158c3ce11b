import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { evolveGame, type Game, initialGame } from '../../../domain/game.js';
import type { View } from './view.js';

/** The public board in one row, folded by `evolveGame` as in deciders and sockets. No row before the first ledger event. */
export const gameBoardView: View = {
  name: 'game-board',
  version: 1,
  tables: ['game_board'],
  ddl: `CREATE TABLE game_board (id smallint PRIMARY KEY CHECK (id = 1), game jsonb NOT NULL)`,

  async apply(batch, db) {
    const ledger = batch.events.filter(({ stream }) => stream === LEDGER_STREAM);
    if (ledger.length === 0) return;
    const { rows } = await db.query<{ game: Game }>('SELECT game FROM game_board');
    const before = rows[0]?.game ?? initialGame;
    const after = ledger.reduce(
      (game, { event, metadata }) => evolveGame(game, event as LedgerEvent, metadata.at),
      before,
    );
    if (after === before && rows.length > 0) return;
    await db.query(
      'INSERT INTO game_board (id, game) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET game = excluded.game',
      [JSON.stringify(after)],
    );
  },
};
