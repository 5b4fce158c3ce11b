import { COMMUNITY_STREAM } from '../../../contracts/streams.js';
import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { sqlRows, texts } from '../sql-rows.js';
import { CommunityPostRow } from './tables.entity.js';
import type { Batch, View } from './view.js';

/**
 * The community's posts. A removed gamer's posts are deleted, as their streams are; posts in the old stream `community`
 * are blanked instead, because their events stay in the log (decision 38). Both also hold for a post that was published
 * during the removal and so comes after it in the log.
 */
export const communityView: View = {
  name: 'community',
  version: 2,
  tables: ['community_posts', 'community_removed_gamers'],
  ddl: `${createTable(CommunityPostRow)}
    CREATE INDEX community_posts_seen ON community_posts (position DESC) WHERE NOT is_hidden;
    CREATE INDEX community_posts_by_gamer ON community_posts (gamer_id);
    CREATE TABLE community_removed_gamers (gamer_id text PRIMARY KEY)`,

  async apply(batch, db) {
    await publish(batch, db);
    await hide(batch, db);
    await erase(batch, db);
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
    is_erasable: ['boolean', ({ stream }) => stream !== COMMUNITY_STREAM],
  });
  // A command that was replayed across the change of streams may have published the same post in both.
  await db.query(
    `INSERT INTO community_posts (id, gamer_id, message, created_at_ms, is_hidden, position, is_erasable)
     SELECT id, gamer_id, CASE WHEN removed.gamer_id IS NULL THEN message ELSE '' END, at_ms, false, position, is_erasable
     FROM ${sql} LEFT JOIN community_removed_gamers AS removed USING (gamer_id)
     WHERE removed.gamer_id IS NULL OR NOT is_erasable
     ON CONFLICT (id) DO NOTHING`,
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

async function erase(batch: Batch, db: Db): Promise<void> {
  const removed = batch.removedGamers;
  if (removed.length === 0) return;
  const gamers = [texts(removed)];
  await db.query(
    'INSERT INTO community_removed_gamers SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING',
    gamers,
  );
  await db.query('DELETE FROM community_posts WHERE is_erasable AND gamer_id = ANY ($1::text[])', gamers);
  await db.query("UPDATE community_posts SET message = '' WHERE gamer_id = ANY ($1::text[])", gamers);
}
