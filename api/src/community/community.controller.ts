import { Body, Controller, Delete, Get, Param, Post, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CommunityPost } from '../../../contracts/http/community.js';
import { LIST_PAGE_SIZE } from '../../../contracts/limits.js';
import { actorOf } from '../http/actor.js';
import { AfterPositionInterceptor } from '../http/after-position.interceptor.js';
import { CommandId } from '../http/command-id.js';
import { PageQuery } from '../http/page.js';
import { AdminOnly, CurrentSession, type GamerOfSession, own } from '../http/session.js';
import { HidePostDto, PublishPostDto } from './community.dto.js';
import { HidePost, PublishPost } from './community.handlers.js';
import { CommunityQueries } from './community.queries.js';
import { LoggedInToPost } from './logged-in-to-post.js';

@Controller('api')
@UseInterceptors(AfterPositionInterceptor)
export class CommunityController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: CommunityQueries,
  ) {}

  /** The feed, newest first; hidden posts are left out, a removed gamer's are blank. */
  @Get('community/posts')
  posts(@Query() { page, pageSize = LIST_PAGE_SIZE }: PageQuery): Promise<CommunityPost[]> {
    return this.queries.page({ page, pageSize });
  }

  /** Posts in one's own name. */
  @Post('community/posts')
  @UseGuards(LoggedInToPost)
  publish(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Body() { gamerId, message }: PublishPostDto,
  ) {
    own(session, gamerId);
    return this.commands.execute(new PublishPost(message, session.gamerTag, { actor: actorOf(session), commandId }));
  }

  /** Takes a post out of everyone's sight, for good. */
  @Delete('admin/community/posts/:id')
  @UseGuards(AdminOnly)
  hide(
    @CurrentSession() session: GamerOfSession,
    @CommandId() commandId: string,
    @Param('id') id: string,
    @Body() { reason }: HidePostDto,
  ) {
    return this.commands.execute(new HidePost(id, reason ?? '', { actor: actorOf(session), commandId }));
  }
}
