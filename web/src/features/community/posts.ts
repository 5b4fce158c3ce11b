import type { CommunityPost } from '../../../../contracts/http/community.js';
import type { Winner } from '../../../../contracts/http/rounds.js';
import { COMMUNITY_MESSAGE_MAX_LENGTH } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { agoText, recentDayText } from '../../shared/format.js';

export function postOf(text: string): { message: string } | { problem: string } {
  const message = text.trim();
  if (message === '') return { problem: refusalText({ code: 'message-required' }) };
  if (message.length > COMMUNITY_MESSAGE_MAX_LENGTH) return { problem: refusalText({ code: 'message-too-long' }) };
  return { message };
}

/** Also the start of the key of the admin's list: hiding a post reloads both. */
export const postsKey = ['/api', 'community', 'posts'] as const;

const DAY_MS = 24 * 60 * 60_000;
const WEEK_DAYS = 7;

export function postedText(epochMs: number, nowEpochMs: number): string {
  const days = Math.floor((nowEpochMs - epochMs) / DAY_MS);
  if (days < 2) return agoText(epochMs, nowEpochMs);
  return days < WEEK_DAYS ? `${days} days ago` : recentDayText(epochMs, nowEpochMs);
}

type PostRow = { post: CommunityPost } | { winner: Winner };

/** The feed's rows, newest first: before each post, the last round that ended between it and the next newer post. */
export const postRows = (posts: readonly CommunityPost[], winners: readonly Winner[]): PostRow[] =>
  posts.flatMap((post, index) => {
    const newerAt = posts[index - 1]?.createdAt ?? Number.POSITIVE_INFINITY;
    const winner = winners.find(({ endedAt }) => endedAt > post.createdAt && endedAt <= newerAt);
    return winner === undefined ? [{ post }] : [{ winner }, { post }];
  });
