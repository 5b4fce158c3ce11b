import type { GamerId, PostId } from '../ids.js';

/** GET /api/community/posts: newest first; hidden posts are left out. */
export interface CommunityPost {
  id: PostId;
  gamerTag: string;
  message: string;
  createdAt: number;
}

/** POST /api/community/posts */
export type PublishPostRequest = { gamerId: GamerId; message: string };

/** DELETE /api/admin/community/posts/{id} */
export type HidePostRequest = { reason?: string };
