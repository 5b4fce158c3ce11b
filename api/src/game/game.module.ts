import { Module } from '@nestjs/common';
import { ChangeTimers, ForceStartLive, ResetGame, StartGame } from './game.commands.js';
import { GameControlController, GameController } from './game.controller.js';
import { GameQueries } from './game.queries.js';

@Module({
  controllers: [GameController, GameControlController],
  providers: [GameQueries, StartGame.Handler, ForceStartLive.Handler, ResetGame.Handler, ChangeTimers.Handler],
})
export class GameModule {}
