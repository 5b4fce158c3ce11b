import { DAY_MS } from '../../../../contracts/durations.js';
import type { CommunityPost, PublishPostRequest } from '../../../../contracts/http/community.js';
import type { Winner } from '../../../../contracts/http/rounds.js';
import { COMMUNITY_MESSAGE_MAX_LENGTH } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { reasonOf, useApi, useCommand } from '../../shared/api/api-client.js';
import { useServerNow } from '../../shared/clock.js';
import { agoText, dateTimeText, recentDayText } from '../../shared/format.js';
import { useSession } from '../../shared/session.queries.js';
import { Field, Form, Submit, useFields } from '../../shared/ui/controls.js';
import { LoadingOrFailure } from '../../shared/ui/query-result.js';
import { scrollable } from '../../shared/ui/table.js';
import { RoundEnd, useWinners } from '../../shared/winners.js';
import './community.css';

export default function CommunityFeed() {
  return (
    <>
      <Composer />
      <Posts />
    </>
  );
}

function Composer() {
  const session = useSession();
  const { values, bind, change, fail } = useFields({ message: '' });
  const { send: publish } = useCommand<PublishPostRequest>('POST', '/api/community/posts');
  const submit = async () => {
    if (session === undefined) return;
    if (session === null) return fail('Authentication Error', { message: refusalText({ code: 'login-to-post' }) });
    try {
      await publish({ gamerId: session.id, message: values.message });
      change({ message: '' });
    } catch (error) {
      fail('Failed to Post', { message: reasonOf(error, 'Your message is still here. Please try again.') });
    }
  };
  return (
    <Form className="composer" onSubmit={submit}>
      <Field
        label="Message"
        labelHidden
        rows={2}
        className="composer-text"
        placeholder={session === null ? refusalText({ code: 'login-to-post' }) : 'Write a message'}
        limit={COMMUNITY_MESSAGE_MAX_LENGTH}
        disabled={!session}
        {...bind('message')}
      >
        <Submit kind="line sm" text="Post" busy="Posting…" />
      </Field>
    </Form>
  );
}

function Posts() {
  const myTag = useSession()?.gamerTag;
  const { data, ...query } = useApi<CommunityPost[]>(postsKey, {
    refreshOn: ['community:new_post'],
    refetchInterval: POLLED_EVERY_MS,
  });
  const { data: winners } = useWinners();
  const nowMs = useServerNow();
  if (data === undefined) return <LoadingOrFailure {...query} noun="the community feed" rows={4} />;
  if (data.length === 0)
    return <p className="empty">{`Nobody has posted yet.${myTag === undefined ? '' : ' Write the first message.'}`}</p>;
  return (
    <section className="feed" {...scrollable('Posts')}>
      <ul className="rows">
        {postRows(data, winners?.winners ?? []).map((row) =>
          'post' in row ? (
            <PostItem key={row.post.id} post={row.post} isYou={row.post.gamerTag === myTag} nowMs={nowMs} />
          ) : (
            <RoundEnd key={row.winner.roundId} roundId={row.winner.roundId} winner={row.winner} />
          ),
        )}
      </ul>
    </section>
  );
}

function PostItem({ post, isYou, nowMs }: { post: CommunityPost; isYou: boolean; nowMs: number }) {
  const { gamerTag, createdAt, message } = post;
  return (
    <li className="post">
      <p>
        <b>{gamerTag}</b>
        {isYou && <span className="you">You</span>}{' '}
        <time className="t14 dim" dateTime={new Date(createdAt).toISOString()} title={dateTimeText(createdAt)}>
          {postedText(createdAt, nowMs)}
        </time>
      </p>
      <p className="post-text">{message}</p>
    </li>
  );
}

/** The admin's list has a key below this one: hiding a post reloads both. */
export const postsKey = ['/api', 'community', 'posts'] as const;
/** Specification §9, polling. */
const POLLED_EVERY_MS = 30_000;
const WEEK_DAYS = 7;

export function postedText(epochMs: number, nowMs: number): string {
  const days = Math.floor((nowMs - epochMs) / DAY_MS);
  if (days < 2) return agoText(epochMs, nowMs);
  return days < WEEK_DAYS ? `${days} days ago` : recentDayText(epochMs, nowMs);
}

type PostRow = { post: CommunityPost } | { winner: Winner };

/** The feed's rows, newest first: before each post, the last round that ended between it and the next newer post. */
export const postRows = (posts: readonly CommunityPost[], winners: readonly Winner[]): PostRow[] =>
  posts.flatMap((post, index) => {
    const newerAtMs = posts[index - 1]?.createdAt ?? Number.POSITIVE_INFINITY;
    const winner = winners.find(({ endedAt }) => endedAt > post.createdAt && endedAt <= newerAtMs);
    return winner === undefined ? [{ post }] : [{ winner }, { post }];
  });
