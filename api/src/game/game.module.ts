import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GameBoard } from '../../../projections/src/views/game-board.entity.js';
import { StatsRow } from '../../../projections/src/views/stats.entity.js';
import { WinnerRow } from '../../../projections/src/views/winners.entity.js';
import { ChangeTimers, ForceStartLive, ResetGame, StartGame } from './game.commands.js';
import { GameControlController, GameController } from './game.controller.js';
import { GameQueries } from './game.queries.js';

@Module({
  imports: [TypeOrmModule.forFeature([GameBoard, StatsRow, WinnerRow])],
  controllers: [GameController, GameControlController],
  providers: [GameQueries, StartGame.Handler, ForceStartLive.Handler, ResetGame.Handler, ChangeTimers.Handler],
})
export class GameModule {}
