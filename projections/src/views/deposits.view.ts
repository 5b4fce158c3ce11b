import type { Db } from '../database.js';
import { type Projected, type View } from './view.js';

/** Every gateway payment that the ledger has: for the admin's lists, and for finding out who got it. */
export const depositsView: View = {
  name: 'deposits',
  version: 2,
  tables: ['deposits'],
  ddl: `
    CREATE TABLE deposits (
      payment_id text PRIMARY KEY,
      deposit_id text UNIQUE,
      purchase_id text,
      gamer_id text,
      purpose text NOT NULL,
      outcome text NOT NULL,
      reason text,
      amount_cents bigint NOT NULL,
      crypto_type text,
      created_at_ms bigint NOT NULL,
      settled_at_ms bigint
    );
    CREATE INDEX deposits_pending ON deposits (created_at_ms DESC, payment_id) WHERE outcome = 'pending';
    CREATE INDEX deposits_approved ON deposits (settled_at_ms DESC, payment_id) WHERE outcome = 'approved';
    CREATE INDEX deposits_rejected ON deposits (settled_at_ms DESC, payment_id) WHERE outcome = 'rejected'`,

  // Row by row: each is somebody's payment on a chain, so a batch holds few.
  async apply(batch, db) {
    if (TYPES.every((type) => batch.ofType(type).length === 0)) return;
    for (const projected of batch) await applyOne(projected, db);
  },
};

const TYPES = ['DepositRecorded', 'DepositApproved', 'DepositRejected', 'InvoiceCredited', 'TokenPurchased'] as const;

async function applyOne({ event, metadata: { at } }: Projected, db: Db): Promise<void> {
  switch (event.type) {
    case 'DepositRecorded': {
      const { depositId, paymentId, purpose, gamerId, amountCents, cryptoType, reason } = event.data;
      await db.query(
        `INSERT INTO deposits (payment_id, deposit_id, purpose, outcome, gamer_id, amount_cents, crypto_type, reason, created_at_ms)
         VALUES ($1, $2, $3, 'pending', $4, $5, $6, $7, $8)`,
        [paymentId, depositId, purpose, gamerId, amountCents, cryptoType, reason, at],
      );
      return;
    }
    case 'DepositApproved': {
      const { depositId, paymentId, purpose, gamerId, amountCents, cryptoType } = event.data;
      await db.query(
        `INSERT INTO deposits (payment_id, deposit_id, purpose, outcome, gamer_id, amount_cents, crypto_type, created_at_ms, settled_at_ms)
         VALUES ($1, $2, $3, 'approved', $4, $5, $6, $7, $7)
         ON CONFLICT (payment_id) DO UPDATE
         SET outcome = 'approved', gamer_id = excluded.gamer_id, settled_at_ms = excluded.settled_at_ms`,
        [paymentId, depositId, purpose, gamerId, amountCents, cryptoType, at],
      );
      return;
    }
    case 'DepositRejected': {
      const { rowCount } = await db.query(
        `UPDATE deposits SET outcome = 'rejected', settled_at_ms = $2 WHERE payment_id = $1`,
        [event.data.paymentId, at],
      );
      if (rowCount !== 1) throw new Error(`payment ${event.data.paymentId} was rejected before it was recorded`);
      return;
    }
    case 'InvoiceCredited': {
      const { paymentId, gamerId, amountCents, cryptoType } = event.data;
      await db.query(
        `INSERT INTO deposits (payment_id, purpose, outcome, gamer_id, amount_cents, crypto_type, created_at_ms, settled_at_ms)
         VALUES ($1, 'tokens', 'balance', $2, $3, $4, $5, $5)`,
        [paymentId, gamerId, amountCents, cryptoType, at],
      );
      return;
    }
    case 'TokenPurchased': {
      const { paymentId, purchaseId, buyerId, costCents } = event.data;
      if (paymentId === undefined) return;
      await db.query(
        `INSERT INTO deposits (payment_id, purchase_id, purpose, outcome, gamer_id, amount_cents, created_at_ms, settled_at_ms)
         VALUES ($1, $2, 'tokens', 'tokens', $3, $4, $5, $5)`,
        [paymentId, purchaseId, buyerId, costCents, at],
      );
      return;
    }
  }
}
