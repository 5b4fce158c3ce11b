import type { CommunityEvent } from '../contracts/events/community-events.js';
import type { GamerId, PostId } from '../contracts/ids.js';
import type { Refusal } from '../contracts/messages.js';

/**
 * A post in the community feed is published once and never edited. The admin may hide it, for good; hiding a hidden one
 * is nothing.
 */
export interface Post {
  postId: PostId;
  gamerId: GamerId;
  message: string;
  isHidden: boolean;
}

/** Null: there is no such post. */
export type PostState = Post | null;

type Decision = { events: CommunityEvent[] } | { refusal: Refusal };

/** A post that exists already is a repeat of the command that published it, or another one under its key. */
export function publishPost(post: PostState, published: Pick<Post, 'postId' | 'gamerId' | 'message'>): Decision {
  if (post === null) return { events: [{ type: 'PostPublished', data: published }] };
  return post.message === published.message ? { events: [] } : { refusal: { code: 'idempotency-key-reused' } };
}

export function hidePost(post: PostState, reason: string): Decision {
  if (post === null) return { refusal: { code: 'post-not-found' } };
  return { events: post.isHidden ? [] : [{ type: 'PostHidden', data: { postId: post.postId, reason } }] };
}

/** Of the events of the one post. */
export function evolvePost(post: PostState, event: CommunityEvent): PostState {
  if (event.type === 'PostPublished') return { ...event.data, isHidden: false };
  if (post === null) throw new Error(`${event.data.postId} was hidden, and never published`);
  return { ...post, isHidden: true };
}
