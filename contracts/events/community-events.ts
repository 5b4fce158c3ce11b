import type { GamerId, PostId } from '../ids.js';

/** The events of the stream `community`. The text of a removed gamer's posts is blanked in the read model (decision 38). */

export interface PostPublished {
  type: 'PostPublished';
  data: { postId: PostId; gamerId: GamerId; message: string };
}

/** The admin took a post out of everyone's sight. */
export interface PostHidden {
  type: 'PostHidden';
  data: { postId: PostId; reason: string };
}

export type CommunityEvent = PostPublished | PostHidden;
