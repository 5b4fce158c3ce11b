import { Injectable } from '@nestjs/common';
import { DatabaseError, Pool } from 'pg';
import type { OrderId } from '../../../contracts/ids.js';
import type { Watch, WatchedOrder } from './poller.js';
import { nextLookAtMs, WATCHED_FOR_MS } from './polling-schedule.js';

const LOCK = 'omni-jackpot: poller of payments';
const UNDEFINED_TABLE = '42P01';

/** The table `ledger.payment_looks`: when each invoice was last looked at. Lost, all are looked at once more. */
@Injectable()
export class PaymentWatchStore implements Watch {
  constructor(private readonly pool: Pool) {}

  /** Runs the work unless another node runs it now. Postgres frees the lock of a node that dies. */
  async alone(work: () => Promise<void>): Promise<void> {
    const client = await this.pool.connect();
    let failure: Error | undefined;
    const onError = (error: Error): void => {
      failure = error;
    };
    client.on('error', onError);
    try {
      const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtext($1)) AS got', [LOCK]);
      if (!rows[0].got) return;
      try {
        await work();
      } finally {
        await client.query('SELECT pg_advisory_unlock(hashtext($1))', [LOCK]).catch(onError);
      }
    } finally {
      client.off('error', onError);
      // A connection that may still hold the lock must not go back.
      client.release(failure);
    }
  }

  /** What is due, longest overdue first; at once what has news since it was last looked at. */
  async due(nowMs: number, limit: number): Promise<WatchedOrder[]> {
    const { rows } = await this.pool
      .query<{ order_id: string; invoice_id: string | null; payment_id: string | null; changed_at_ms: string }>(
        `SELECT p.order_id, p.invoice_id, p.payment_id, p.changed_at_ms
         FROM read.payments p LEFT JOIN ledger.payment_looks l USING (order_id)
         WHERE p.changed_at_ms > $1
           AND (coalesce(l.next_at_ms, 0) <= $2 OR p.changed_at_ms > l.looked_at_ms)
         ORDER BY coalesce(l.next_at_ms, p.changed_at_ms), p.order_id LIMIT $3`,
        [nowMs - WATCHED_FOR_MS, nowMs, limit],
      )
      .catch((error: unknown) => {
        // The projections have not made their tables yet.
        if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return { rows: [] };
        throw error;
      });
    return rows.map(({ order_id, invoice_id, payment_id, changed_at_ms }) => ({
      orderId: order_id,
      invoiceId: invoice_id,
      paymentId: payment_id,
      changedAtMs: Number(changed_at_ms),
    }));
  }

  async looked(orderId: OrderId, changedAtMs: number, nowMs: number): Promise<void> {
    await this.pool.query(
      `INSERT INTO ledger.payment_looks (order_id, looked_at_ms, next_at_ms) VALUES ($1, $2, $3)
       ON CONFLICT (order_id) DO UPDATE SET looked_at_ms = excluded.looked_at_ms, next_at_ms = excluded.next_at_ms`,
      [orderId, nowMs, nextLookAtMs(changedAtMs, nowMs)],
    );
  }

  async forgetBefore(epochMs: number): Promise<void> {
    await this.pool.query('DELETE FROM ledger.payment_looks WHERE looked_at_ms < $1', [epochMs]);
  }
}
