import type { GamerId, PostId } from '../ids.js';

/**
 * The events of a stream `post-{id}`, which is tombstoned with its gamer; in older logs, of the one stream `community`,
 * where a removed gamer's text is only blanked in the read model (decision 38).
 */

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
