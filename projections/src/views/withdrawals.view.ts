import type { WithdrawalStatus } from '../../../contracts/http/withdrawals.js';
import type { Db } from '../database.js';
import { type Projected, type View } from './view.js';

/** Every request for a payout; one without a gamer is of the admin's own profit. */
export const withdrawalsView: View = {
  name: 'withdrawals',
  version: 2,
  tables: ['withdrawals'],
  ddl: `
    CREATE TABLE withdrawals (
      id text PRIMARY KEY,
      gamer_id text,
      amount_cents bigint NOT NULL,
      crypto_type text NOT NULL,
      wallet_address text NOT NULL,
      status text NOT NULL,
      admin_notes text,
      txid text,
      created_at_ms bigint NOT NULL,
      processed_at_ms bigint
    );
    CREATE INDEX withdrawals_newest ON withdrawals (created_at_ms DESC, id);
    CREATE INDEX withdrawals_waiting ON withdrawals (created_at_ms DESC, id)
      WHERE status IN ('pending', 'processing') AND gamer_id IS NOT NULL;
    CREATE INDEX withdrawals_by_gamer ON withdrawals (gamer_id, created_at_ms DESC)`,

  // Row by row: payouts are made by hand, so a batch holds few.
  async apply(batch, db) {
    if (TYPES.every((type) => batch.ofType(type).length === 0)) return;
    for (const projected of batch) await applyOne(projected, db);
  },
};

const TYPES = [
  'WithdrawalRequested',
  'WithdrawalProcessing',
  'WithdrawalCompleted',
  'WithdrawalReturned',
  'ProfitWithdrawalRequested',
  'ProfitWithdrawalCompleted',
  'ProfitWithdrawalReturned',
] as const;

async function applyOne({ event, metadata }: Projected, db: Db): Promise<void> {
  switch (event.type) {
    case 'WithdrawalRequested':
    case 'ProfitWithdrawalRequested': {
      const { withdrawalId, amountCents, cryptoType, walletAddress } = event.data;
      const gamerId = event.type === 'WithdrawalRequested' ? event.data.gamerId : null;
      await db.query(
        `INSERT INTO withdrawals (id, gamer_id, amount_cents, crypto_type, wallet_address, status, created_at_ms)
         VALUES ($1, $2, $3, $4, $5, 'pending', $6)`,
        [withdrawalId, gamerId, amountCents, cryptoType, walletAddress, metadata.at],
      );
      return;
    }
    case 'WithdrawalProcessing':
      return settle(db, { ...event.data, txid: null }, 'processing', null);
    case 'WithdrawalCompleted':
    case 'ProfitWithdrawalCompleted':
      return settle(db, event.data, 'completed', metadata.at);
    case 'WithdrawalReturned':
    case 'ProfitWithdrawalReturned':
      return settle(db, event.data, 'returned', metadata.at);
  }
}

async function settle(
  db: Db,
  { withdrawalId, adminNotes, txid }: { withdrawalId: string; adminNotes: string | null; txid: string | null },
  status: WithdrawalStatus,
  processedAtMs: number | null,
): Promise<void> {
  const { rowCount } = await db.query(
    `UPDATE withdrawals SET status = $2, admin_notes = coalesce($3, admin_notes), txid = $4, processed_at_ms = $5
     WHERE id = $1`,
    [withdrawalId, status, adminNotes, txid, processedAtMs],
  );
  if (rowCount !== 1) throw new Error(`withdrawal ${withdrawalId} was ${status} before it was requested`);
}
