import { Module } from '@nestjs/common';
import { HidePostHandler, PublishPostHandler } from './community.commands.js';
import { CommunityController } from './community.controller.js';
import { CommunityQueries } from './community.queries.js';

@Module({
  controllers: [CommunityController],
  providers: [CommunityQueries, PublishPostHandler, HidePostHandler],
})
export class CommunityModule {}
