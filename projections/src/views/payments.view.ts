import type { PaymentEvents } from '../../../contracts/events/payment-events.js';
import type { GatewayPaymentId } from '../../../contracts/ids.js';
import { canDecideVerdict } from '../../../domain/payments.js';
import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { insertEntities } from '../sql-rows.js';
import { InvoiceRow, PaymentRow } from './tables.entity.js';
import { oneByOne, type View } from './view.js';

/** Invoices and their payments: for the waiting gamer, the admin and the poller. */
export const paymentsView: View = {
  name: 'payments',
  version: 3,
  tables: ['invoices', 'payments'],
  ddl: `${createTable(InvoiceRow)}
    CREATE INDEX invoices_changed ON invoices (changed_at_ms);
    CREATE INDEX invoices_by_gamer ON invoices (gamer_id);
    ${createTable(PaymentRow)}
    CREATE INDEX payments_by_order ON payments (order_id);
    CREATE INDEX payments_changed ON payments (changed_at_ms DESC, payment_id)
      WHERE changed_at_ms IS NOT NULL`,

  apply: oneByOne({
    PaymentOpened: (data, db, { atMs }) =>
      insertEntities(db, InvoiceRow, [{ ...data, openedAtMs: atMs, changedAtMs: atMs }]),
    CallbackReceived: ({ orderId }, db, { atMs }) => upsertOrder(db, orderId, atMs),
    async PaymentReported(data, db, { atMs }) {
      await upsertOrder(db, data.orderId, atMs);
      await applyReport(data, db, atMs);
    },
    async PaymentSettled({ orderId, paymentId, outcome }, db, { atMs }) {
      await upsertOrder(db, orderId, atMs);
      await settle(db, paymentId, outcome);
    },
    async PaymentParked({ orderId, paymentId, reason }, db, { atMs }) {
      await upsertOrder(db, orderId, atMs);
      // The admin may have decided before this event was written.
      await db.query(
        `UPDATE payments SET reason = $2, outcome = CASE outcome WHEN 'open' THEN 'pending' ELSE outcome END
         WHERE payment_id = $1`,
        [paymentId, reason],
      );
    },
    async PaymentExpired({ orderId }, db, { atMs }) {
      await upsertOrder(db, orderId, atMs);
      await db.query('UPDATE invoices SET is_expired = true WHERE order_id = $1', [orderId]);
    },
    // The ledger's events, so that no invoice lags behind the balance. PaymentSettled follows with the same result.
    TokenPurchased: async ({ paymentId }, db) => {
      if (paymentId !== null) await settle(db, paymentId, 'tokens');
    },
    InvoiceCredited: ({ paymentId }, db) => settle(db, paymentId, 'balance'),
    DepositApproved: ({ paymentId, amountCents }, db) =>
      db.query(`UPDATE payments SET outcome = 'approved', credited_cents = $2 WHERE payment_id = $1`, [
        paymentId,
        amountCents,
      ]),
    DepositRejected: ({ paymentId }, db) =>
      db.query(`UPDATE payments SET outcome = 'rejected' WHERE payment_id = $1`, [paymentId]),
  }),
};

const settle = (db: Db, paymentId: GatewayPaymentId, outcome: PaymentEvents['PaymentSettled']['outcome']) =>
  db.query(
    `UPDATE payments SET outcome = $2, credited_cents = coalesce(credited_cents,
       (SELECT amount_cents FROM invoices WHERE invoices.order_id = payments.order_id))
     WHERE payment_id = $1`,
    [paymentId, outcome],
  );

/** Keeps the status and amount of the verdict, and marks a later difference from them as a change. */
async function applyReport(data: PaymentEvents['PaymentReported'], db: Db, atMs: number): Promise<void> {
  const { orderId, paymentId, status, gatewayStatus, payCurrency, actuallyPaid, valueCents } = data;
  const { rows } = await db.query<{ purpose: 'deposit' | 'tokens' | null }>(
    'SELECT purpose FROM invoices WHERE order_id = $1',
    [orderId],
  );
  const hasVerdict = canDecideVerdict({ status, valueCents }, rows[0]?.purpose ?? 'deposit');
  // A payment may first be assigned to an unknown order; the order of its last report is the right one.
  await db.query(
    `INSERT INTO payments AS known
       (payment_id, order_id, status, gateway_status, pay_currency, actually_paid, verdict_status, verdict_paid,
        outcome)
     VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $7 THEN $4 END, CASE WHEN $7 THEN $6 END, 'open')
     ON CONFLICT (payment_id) DO UPDATE SET
       order_id = excluded.order_id,
       status = excluded.status,
       gateway_status = excluded.gateway_status,
       pay_currency = excluded.pay_currency,
       actually_paid = excluded.actually_paid,
       verdict_status = coalesce(known.verdict_status, excluded.verdict_status),
       verdict_paid = coalesce(known.verdict_paid, excluded.verdict_paid),
       changed_at_ms = CASE WHEN known.verdict_status <> excluded.gateway_status
         OR known.verdict_paid <> excluded.actually_paid THEN $8::bigint END`,
    [paymentId, orderId, status, gatewayStatus, payCurrency, actuallyPaid, hasVerdict, atMs],
  );
}

/** Inserts the invoice, or moves its time of change forward. Callbacks and payments of unknown orders have no PaymentOpened. */
async function upsertOrder(db: Db, orderId: string, atMs: number): Promise<void> {
  const later =
    'ON CONFLICT (order_id) DO UPDATE SET changed_at_ms = greatest(invoices.changed_at_ms, excluded.changed_at_ms)';
  await insertEntities(db, InvoiceRow, [{ orderId, openedAtMs: atMs, changedAtMs: atMs }], later);
}
