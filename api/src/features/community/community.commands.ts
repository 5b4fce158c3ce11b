import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommunityEvent } from '../../../../contracts/events/community-events.js';
import type { CommunityPost } from '../../../../contracts/http/community.js';
import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { PostId } from '../../../../contracts/ids.js';
import { postStream } from '../../../../contracts/streams.js';
import { evolvePost, hidePost, type PostState, publishPost } from '../../../../domain/community.js';
import { GamerLimits } from '../../http/limits.store.js';
import { derivedId } from '../../ledger/ids.js';
import { Ledger } from '../../ledger/ledger.js';
import { StreamCommands } from '../../ledger/stream-commands.js';
import { BusCommand, WithPosition } from '../../platform/bus-command.js';
import { Clock } from '../../platform/clock.js';
import { Refused } from '../../platform/failures.js';

export class PublishPost extends BusCommand<{ message: string; gamerTag: string }, CommunityPost> {}

@CommandHandler(PublishPost)
export class PublishPostHandler implements ICommandHandler<PublishPost> {
  constructor(
    private readonly streams: StreamCommands,
    private readonly limits: GamerLimits,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  async execute({ fields: { message, gamerTag }, metadata }: PublishPost) {
    const exclusion = this.ledger.decided.exclusionOf(metadata.actor.id, this.clock.now());
    if (exclusion) throw new Refused({ code: 'gamer-excluded', parameters: exclusion });
    await this.limits.count('post', metadata.actor.id);
    const published = { postId: derivedId(metadata), gamerId: metadata.actor.id, message };
    const { position, state } = await this.streams.execute<{ post: PostState; publishedAtMs: number }, CommunityEvent>({
      stream: postStream(published.postId),
      initial: { post: null, publishedAtMs: 0 },
      evolve: ({ post, publishedAtMs }, { event, metadata: { at } }) => ({
        post: evolvePost(post, event),
        publishedAtMs: event.type === 'PostPublished' ? at : publishedAtMs,
      }),
      decide: ({ post }) => publishPost(post, published),
      metadata,
      content: { type: 'PublishPost', message },
    });
    return new WithPosition(position, { id: published.postId, gamerTag, message, createdAt: state.publishedAtMs });
  }
}

export class HidePost extends BusCommand<{ postId: PostId; reason: string }, MessageResponse> {}

const POST_ID = /^[0-9a-z]{20}$/;

@CommandHandler(HidePost)
export class HidePostHandler implements ICommandHandler<HidePost> {
  constructor(private readonly streams: StreamCommands) {}

  async execute({ fields: { postId, reason }, metadata }: HidePost) {
    if (!POST_ID.test(postId)) throw new Refused('post-not-found');
    const { position } = await this.streams.execute<PostState, CommunityEvent>({
      stream: postStream(postId),
      initial: null,
      evolve: (post, { event }) => evolvePost(post, event),
      decide: (post) => hidePost(post, reason),
      metadata,
      content: { type: 'HidePost', postId, reason },
    });
    return new WithPosition(position, { message: 'The post is hidden' });
  }
}
