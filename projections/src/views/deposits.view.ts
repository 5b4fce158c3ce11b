import { createTable } from '../columns.js';
import { insertEntities } from '../sql-rows.js';
import { DepositRow } from './tables.entity.js';
import { oneByOne, type View } from './view.js';

/** Every gateway payment that the ledger recorded, for the admin's lists and the gamers' statements. */
export const depositsView: View = {
  name: 'deposits',
  version: 4,
  tables: ['deposits'],
  ddl: `${createTable(DepositRow)}
    CREATE INDEX deposits_pending ON deposits (created_at_ms DESC, payment_id) WHERE outcome = 'pending';
    CREATE INDEX deposits_approved ON deposits (settled_at_ms DESC, payment_id) WHERE outcome = 'approved';
    CREATE INDEX deposits_rejected ON deposits (settled_at_ms DESC, payment_id) WHERE outcome = 'rejected';
    CREATE INDEX deposits_bought ON deposits (gamer_id, purchase_revision) WHERE outcome = 'tokens'`,

  apply: oneByOne({
    DepositRecorded: (data, db, { atMs }) =>
      insertEntities(db, DepositRow, [{ ...data, outcome: 'pending', createdAtMs: atMs }]),
    DepositApproved: (data, db, { atMs, actor }) =>
      insertEntities(
        db,
        DepositRow,
        [{ ...data, outcome: 'approved', createdAtMs: atMs, settledAtMs: atMs, settledBy: actor.id }],
        `ON CONFLICT (payment_id) DO UPDATE
         SET outcome = 'approved', gamer_id = excluded.gamer_id, settled_at_ms = excluded.settled_at_ms,
           settled_by = excluded.settled_by`,
      ),
    async DepositRejected({ paymentId, adminNotes }, db, { atMs, actor }) {
      const { rowCount } = await db.query(
        `UPDATE deposits SET outcome = 'rejected', settled_at_ms = $2, admin_notes = $3, settled_by = $4
         WHERE payment_id = $1`,
        [paymentId, atMs, adminNotes, actor.id],
      );
      if (rowCount !== 1) throw new Error(`payment ${paymentId} was rejected before it was recorded`);
    },
    InvoiceCredited: (data, db, { atMs }) =>
      insertEntities(db, DepositRow, [
        { ...data, purpose: 'tokens', outcome: 'balance', createdAtMs: atMs, settledAtMs: atMs },
      ]),
    async TokenPurchased({ paymentId, purchaseId, buyerId: gamerId, costCents: amountCents }, db, { atMs, revision }) {
      if (paymentId === null) return;
      const bought = { paymentId, purchaseId, purchaseRevision: revision, gamerId, amountCents };
      await insertEntities(db, DepositRow, [
        { ...bought, purpose: 'tokens', outcome: 'tokens', createdAtMs: atMs, settledAtMs: atMs },
      ]);
    },
  }),
};
