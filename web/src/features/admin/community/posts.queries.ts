import type { CommunityPost, HidePostRequest } from '../../../../../contracts/http/community.js';
import type { MessageResponse } from '../../../../../contracts/http/gamers.js';
import type { PostId } from '../../../../../contracts/ids.js';
import { useRefreshOn } from '../../../shared/live/use-refresh-on.js';
import { useNewest } from '../lists/use-newest.js';
import { useAdminCommand } from '../use-admin-command.js';

/** Specification §9, polling: community posts. */
const POLLED_EVERY_MS = 30_000;
/** Also the beginning of the gamers' feed's key: a post that is hidden leaves both. */
const postsKey = ['/api', 'community', 'posts'] as const;

export const usePosts = () => useNewest<CommunityPost>(postsKey, { everyMs: POLLED_EVERY_MS });

export const usePostsSync = (): void => useRefreshOn('community:new_post', postsKey);

export const useHidePost = () =>
  useAdminCommand<MessageResponse, { id: PostId; body: HidePostRequest }>(
    'DELETE',
    ({ id, body }) => ({ path: `/api/admin/community/posts/${id}`, body }),
    [postsKey],
  );
