import { type ReactNode, useState } from 'react';
import type { CommunityPost } from '../../../../../contracts/http/community.js';
import { REASON_MAX_LENGTH } from '../../../../../contracts/limits.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { Field } from '../../../shared/ui/field.js';
import { Listed } from '../../../shared/ui/listed.js';
import { toast } from '../../../shared/ui/toasts.js';
import { ConfirmDialog } from '../confirm-dialog.js';
import type { ShownColumn } from '../lists/data-table.js';
import { ListTable } from '../lists/list-table.js';
import { useHidePost, usePosts, usePostsSync } from './posts.queries.js';

const columns: ShownColumn<CommunityPost>[] = [
  { label: 'Posted', kind: 'moment', value: (row) => row.createdAt },
  { label: 'Gamer', kind: 'text', value: (row) => row.gamerTag, cell: (row) => <b>{row.gamerTag}</b> },
  { label: 'Message', kind: 'text', className: 'said', value: (row) => row.message },
  { label: 'Id', kind: 'text', value: (row) => row.id, exportOnly: true },
];

/** What gamers wrote lately, and the way to take a post out of everyone's sight. */
export function PostsRoom({ title }: { title: ReactNode }) {
  usePostsSync();
  const { query, older } = usePosts();
  const [hiding, setHiding] = useState<CommunityPost | null>(null);
  return (
    <>
      <div className="room-h">{title}</div>
      <Listed query={query} what="community posts">
        {({ rows }) => (
          <ListTable
            name="Community posts"
            columns={columns}
            rows={rows}
            empty="Nobody has posted yet."
            searchLabel="Search posts"
            older={older}
            actions={(post) => (
              <button
                type="button"
                className="btn btn--danger btn--sm"
                aria-label={`Hide ${post.gamerTag}’s post`}
                onClick={() => setHiding(post)}
              >
                Hide
              </button>
            )}
          />
        )}
      </Listed>
      {hiding && <HideDialog key={hiding.id} post={hiding} onClose={() => setHiding(null)} />}
    </>
  );
}

function HideDialog({ post, onClose }: { post: CommunityPost; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const { run, isBusy } = useHidePost();
  const hide = async () => {
    try {
      await run({ id: post.id, body: reason.trim() === '' ? {} : { reason: reason.trim() } });
      toast({ title: 'Post Hidden', text: `${post.gamerTag}’s post is out of the feed.` });
      onClose();
    } catch (error) {
      toast({ title: 'Update Failed', text: reasonOf(error, 'Failed to hide the post'), tone: 'bad' });
    }
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Hide ${post.gamerTag}’s post?`}
      what="It leaves the community feed for everyone and cannot be brought back. The log keeps it."
      keep="Leave it"
      confirm="Hide post"
      busy="Hiding…"
      isBusy={isBusy}
      tone="final"
      onConfirm={() => void hide()}
    >
      <blockquote className="note whitespace-pre-wrap">{post.message}</blockquote>
      <Field
        label="Reason, kept in the log"
        maxLength={REASON_MAX_LENGTH}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  );
}
