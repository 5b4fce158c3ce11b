import { createTable } from '../columns.js';
import { CommunityPostRow } from './tables.entity.js';
import { eraseRemoved, oneByOne, type View } from './view.js';

/** The community's posts. A removed gamer's are deleted, also one that comes after the removal in the log. */
export const communityView: View = {
  name: 'community',
  version: 1,
  tables: ['community_posts', 'community_removed_gamers'],
  ddl: `${createTable(CommunityPostRow)}
    CREATE INDEX community_posts_seen ON community_posts (position DESC) WHERE NOT is_hidden;
    CREATE INDEX community_posts_by_gamer ON community_posts (gamer_id);
    CREATE TABLE community_removed_gamers (gamer_id text PRIMARY KEY)`,

  apply: oneByOne({
    PostPublished: ({ postId, gamerId, message }, db, { atMs, position }) =>
      db.query(
        `INSERT INTO community_posts (id, gamer_id, message, created_at_ms, is_hidden, position)
         SELECT $1, $2, $3, $4::bigint, false, $5::bigint
         WHERE NOT EXISTS (SELECT FROM community_removed_gamers WHERE gamer_id = $2)`,
        [postId, gamerId, message, atMs, position],
      ),
    PostHidden: ({ postId }, db) => db.query('UPDATE community_posts SET is_hidden = true WHERE id = $1', [postId]),
    GamerRemoved: ({ gamerId }, db) => eraseRemoved(db, gamerId, 'community_posts', 'community_removed_gamers'),
  }),
};
