import type { Game } from '../../../domain/game.js';
import { JsonColumn, ReadTable, SmallintColumn } from '../columns.js';

@ReadTable('game_board')
export class GameBoard {
  @SmallintColumn('id', { primary: true }) id!: number;
  @JsonColumn('game') game!: Game;
}
