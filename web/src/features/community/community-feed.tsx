import type { CommunityPost, PublishPostRequest } from '../../../../contracts/http/community.js';
import type { GamerSession } from '../../../../contracts/http/gamers.js';
import { COMMUNITY_MESSAGE_MAX_LENGTH } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { reasonOf } from '../../shared/api/api-client.js';
import { useApi } from '../../shared/api/use-api.js';
import { useCommand } from '../../shared/api/use-command.js';
import { useServerNow } from '../../shared/clock.js';
import { dateTimeText } from '../../shared/format.js';
import { POLLED_EVERY_MS } from '../../shared/lists/list-queries.js';
import { Button, Field, Form, useFields } from '../../shared/ui/controls.js';
import { LoadFailure, Loading, scrollable } from '../../shared/ui/notice.js';
import { RoundEnd } from '../../shared/ui/round-end.js';
import { useWinners } from '../../shared/winners.queries.js';
import { postedText, postOf, postRows, postsKey } from './posts.js';
import './community.css';

interface SessionProps {
  session: GamerSession | null | undefined;
}

export const CommunityFeed = ({ session }: SessionProps) => (
  <>
    <Composer session={session} />
    <Posts myTag={session?.gamerTag ?? null} />
  </>
);

function Composer({ session }: SessionProps) {
  const { values, bind, change, fail } = useFields({ message: '' });
  const { send: publish, isBusy } = useCommand<PublishPostRequest>('POST', '/api/community/posts', {
    reloads: [postsKey],
  });

  const submit = async () => {
    if (isBusy || session === undefined) return;
    if (session === null) return fail('Authentication Error', { message: refusalText({ code: 'login-to-post' }) });
    const post = postOf(values.message);
    if ('problem' in post) return fail('Invalid Form', { message: post.problem });
    try {
      await publish({ gamerId: session.id, message: post.message });
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
        <Button type="submit" kind="line sm" text={isBusy ? 'Posting…' : 'Post'} aria-disabled={isBusy || undefined} />
      </Field>
    </Form>
  );
}

function Posts({ myTag }: { myTag: string | null }) {
  const { data, isPending, refetch } = useApi<CommunityPost[]>(postsKey, {
    refreshOn: 'community:new_post',
    refetchInterval: POLLED_EVERY_MS,
  });
  const { data: winners } = useWinners();
  const now = useServerNow();
  if (isPending) return <Loading label="Loading the community feed" rows={4} />;
  if (data === undefined) return <LoadFailure text="The community feed could not be loaded" onRetry={refetch} />;
  if (data.length === 0) return <p className="empty">Nobody has posted yet. Write the first message.</p>;
  return (
    <section className="feed" {...scrollable('Posts')}>
      <ul className="rows">
        {postRows(data, winners?.winners ?? []).map((row) =>
          'post' in row ? (
            <PostItem key={row.post.id} post={row.post} isYou={row.post.gamerTag === myTag} now={now} />
          ) : (
            <RoundEnd key={row.winner.roundId} roundId={row.winner.roundId} winner={row.winner} />
          ),
        )}
      </ul>
    </section>
  );
}

function PostItem({ post, isYou, now }: { post: CommunityPost; isYou: boolean; now: number }) {
  const { gamerTag, createdAt, message } = post;
  return (
    <li className="post">
      <p>
        <b>{gamerTag}</b>
        {isYou && <span className="you">You</span>}{' '}
        <time className="t14 dim" dateTime={new Date(createdAt).toISOString()} title={dateTimeText(createdAt)}>
          {postedText(createdAt, now)}
        </time>
      </p>
      <p className="post-text">{message}</p>
    </li>
  );
}
