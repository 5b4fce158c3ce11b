import { type FormEvent, useState } from 'react';
import type { GamerSession } from '../../../../contracts/http/accounts.js';
import { COMMUNITY_MESSAGE_MAX_LENGTH } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/messages.js';
import { reasonOf } from '../../shared/api/api-error.js';
import { useServerNow } from '../../shared/clock/use-server-now.js';
import { momentText } from '../../shared/format/time-text.js';
import { AreaField } from '../../shared/ui/area-field.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { toast } from '../../shared/ui/toasts.js';
import { usePosts, usePublishPost } from './community.queries.js';
import { postOf } from './post-rules.js';
import { postedText } from './post-time.js';
import './community.css';

/** Where gamers write to everyone. Visitors read. */
export function CommunityFeed({ session }: { session: GamerSession | null }) {
  return (
    <>
      <Composer session={session} />
      <Posts myTag={session?.gamerTag ?? null} />
    </>
  );
}

function Composer({ session }: { session: GamerSession | null }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { publish, isPending } = usePublishPost();

  const fail = (title: string, reason: string) => {
    setProblem(reason);
    toast({ title, text: reason, tone: 'bad' });
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    if (!session) return fail('Authentication Error', refusalText({ code: 'login-to-post' }));
    const post = postOf(text);
    if ('problem' in post) return fail('Invalid Form', post.problem);
    try {
      await publish({ gamerId: session.id, message: post.message });
      setText('');
      setProblem(null);
    } catch (error) {
      fail('Failed to Post', reasonOf(error, 'Your message is still here. Please try again.'));
    }
  };

  return (
    <form className="composer" noValidate onSubmit={(event) => void submit(event)}>
      <AreaField
        label="Message"
        labelHidden
        rows={2}
        className="composer-text"
        placeholder={session ? 'Say something to the room' : refusalText({ code: 'login-to-post' })}
        limit={COMMUNITY_MESSAGE_MAX_LENGTH}
        value={text}
        error={problem}
        disabled={session === null}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(null);
        }}
      >
        <button type="submit" className="btn btn--line btn--sm" aria-disabled={isPending || undefined}>
          {isPending ? 'Posting…' : 'Post'}
        </button>
      </AreaField>
    </form>
  );
}

function Posts({ myTag }: { myTag: string | null }) {
  const { data, isPending, refetch } = usePosts();
  const now = useServerNow();
  if (isPending) return <Loading label="Loading the community feed" rows={4} />;
  if (data === undefined)
    return <LoadFailure text="The community feed could not be loaded" onRetry={() => void refetch()} />;
  if (data.length === 0) return <p className="empty">Nobody has posted yet. The first message stands here.</p>;
  return (
    <section className="posts" aria-label="Posts" {...scrollable}>
      <ul className="rows">
        {data.map((post) => (
          <li key={post.id} className="post">
            <p>
              <b>{post.gamerTag}</b>
              {post.gamerTag === myTag && <span className="you">You</span>}{' '}
              <time
                className="t14 dim"
                dateTime={new Date(post.createdAt).toISOString()}
                title={momentText(post.createdAt)}
              >
                {postedText(post.createdAt, now)}
              </time>
            </p>
            <p className="post-text">{post.message}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** It scrolls, so the keyboard must reach it. */
const scrollable = { tabIndex: 0 };
