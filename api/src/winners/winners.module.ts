import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WinnerRow } from '../../../projections/src/views/winners.entity.js';
import { GamerNamesModule } from '../gamers/gamer-names.module.js';
import { WinnersController } from './winners.controller.js';
import { WinnersQueries } from './winners.queries.js';

@Module({
  imports: [TypeOrmModule.forFeature([WinnerRow]), GamerNamesModule],
  controllers: [WinnersController],
  providers: [WinnersQueries],
})
export class WinnersModule {}
