import { Module } from '@nestjs/common';
import { PublicRecordQueries } from '../public-record/public-record.queries.js';
import { ChangeTimers, ForceStartLive, ResetGame, StartGame } from './game.commands.js';
import { GameControlController, GameController, PublicRecordController } from './game.controller.js';
import { GameQueries } from './game.queries.js';

@Module({
  controllers: [GameController, GameControlController, PublicRecordController],
  providers: [
    GameQueries,
    PublicRecordQueries,
    StartGame.Handler,
    ForceStartLive.Handler,
    ResetGame.Handler,
    ChangeTimers.Handler,
  ],
})
export class GameModule {}
