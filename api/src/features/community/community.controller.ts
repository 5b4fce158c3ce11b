import { Body, Controller, Delete, Get, Param, Post, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { IsString, MaxLength } from 'class-validator';
import type { HidePostRequest, PublishPostRequest } from '../../../../contracts/http/community.js';
import { COMMUNITY_MESSAGE_MAX_LENGTH, REASON_MAX_LENGTH } from '../../../../contracts/limits.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { Page } from '../../http/page.js';
import { AfterPositionInterceptor, ReadsViews } from '../../http/position.interceptors.js';
import { adminOr, CurrentSession, loggedInOr, Metadata, mustBeOwn, type SessionGamer } from '../../http/session.js';
import { optionalText, refuseAs, requiredText, trimmed } from '../../http/validation.js';
import { HidePost, PublishPost } from './community.commands.js';
import { CommunityQueries } from './community.queries.js';

export class PublishPostDto implements PublishPostRequest {
  @IsString(refuseAs('login-to-post'))
  gamerId!: string;

  @MaxLength(COMMUNITY_MESSAGE_MAX_LENGTH, refuseAs('message-too-long'))
  @requiredText('message-required')
  @trimmed
  message!: string;
}

export class HidePostDto implements HidePostRequest {
  @optionalText(REASON_MAX_LENGTH, 'reason-too-long', 'The reason must be text')
  reason?: string;
}

@Controller('api')
@UseInterceptors(AfterPositionInterceptor)
@ReadsViews('community', 'gamers')
export class CommunityController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: CommunityQueries,
  ) {}

  /** The feed without hidden posts, newest first. */
  @Get('community/posts')
  posts(@Query() page: Page) {
    return this.queries.page(page);
  }

  /** Publishes a post in the gamer's own name. */
  @Post('community/posts')
  @UseGuards(loggedInOr('login-to-post'))
  publish(
    @CurrentSession() { gamerTag }: SessionGamer,
    @Metadata() metadata: CommandMetadata,
    @Body() { gamerId, message }: PublishPostDto,
  ) {
    mustBeOwn(metadata.actor.id, gamerId);
    return this.commands.execute(new PublishPost({ message, gamerTag }, metadata));
  }

  /** Hides a post from everyone, for good. */
  @Delete('admin/community/posts/:id')
  @UseGuards(adminOr('community'))
  hide(@Metadata() metadata: CommandMetadata, @Param('id') id: string, @Body() { reason }: HidePostDto) {
    return this.commands.execute(new HidePost({ postId: id, reason: reason ?? '' }, metadata));
  }
}
