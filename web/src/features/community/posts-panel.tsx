import { type ReactNode, useState } from 'react';
import type { CommunityPost, HidePostRequest } from '../../../../contracts/http/community.js';
import { useCommand, useRefreshOn } from '../../shared/api/api-client.js';
import { column, type TableColumn } from '../../shared/lists/data-table.js';
import { NewestTable, POLLED_EVERY_MS, useNewestRows } from '../../shared/lists/list-table.js';
import { ConfirmDialog, PanelHead, ReasonField } from '../../shared/ui/admin-parts.js';
import { Button, useFields } from '../../shared/ui/controls.js';
import { postsKey } from './community-feed.js';

const columns: TableColumn<CommunityPost>[] = [
  column.dateTime('Posted', (row) => row.createdAt),
  column.gamer,
  column.text('Message', (row) => row.message, { className: 'said' }),
  column.id,
];

export function PostsPanel({ title }: { title: ReactNode }) {
  useRefreshOn(postsKey, 'community:new_post');
  const posts = useNewestRows<CommunityPost>(postsKey, { everyMs: POLLED_EVERY_MS });
  const [hiding, setHiding] = useState<CommunityPost | null>(null);
  return (
    <>
      <PanelHead title={title} />
      <NewestTable
        list={posts}
        name="Community posts"
        columns={columns}
        empty="Nobody has posted yet."
        actions={(post) => (
          <Button kind="danger sm" text="Hide" of={`${post.gamerTag}’s post`} onClick={() => setHiding(post)} />
        )}
      />
      {hiding && <HideDialog key={hiding.id} post={hiding} onClose={() => setHiding(null)} />}
    </>
  );
}

function HideDialog({ post: { id, gamerTag, message }, onClose }: { post: CommunityPost; onClose: () => void }) {
  const { values, bind } = useFields({ reason: '' });
  const { run } = useCommand<HidePostRequest>('DELETE', `/api/admin/community/posts/${id}`, {
    intent: 'hide the post',
    reloads: [postsKey],
  });
  const reason = values.reason.trim() || undefined;
  return (
    <ConfirmDialog
      title={`Hide ${gamerTag}’s post?`}
      description="It disappears from the community feed for everyone and cannot be restored. The log keeps it."
      labels={{ cancel: 'Leave it', confirm: 'Hide post', busy: 'Hiding…' }}
      tone="final"
      onClose={onClose}
      onConfirm={() => run({ reason }, { title: 'Post Hidden', text: `${gamerTag}’s post is no longer in the feed.` })}
    >
      <blockquote className="note whitespace-pre-wrap">{message}</blockquote>
      <ReasonField label="Reason, kept in the log" {...bind('reason')} />
    </ConfirmDialog>
  );
}
