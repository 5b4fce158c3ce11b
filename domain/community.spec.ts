import type { CommunityEvent } from '../contracts/events/gamer-events.js';
import { evolvePost, hidePost, type PostState, publishPost } from './community.js';

const data = { postId: 'p1', gamerId: 'alice', message: 'Hello' };
const published: CommunityEvent = { type: 'PostPublished', data };
const hidden: CommunityEvent = { type: 'PostHidden', data: { postId: 'p1', reason: 'rude' } };

const given = (...events: CommunityEvent[]): PostState => events.reduce<PostState>(evolvePost, null);

describe('a post', () => {
  it('is published once', () => {
    expect(publishPost(given(), data)).toEqual({ events: [published] });
    expect(publishPost(given(published), data)).toEqual({ events: [] });
    expect(publishPost(given(published, hidden), data)).toEqual({ events: [] });
    const other = { ...data, message: 'Bye' };
    expect(publishPost(given(published), other)).toEqual({ refusal: { code: 'idempotency-key-reused' } });
  });

  it('is hidden once, and only if it exists', () => {
    expect(hidePost(given(published), 'rude')).toEqual({ events: [hidden] });
    expect(hidePost(given(published, hidden), 'rude')).toEqual({ events: [] });
    expect(() => given(hidden)).toThrow('p1 was hidden without having been published');
    expect(hidePost(null, 'rude')).toEqual({ refusal: { code: 'post-not-found' } });
  });
});
