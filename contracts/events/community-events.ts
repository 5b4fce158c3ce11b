import type { GamerId, PostId } from '../ids.js';
import type { EventOf } from './event-of.js';

/** The events of a stream `post-{id}`, which is tombstoned with its gamer. */
export interface CommunityEvents {
  PostPublished: { postId: PostId; gamerId: GamerId; message: string };
  /** The admin took a post out of everyone's sight. */
  PostHidden: { postId: PostId; reason: string };
}

export type CommunityEvent = EventOf<CommunityEvents>;
