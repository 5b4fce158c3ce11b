import type { PaymentSeen } from '../../../contracts/events/payment-events.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { canBeJudged } from '../../../domain/payments.js';
import type { Db } from '../database.js';
import { type Projected, type View } from './view.js';

/** Invoices and the payments that came in for them: for the gamer who waits, the admin, and the poller. */
export const paymentsView: View = {
  name: 'payments',
  version: 2,
  tables: ['payments', 'gateway_payments'],
  ddl: `
    CREATE TABLE payments (
      order_id text PRIMARY KEY,
      purpose text,
      gamer_id text,
      amount_cents bigint,
      crypto_type text,
      quantity integer,
      invoice_id text,
      payment_id text,
      is_expired boolean NOT NULL DEFAULT false,
      opened_at_ms bigint NOT NULL,
      changed_at_ms bigint NOT NULL
    );
    CREATE INDEX payments_changed ON payments (changed_at_ms);
    CREATE INDEX payments_by_gamer ON payments (gamer_id);
    CREATE TABLE gateway_payments (
      payment_id text PRIMARY KEY,
      order_id text NOT NULL,
      status text NOT NULL,
      pay_currency text NOT NULL,
      actually_paid text NOT NULL,
      judged_status text,
      judged_paid text,
      changed_at_ms bigint,
      outcome text NOT NULL,
      reason text,
      credited_cents bigint
    );
    CREATE INDEX gateway_payments_by_order ON gateway_payments (order_id);
    CREATE INDEX gateway_payments_changed ON gateway_payments (changed_at_ms DESC, payment_id)
      WHERE changed_at_ms IS NOT NULL`,

  // Row by row: each is somebody's payment on a chain, so a batch holds few.
  async apply(batch, db) {
    if (TYPES.every((type) => batch.ofType(type).length === 0)) return;
    for (const projected of batch) {
      if (projected.stream === LEDGER_STREAM) await applyLedger(projected, db);
      else await applyPayment(projected, db);
    }
  },
};

const TYPES = [
  'PaymentOpened',
  'CallbackReceived',
  'PaymentSeen',
  'PaymentSettled',
  'PaymentParked',
  'PaymentExpired',
  'DepositApproved',
  'DepositRejected',
] as const;

async function applyPayment({ event, metadata: { at } }: Projected, db: Db): Promise<void> {
  switch (event.type) {
    case 'PaymentOpened': {
      const { orderId, purpose, gamerId, amountCents, cryptoType, quantity, invoiceId, paymentId } = event.data;
      await db.query(
        `INSERT INTO payments (order_id, purpose, gamer_id, amount_cents, crypto_type, quantity, invoice_id, payment_id,
                               opened_at_ms, changed_at_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
        [orderId, purpose, gamerId, amountCents, cryptoType, quantity, invoiceId, paymentId, at],
      );
      return;
    }
    case 'CallbackReceived':
      return touch(db, event.data.orderId, at);
    case 'PaymentSeen':
      await touch(db, event.data.orderId, at);
      return seen(event.data, at, db);
    case 'PaymentSettled': {
      const { orderId, paymentId, outcome } = event.data;
      await touch(db, orderId, at);
      await db.query(
        `UPDATE gateway_payments SET outcome = $2, credited_cents = coalesce(credited_cents,
           (SELECT amount_cents FROM payments WHERE payments.order_id = gateway_payments.order_id))
         WHERE payment_id = $1`,
        [paymentId, outcome],
      );
      return;
    }
    case 'PaymentParked': {
      const { orderId, paymentId, reason } = event.data;
      await touch(db, orderId, at);
      // The admin may have been quicker than this word.
      await db.query(
        `UPDATE gateway_payments SET reason = $2, outcome = CASE outcome WHEN 'seen' THEN 'review' ELSE outcome END
         WHERE payment_id = $1`,
        [paymentId, reason],
      );
      return;
    }
    case 'PaymentExpired':
      await touch(db, event.data.orderId, at);
      await db.query('UPDATE payments SET is_expired = true WHERE order_id = $1', [event.data.orderId]);
      return;
  }
}

/** What it was judged on stays; what the gateway says later, if it says something else, is a change since then. */
async function seen(data: PaymentSeen['data'], at: number, db: Db): Promise<void> {
  const { orderId, paymentId, status, payCurrency, actuallyPaid } = data;
  const { rows } = await db.query<{ purpose: 'deposit' | 'tokens' | null }>(
    'SELECT purpose FROM payments WHERE order_id = $1',
    [orderId],
  );
  const judged = canBeJudged(data, rows[0]?.purpose ?? 'deposit') ? { status, actuallyPaid } : null;
  // A payment may first be taken for an unknown order's, and belongs to whoever saw it last.
  await db.query(
    `INSERT INTO gateway_payments AS known
       (payment_id, order_id, status, pay_currency, actually_paid, judged_status, judged_paid, outcome)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'seen')
     ON CONFLICT (payment_id) DO UPDATE SET
       order_id = excluded.order_id,
       status = excluded.status,
       pay_currency = excluded.pay_currency,
       actually_paid = excluded.actually_paid,
       judged_status = coalesce(known.judged_status, excluded.judged_status),
       judged_paid = coalesce(known.judged_paid, excluded.judged_paid),
       changed_at_ms = CASE WHEN known.judged_status <> excluded.status OR known.judged_paid <> excluded.actually_paid
         THEN $8::bigint END`,
    [paymentId, orderId, status, payCurrency, actuallyPaid, judged?.status, judged?.actuallyPaid, at],
  );
}

/** What the admin decided. A deposit that credited itself is told of by its own stream too, with the same result. */
async function applyLedger({ event }: Projected, db: Db): Promise<void> {
  switch (event.type) {
    case 'DepositApproved':
      await db.query(`UPDATE gateway_payments SET outcome = 'deposit', credited_cents = $2 WHERE payment_id = $1`, [
        event.data.paymentId,
        event.data.amountCents,
      ]);
      return;
    case 'DepositRejected':
      await db.query(`UPDATE gateway_payments SET outcome = 'rejected' WHERE payment_id = $1`, [event.data.paymentId]);
      return;
  }
}

/** Callbacks and payments of unknown orders come without an opening. */
async function touch(db: Db, orderId: string, at: number): Promise<void> {
  await db.query(
    `INSERT INTO payments (order_id, opened_at_ms, changed_at_ms) VALUES ($1, $2, $2)
     ON CONFLICT (order_id) DO UPDATE SET changed_at_ms = greatest(payments.changed_at_ms, excluded.changed_at_ms)`,
    [orderId, at],
  );
}
