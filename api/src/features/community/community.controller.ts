import { Body, Controller, Delete, Get, Module, Param, Post, Query, UseGuards } from '@nestjs/common';
import type { CommunityEvent } from '../../../../contracts/events/gamer-events.js';
import type { HidePostRequest, PublishPostRequest } from '../../../../contracts/http/community.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { PostId } from '../../../../contracts/ids.js';
import { COMMUNITY_MESSAGE_MAX_LENGTH } from '../../../../contracts/limits.js';
import { postStream } from '../../../../contracts/streams.js';
import { evolvePost, hidePost, type PostState, publishPost } from '../../../../domain/community.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { exclusionOf } from '../../../../domain/ledger/ledger-state.js';
import { adminOr, loggedInOr } from '../../http/guards.js';
import { Page } from '../../http/page.js';
import { messageAt, ReadsViews, WithPosition } from '../../http/position.interceptors.js';
import { RateLimits } from '../../http/rate-limits.store.js';
import { Metadata, mustBeOwn } from '../../http/session.js';
import { optionalReason, text, trimmedText } from '../../http/validation.js';
import { derivedId } from '../../ledger/ids.js';
import { Ledger } from '../../ledger/ledger.js';
import { StreamCommands } from '../../ledger/stream-commands.js';
import { Clock } from '../../platform/clock.js';
import { Refused } from '../../platform/failures.js';
import { CommunityQueries } from './community.queries.js';

const onPost = (postId: PostId) => ({
  stream: postStream(postId),
  initial: null as PostState,
  evolve: (post: PostState, { event }: { event: CommunityEvent }) => evolvePost(post, event),
});

export class PublishPostDto implements PublishPostRequest {
  @text('login-to-post') gamerId!: string;
  @trimmedText('message-required', COMMUNITY_MESSAGE_MAX_LENGTH, 'message-too-long') message!: string;
}

export class HidePostDto implements HidePostRequest {
  @optionalReason reason?: string;
}

@Controller('api')
@ReadsViews('community', 'gamers')
export class CommunityController {
  constructor(
    private readonly queries: CommunityQueries,
    private readonly streams: StreamCommands,
    private readonly rateLimits: RateLimits,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  /** The feed without hidden posts, newest first. */
  @Get('community/posts')
  posts(@Query() page: Page) {
    return this.queries.page(page);
  }

  /** Publishes a post in the gamer's own name. */
  @Post('community/posts')
  @UseGuards(loggedInOr('login-to-post'))
  async publish(@Metadata() metadata: CommandMetadata, @Body() { gamerId, message }: PublishPostDto) {
    mustBeOwn(metadata.actor.id, gamerId);
    const exclusion = this.ledger.ask(exclusionOf, gamerId, this.clock.now());
    if (exclusion) throw new Refused({ code: 'gamer-excluded', parameters: exclusion });
    await this.rateLimits.count('postsPerGamer', gamerId);
    const postId = derivedId(metadata);
    const { position } = await this.streams.execute({
      ...onPost(postId),
      decide: (post) => publishPost(post, { postId, gamerId, message }),
      metadata,
      content: { type: 'PublishPost', message },
    });
    return new WithPosition<MessageResponse & { id: PostId }>(position, {
      id: postId,
      message: 'Your post is published',
    });
  }

  /** Hides a post from everyone, for good. */
  @Delete('admin/community/posts/:id')
  @UseGuards(adminOr('community'))
  async hide(@Metadata() metadata: CommandMetadata, @Param('id') postId: string, @Body() body: HidePostDto) {
    const reason = body.reason ?? '';
    const { position } = await this.streams.execute({
      ...onPost(postId),
      decide: (post) => hidePost(post, reason),
      metadata,
      content: { type: 'HidePost', postId, reason },
    });
    return messageAt(position, 'The post is hidden');
  }
}

@Module({ controllers: [CommunityController], providers: [CommunityQueries] })
export class CommunityModule {}
