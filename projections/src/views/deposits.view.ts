import { createTable } from '../columns.js';
import { DepositRow } from './tables.entity.js';
import { oneByOne, type View } from './view.js';

/** Every gateway payment that the ledger recorded, for the admin's lists and the gamers' statements. */
export const depositsView: View = {
  name: 'deposits',
  version: 1,
  tables: ['deposits'],
  ddl: `${createTable(DepositRow)}
    CREATE INDEX deposits_pending ON deposits (created_at_ms DESC, payment_id) WHERE outcome = 'pending';
    CREATE INDEX deposits_approved ON deposits (settled_at_ms DESC, payment_id) WHERE outcome = 'approved';
    CREATE INDEX deposits_rejected ON deposits (settled_at_ms DESC, payment_id) WHERE outcome = 'rejected';
    CREATE INDEX deposits_bought ON deposits (gamer_id, purchase_revision) WHERE outcome = 'tokens'`,

  apply: oneByOne({
    DepositRecorded: ({ depositId, paymentId, purpose, gamerId, amountCents, cryptoType, reason }, db, atMs) =>
      db.query(
        `INSERT INTO deposits (payment_id, deposit_id, purpose, outcome, gamer_id, amount_cents, crypto_type, reason, created_at_ms)
         VALUES ($1, $2, $3, 'pending', $4, $5, $6, $7, $8)`,
        [paymentId, depositId, purpose, gamerId, amountCents, cryptoType, reason, atMs],
      ),
    DepositApproved: ({ depositId, paymentId, purpose, gamerId, amountCents, cryptoType }, db, atMs) =>
      db.query(
        `INSERT INTO deposits (payment_id, deposit_id, purpose, outcome, gamer_id, amount_cents, crypto_type, created_at_ms, settled_at_ms)
         VALUES ($1, $2, $3, 'approved', $4, $5, $6, $7, $7)
         ON CONFLICT (payment_id) DO UPDATE
         SET outcome = 'approved', gamer_id = excluded.gamer_id, settled_at_ms = excluded.settled_at_ms`,
        [paymentId, depositId, purpose, gamerId, amountCents, cryptoType, atMs],
      ),
    async DepositRejected({ paymentId }, db, atMs) {
      const { rowCount } = await db.query(
        `UPDATE deposits SET outcome = 'rejected', settled_at_ms = $2 WHERE payment_id = $1`,
        [paymentId, atMs],
      );
      if (rowCount !== 1) throw new Error(`payment ${paymentId} was rejected before it was recorded`);
    },
    InvoiceCredited: ({ paymentId, gamerId, amountCents, cryptoType }, db, atMs) =>
      db.query(
        `INSERT INTO deposits (payment_id, purpose, outcome, gamer_id, amount_cents, crypto_type, created_at_ms, settled_at_ms)
         VALUES ($1, 'tokens', 'balance', $2, $3, $4, $5, $5)`,
        [paymentId, gamerId, amountCents, cryptoType, atMs],
      ),
    async TokenPurchased({ paymentId, purchaseId, buyerId, costCents }, db, atMs, revision) {
      if (paymentId === undefined) return;
      await db.query(
        `INSERT INTO deposits (payment_id, purchase_id, purchase_revision, purpose, outcome, gamer_id, amount_cents, created_at_ms, settled_at_ms)
         VALUES ($1, $2, $3, 'tokens', 'tokens', $4, $5, $6, $6)`,
        [paymentId, purchaseId, revision, buyerId, costCents, atMs],
      );
    },
  }),
};
