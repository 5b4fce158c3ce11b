import { integers, texts } from '../array-literals.js';
import type { Db } from '../database.js';
import { type Batch, type View } from './view.js';

/** More than any feed shows, so that a page of the latest is always there. */
const KEPT = 100;

interface Row {
  revision: number;
  purchaseId: string;
  roundId: number;
  buyerId: string;
  atMs: number;
  quantity: number;
  jackpotCents: number;
}

/**
 * The latest purchases, whichever round. A row's `added_seconds` and `ends_at_ms` come with the TimeExtended that follows
 * its TokenPurchased in the same append, which may be in the next batch: until then they are null and the row is not shown.
 */
export const recentPurchasesView: View = {
  name: 'recent-purchases',
  version: 1,
  tables: ['recent_purchases'],
  ddl: `
    CREATE TABLE recent_purchases (
      revision bigint PRIMARY KEY,
      purchase_id text NOT NULL UNIQUE,
      round_id integer NOT NULL,
      buyer_id text NOT NULL,
      at_ms bigint NOT NULL,
      quantity integer NOT NULL,
      jackpot_cents bigint NOT NULL,
      added_seconds integer,
      ends_at_ms bigint
    )`,

  async apply(batch, db) {
    await insertPurchases(batch, db);
    await extendPurchases(batch, db);
  },
};

async function insertPurchases(batch: Batch, db: Db): Promise<void> {
  const rows: Row[] = batch
    .ofType('TokenPurchased')
    .slice(-KEPT)
    .map(({ revision, event: { data }, metadata }) => ({
      revision,
      purchaseId: data.purchaseId,
      roundId: data.roundId,
      buyerId: data.buyerId,
      atMs: metadata.at,
      quantity: data.quantity,
      jackpotCents: data.jackpotCents,
    }));
  if (rows.length === 0) return;
  await db.query(
    `INSERT INTO recent_purchases (revision, purchase_id, round_id, buyer_id, at_ms, quantity, jackpot_cents)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::int[], $4::text[], $5::bigint[], $6::int[], $7::bigint[])`,
    [
      integers(rows.map(({ revision }) => revision)),
      texts(rows.map(({ purchaseId }) => purchaseId)),
      integers(rows.map(({ roundId }) => roundId)),
      texts(rows.map(({ buyerId }) => buyerId)),
      integers(rows.map(({ atMs }) => atMs)),
      integers(rows.map(({ quantity }) => quantity)),
      integers(rows.map(({ jackpotCents }) => jackpotCents)),
    ],
  );
  await db.query(
    `DELETE FROM recent_purchases
     WHERE revision < (SELECT revision FROM recent_purchases ORDER BY revision DESC OFFSET $1 LIMIT 1)`,
    [KEPT - 1],
  );
}

async function extendPurchases(batch: Batch, db: Db): Promise<void> {
  const extensions = batch.ofType('TimeExtended').slice(-KEPT);
  if (extensions.length === 0) return;
  await db.query(
    `UPDATE recent_purchases SET added_seconds = extension.added_seconds, ends_at_ms = extension.ends_at_ms
     FROM unnest($1::text[], $2::int[], $3::bigint[]) AS extension (purchase_id, added_seconds, ends_at_ms)
     WHERE recent_purchases.purchase_id = extension.purchase_id`,
    [
      texts(extensions.map(({ event }) => event.data.purchaseId)),
      integers(extensions.map(({ event }) => event.data.addedSeconds)),
      integers(extensions.map(({ event }) => event.data.endsAtEpochMs)),
    ],
  );
}
