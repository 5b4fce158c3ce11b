import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { CommunityPost } from '../../../contracts/http/community.js';
import type { MessageResponse } from '../../../contracts/http/gamers.js';
import type { PostId } from '../../../contracts/ids.js';
import { hidePost, publishPost } from '../../../domain/posts.js';
import { GamerLimits } from '../http/gamer-limits.store.js';
import { type WithPosition, withPosition } from '../http/position.interceptor.js';
import { derivedId } from '../streams/derived-id.js';
import { CommunityLog, type CommunityRecorded } from './community-log.js';

interface By {
  actor: Actor;
  commandId: string;
}

export class PublishPost extends Command<WithPosition<CommunityPost>> {
  constructor(
    readonly message: string,
    readonly gamerTag: string,
    readonly by: By,
  ) {
    super();
  }
}

export class HidePost extends Command<WithPosition<MessageResponse>> {
  constructor(
    readonly postId: PostId,
    readonly reason: string,
    readonly by: By,
  ) {
    super();
  }
}

@CommandHandler(PublishPost)
export class PublishPostHandler implements ICommandHandler<PublishPost> {
  constructor(
    private readonly community: CommunityLog,
    private readonly limits: GamerLimits,
  ) {}

  async execute({ message, gamerTag, by }: PublishPost) {
    await this.limits.countPost(by.actor.id);
    const published = { postId: derivedId(by), gamerId: by.actor.id, message };
    const [first] = await this.community.execute({
      postId: published.postId,
      decide: (post) => publishPost(post, published),
      by,
      asked: { type: 'PublishPost', message },
    });
    const { position, metadata } = first as CommunityRecorded;
    return withPosition(position, { id: published.postId, gamerTag, message, createdAt: metadata.at });
  }
}

@CommandHandler(HidePost)
export class HidePostHandler implements ICommandHandler<HidePost> {
  constructor(private readonly community: CommunityLog) {}

  async execute({ postId, reason, by }: HidePost) {
    const events = await this.community.execute({
      postId,
      decide: (post) => hidePost(post, reason),
      by,
      asked: { type: 'HidePost', postId, reason },
    });
    const { position } = events.at(-1) as CommunityRecorded;
    return withPosition(position, { message: 'The post is hidden' });
  }
}
