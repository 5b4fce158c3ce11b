import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Game } from '../../../domain/game.js';

@Entity({ schema: 'read', name: 'game_board', synchronize: false })
export class GameBoard {
  @PrimaryColumn({ type: 'smallint' })
  id!: number;

  @Column({ type: 'jsonb' })
  game!: Game;
}
