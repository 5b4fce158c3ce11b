import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StatsRow } from '../../../projections/src/views/stats.entity.js';
import { StatsController } from './stats.controller.js';
import { StatsQueries } from './stats.queries.js';

@Module({
  imports: [TypeOrmModule.forFeature([StatsRow])],
  controllers: [StatsController],
  providers: [StatsQueries],
})
export class StatsModule {}
