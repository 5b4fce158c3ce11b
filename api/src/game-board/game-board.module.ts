import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GameBoard } from '../../../projections/src/views/game-board.entity.js';
import { GamerNamesModule } from '../gamers/gamer-names.module.js';
import { GameBoardController } from './game-board.controller.js';
import { GameBoardQueries } from './game-board.queries.js';

@Module({
  imports: [TypeOrmModule.forFeature([GameBoard]), GamerNamesModule],
  controllers: [GameBoardController],
  providers: [GameBoardQueries],
})
export class GameBoardModule {}
