import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CommunityPostRow } from '../../../projections/src/views/community.entity.js';
import { GamerNamesModule } from '../gamers/gamer-names.module.js';
import { GamerLimits } from '../http/gamer-limits.store.js';
import { CommunityController } from './community.controller.js';
import { HidePostHandler, PublishPostHandler } from './community.handlers.js';
import { CommunityQueries } from './community.queries.js';
import { CommunityLog } from './community-log.js';

@Module({
  imports: [CqrsModule, GamerNamesModule, TypeOrmModule.forFeature([CommunityPostRow])],
  controllers: [CommunityController],
  providers: [CommunityQueries, CommunityLog, GamerLimits, PublishPostHandler, HidePostHandler],
})
export class CommunityModule {}
