import { integers, texts } from '../array-literals.js';
import type { Db } from '../database.js';
import type { Batch, View } from './view.js';

/**
 * The community's posts. A removed gamer's are blank (decision 38), also one that was written at the very moment of the
 * removal and so stands behind it in the log. `last_revision` is that of the last event about the post: the greatest
 * says up to where in the stream this table knows everything.
 */
export const communityView: View = {
  name: 'community',
  version: 1,
  tables: ['community_posts', 'community_removed_gamers'],
  ddl: `
    CREATE TABLE community_posts (
      id text PRIMARY KEY,
      gamer_id text NOT NULL,
      message text NOT NULL,
      created_at_ms bigint NOT NULL,
      is_hidden boolean NOT NULL,
      revision bigint NOT NULL,
      last_revision bigint NOT NULL
    );
    CREATE UNIQUE INDEX community_posts_seen ON community_posts (revision DESC) WHERE NOT is_hidden;
    CREATE INDEX community_posts_last ON community_posts (last_revision);
    CREATE INDEX community_posts_by_gamer ON community_posts (gamer_id);
    CREATE TABLE community_removed_gamers (gamer_id text PRIMARY KEY)`,

  async apply(batch, db) {
    await publish(batch, db);
    await hide(batch, db);
    await blank(batch, db);
  },
};

async function publish(batch: Batch, db: Db): Promise<void> {
  const published = batch.ofType('PostPublished');
  if (published.length === 0) return;
  await db.query(
    `INSERT INTO community_posts (id, gamer_id, message, created_at_ms, is_hidden, revision, last_revision)
     SELECT id, gamer_id, CASE WHEN removed.gamer_id IS NULL THEN message ELSE '' END, at_ms, false, revision, revision
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
       AS published (id, gamer_id, message, at_ms, revision)
     LEFT JOIN community_removed_gamers AS removed USING (gamer_id)`,
    [
      texts(published.map(({ event }) => event.data.postId)),
      texts(published.map(({ event }) => event.data.gamerId)),
      texts(published.map(({ event }) => event.data.message)),
      integers(published.map(({ metadata }) => metadata.at)),
      integers(published.map(({ revision }) => revision)),
    ],
  );
}

async function hide(batch: Batch, db: Db): Promise<void> {
  const hidden = batch.ofType('PostHidden');
  if (hidden.length === 0) return;
  const { rowCount } = await db.query(
    `UPDATE community_posts SET is_hidden = true, last_revision = hidden.revision
     FROM unnest($1::text[], $2::bigint[]) AS hidden (id, revision) WHERE community_posts.id = hidden.id`,
    [texts(hidden.map(({ event }) => event.data.postId)), integers(hidden.map(({ revision }) => revision))],
  );
  if (rowCount !== hidden.length) throw new Error('a post was hidden before it was published');
}

async function blank(batch: Batch, db: Db): Promise<void> {
  const removed = batch.ofType('GamerRemoved').map(({ event }) => event.data.gamerId);
  if (removed.length === 0) return;
  await db.query('INSERT INTO community_removed_gamers SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING', [
    texts(removed),
  ]);
  await db.query("UPDATE community_posts SET message = '' WHERE gamer_id = ANY ($1::text[])", [texts(removed)]);
}
