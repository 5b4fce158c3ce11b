import type { LedgerEvents, PayoutFailure } from '../../../contracts/events/ledger-events.js';
import type { GamerId } from '../../../contracts/ids.js';
import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { insertEntities } from '../sql-rows.js';
import { WalletRow, WithdrawalRow } from './tables.entity.js';
import { type EventContext, oneByOne, type View } from './view.js';

interface StatusChange {
  withdrawalId: string;
  gamerId?: GamerId;
  adminNotes: string | null;
  txid?: string | null;
}

const setStatus =
  (status: WithdrawalRow['status']) =>
  async (data: StatusChange, db: Db, { atMs, actor }: EventContext): Promise<void> => {
    const { withdrawalId, gamerId, adminNotes, txid = null } = data;
    const [settledAtMs, settledBy] = status === 'processing' ? [null, null] : [atMs, actor.id];
    const isCancelled = status === 'returned' && actor.id === gamerId;
    const { rowCount } = await db.query(
      `UPDATE withdrawals SET status = $2, admin_notes = coalesce($3, admin_notes), txid = $4, settled_at_ms = $5,
         is_cancelled = $6, settled_by = $7 WHERE id = $1`,
      [withdrawalId, status, adminNotes, txid, settledAtMs, isCancelled, settledBy],
    );
    if (rowCount !== 1) throw new Error(`withdrawal ${withdrawalId} was ${status} before it was requested`);
  };

/** Every withdrawal. One of `house:profit` has no gamer. */
export const withdrawalsView: View = {
  name: 'withdrawals',
  version: 5,
  tables: ['withdrawals'],
  ddl: `${createTable(WithdrawalRow)}
    CREATE INDEX withdrawals_newest ON withdrawals (created_at_ms DESC, id);
    CREATE INDEX withdrawals_waiting ON withdrawals (created_at_ms DESC, id)
      WHERE status IN ('pending', 'processing') AND gamer_id IS NOT NULL;
    CREATE INDEX withdrawals_by_gamer ON withdrawals (gamer_id, created_at_ms DESC)`,

  apply: oneByOne({
    WithdrawalRequested: (data, db, { atMs }) => insertWithdrawal(db, data.gamerId, data, atMs),
    ProfitWithdrawalRequested: (data, db, { atMs }) => insertWithdrawal(db, null, data, atMs),
    WithdrawalProcessing: setStatus('processing'),
    PayoutOrdered: ({ withdrawalId, batchId }, db) => setPayout(db, withdrawalId, batchId, null),
    PayoutFailed: ({ withdrawalId, outcome, paidAmount, txid }, db) =>
      setPayout(db, withdrawalId, null, { outcome, paidAmount, txid }),
    WithdrawalCompleted: setStatus('completed'),
    ProfitWithdrawalCompleted: setStatus('completed'),
    WithdrawalReturned: setStatus('returned'),
    ProfitWithdrawalReturned: setStatus('returned'),
  }),
};

function insertWithdrawal(
  db: Db,
  gamerId: GamerId | null,
  withdrawal: LedgerEvents['ProfitWithdrawalRequested'],
  atMs: number,
) {
  const row = { ...withdrawal, id: withdrawal.withdrawalId, gamerId, status: 'pending' as const, createdAtMs: atMs };
  return insertEntities(db, WithdrawalRow, [row]);
}

const setPayout = (db: Db, withdrawalId: string, batchId: string | null, failure: PayoutFailure | null) =>
  db.query('UPDATE withdrawals SET payout_batch_id = $2, payout_failure = $3 WHERE id = $1', [
    withdrawalId,
    batchId,
    failure,
  ]);

/** One address per coin. A removed gamer's addresses are null, and one saved during the removal does not change that. */
export const walletsView: View = {
  name: 'wallets',
  version: 1,
  tables: ['wallets'],
  ddl: createTable(WalletRow),

  apply: oneByOne({
    WalletSaved: ({ gamerId, cryptoType, walletAddress }, db) =>
      insertEntities(
        db,
        WalletRow,
        [{ gamerId, addresses: { [cryptoType]: walletAddress } }],
        'ON CONFLICT (gamer_id) DO UPDATE SET addresses = wallets.addresses || excluded.addresses',
      ),
    GamerRemoved: ({ gamerId }, db) =>
      insertEntities(
        db,
        WalletRow,
        [{ gamerId, addresses: null }],
        'ON CONFLICT (gamer_id) DO UPDATE SET addresses = NULL',
      ),
  }),
};
