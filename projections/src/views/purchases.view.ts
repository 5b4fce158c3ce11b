import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { insertEntities, updateRows } from '../sql-rows.js';
import { LatePurchaseRow, RecentPurchaseRow } from './tables.entity.js';
import type { Batch, View } from './view.js';

/** Number of kept purchases: more than any feed shows. */
const MAX_ROWS = 100;

/** `added_seconds` and `ends_at_ms` are null until the purchase's TimeExtended; queries skip such rows. */
export const recentPurchasesView: View = {
  name: 'recent-purchases',
  version: 1,
  tables: ['recent_purchases'],
  ddl: createTable(RecentPurchaseRow),

  async apply(batch, db) {
    await insertPurchases(batch, db);
    await extendPurchases(batch, db);
  },
};

export const latePurchasesView: View = {
  name: 'late-purchases',
  version: 1,
  tables: ['late_purchases'],
  ddl: `${createTable(LatePurchaseRow)}
    CREATE INDEX late_purchases_by_gamer ON late_purchases (gamer_id, received_at_ms DESC)`,

  async apply(batch, db) {
    const late = batch.ofType('PurchaseCameLate');
    const rows = late.map(({ event, metadata }) => ({ ...event.data, commandId: metadata.commandId }));
    await insertEntities(db, LatePurchaseRow, rows);
  },
};

async function insertPurchases(batch: Batch, db: Db): Promise<void> {
  const purchases = batch.ofType('TokenPurchased').slice(-MAX_ROWS);
  if (purchases.length === 0) return;
  const rows = purchases.map(({ revision, event: { data }, metadata: { at: atMs } }) => {
    const { purchaseId, roundId, buyerId, quantity, jackpotCents } = data;
    return { revision, purchaseId, roundId, buyerId, atMs, quantity, jackpotCents };
  });
  await insertEntities(db, RecentPurchaseRow, rows);
  await db.query(
    `DELETE FROM recent_purchases
     WHERE revision < (SELECT revision FROM recent_purchases ORDER BY revision DESC OFFSET $1 LIMIT 1)`,
    [MAX_ROWS - 1],
  );
}

async function extendPurchases(batch: Batch, db: Db): Promise<void> {
  await updateRows(db, 'recent_purchases', batch.ofType('TimeExtended').slice(-MAX_ROWS), {
    purchase_id: ['text', ({ event }) => event.data.purchaseId],
    added_seconds: ['integer', ({ event }) => event.data.addedSeconds],
    ends_at_ms: ['bigint', ({ event }) => event.data.endsAtEpochMs],
  });
}
