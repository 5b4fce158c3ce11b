import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CommunityPostRow } from '../../../projections/src/views/community.entity.js';
import { HidePostHandler, PublishPostHandler } from './community.commands.js';
import { CommunityController } from './community.controller.js';
import { CommunityQueries } from './community.queries.js';

@Module({
  imports: [TypeOrmModule.forFeature([CommunityPostRow])],
  controllers: [CommunityController],
  providers: [CommunityQueries, PublishPostHandler, HidePostHandler],
})
export class CommunityModule {}
