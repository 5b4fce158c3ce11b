import type { CommunityEvent, CommunityEvents } from '../contracts/events/gamer-events.js';
import type { Refusal } from '../contracts/refusals.js';

type PostPublished = CommunityEvents['PostPublished'];

/** A post is published once and never edited. The admin may hide it, for good; hiding it again changes nothing. */
export type Post = PostPublished & { isHidden: boolean };

export type PostState = Post | null;

type Decision = { events: CommunityEvent[] } | { refusal: Refusal };

/** An existing post with the same text was published by the same command; another text reuses its idempotency key. */
export function publishPost(post: PostState, published: PostPublished): Decision {
  if (post === null) return { events: [{ type: 'PostPublished', data: published }] };
  return post.message === published.message ? { events: [] } : { refusal: { code: 'idempotency-key-reused' } };
}

export function hidePost(post: PostState, reason: string): Decision {
  if (post === null) return { refusal: { code: 'post-not-found' } };
  return { events: post.isHidden ? [] : [{ type: 'PostHidden', data: { postId: post.postId, reason } }] };
}

export function evolvePost(post: PostState, event: CommunityEvent): PostState {
  if (event.type === 'PostPublished') return { ...event.data, isHidden: false };
  if (post === null) throw new Error(`${event.data.postId} was hidden without having been published`);
  return { ...post, isHidden: true };
}
