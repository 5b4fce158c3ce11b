import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { GameState } from '../../../contracts/http/game.js';
import type { TimerSettings } from '../../../contracts/limits.js';
import { type Game, initialGame } from '../../../domain/game.js';
import { GameBoard } from '../../../projections/src/views/game-board.entity.js';
import { gamersOn, gameStateOf } from '../game/game-state.js';
import { GamerNames } from '../gamers/gamer-names.queries.js';

@Injectable()
export class GameBoardQueries {
  constructor(
    @InjectRepository(GameBoard) private readonly boards: Repository<GameBoard>,
    private readonly names: GamerNames,
  ) {}

  async state(nowMs: number): Promise<GameState> {
    const game = await this.game();
    const nameOf = await this.names.of(gamersOn(game));
    return gameStateOf(game, nameOf, nowMs);
  }

  /** As last edited; a round under way may still run on earlier ones. */
  async timers(): Promise<TimerSettings> {
    return (await this.game()).timers;
  }

  private async game(): Promise<Game> {
    return (await this.boards.findOneBy({ id: 1 }))?.game ?? initialGame;
  }
}
