import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { sqlRows, texts } from '../sql-rows.js';
import { CommunityPostRow } from './tables.entity.js';
import { type Batch, eraseRemoved, type View } from './view.js';

/** The community's posts. A removed gamer's are deleted, also one that comes after the removal in the log. */
export const communityView: View = {
  name: 'community',
  version: 1,
  tables: ['community_posts', 'community_removed_gamers'],
  ddl: `${createTable(CommunityPostRow)}
    CREATE INDEX community_posts_seen ON community_posts (position DESC) WHERE NOT is_hidden;
    CREATE INDEX community_posts_by_gamer ON community_posts (gamer_id);
    CREATE TABLE community_removed_gamers (gamer_id text PRIMARY KEY)`,

  async apply(batch, db) {
    await publish(batch, db);
    await hide(batch, db);
    await eraseRemoved(batch, db, 'community_posts', 'community_removed_gamers');
  },
};

async function publish(batch: Batch, db: Db): Promise<void> {
  const published = batch.ofType('PostPublished');
  if (published.length === 0) return;
  const { sql, parameters } = sqlRows('published', published, {
    id: ['text', ({ event }) => event.data.postId],
    gamer_id: ['text', ({ event }) => event.data.gamerId],
    message: ['text', ({ event }) => event.data.message],
    at_ms: ['bigint', ({ metadata }) => metadata.at],
    position: ['bigint', ({ position }) => position],
  });
  await db.query(
    `INSERT INTO community_posts (id, gamer_id, message, created_at_ms, is_hidden, position)
     SELECT id, gamer_id, message, at_ms, false, position
     FROM ${sql} LEFT JOIN community_removed_gamers AS removed USING (gamer_id)
     WHERE removed.gamer_id IS NULL`,
    parameters,
  );
}

async function hide(batch: Batch, db: Db): Promise<void> {
  const hidden = batch.ofType('PostHidden');
  if (hidden.length === 0) return;
  await db.query('UPDATE community_posts SET is_hidden = true WHERE id = ANY ($1::text[])', [
    texts(hidden.map(({ event }) => event.data.postId)),
  ]);
}
