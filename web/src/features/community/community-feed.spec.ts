import { DAY_MS } from '../../../../contracts/durations.js';
import type { CommunityPost } from '../../../../contracts/http/community.js';
import type { Winner } from '../../../../contracts/http/rounds.js';
import { postedText, postRows } from './community-feed.js';

const NOW = Date.UTC(2025, 9, 20, 16, 0, 0);

it.each([
  [2 * DAY_MS - 1, 'Yesterday'],
  [2 * DAY_MS, '2 days ago'],
  [6 * DAY_MS, '6 days ago'],
  [7 * DAY_MS, 'Oct 13'],
])('a post of %d ms ago reads %s', (ageMs, text) => expect(postedText(NOW - ageMs, NOW)).toBe(text));

it('shows the last round that ended between two posts', () => {
  const posts = [40, 20, 10].map((createdAt) => ({ createdAt }) as CommunityPost);
  const winners = [50, 35, 30, 5].map((endedAt) => ({ endedAt }) as Winner);
  const times = postRows(posts, winners).map((row) =>
    'post' in row ? row.post.createdAt : `end ${row.winner.endedAt}`,
  );
  expect(times).toEqual(['end 50', 40, 'end 35', 20, 10]);
});
