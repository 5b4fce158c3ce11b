import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActivityRow } from '../../../projections/src/views/activity.entity.js';
import { GamerNamesModule } from '../gamers/gamer-names.module.js';
import { ActivityController } from './activity.controller.js';
import { ActivityQueries } from './activity.queries.js';

@Module({
  imports: [GamerNamesModule, TypeOrmModule.forFeature([ActivityRow])],
  controllers: [ActivityController],
  providers: [ActivityQueries],
})
export class ActivityModule {}
