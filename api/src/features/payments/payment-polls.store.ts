import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { DAY_MS, HOUR_MS } from '../../../../contracts/durations.js';
import type { OrderId } from '../../../../contracts/ids.js';
import { isMissingRelation } from '../../../../event-log/postgres.js';
import type { InvoiceRow } from '../../../../projections/src/views/tables.entity.js';

// An invoice is polled again after an eighth of the time since its last change: the gateway sends no callback for money that
// arrives at an expired or used address.
const SHORTEST_MS = 10_000;
const LONGEST_MS = 6 * HOUR_MS;
const SHARE_OF_AGE = 8;
export const POLLED_FOR_MS = 14 * DAY_MS;
const DUE_AT_ONCE = 50;

/** @param changedAtMs time of the last event in the invoice's stream */
export function nextPollAtMs(changedAtMs: number, nowMs: number): number {
  const wait = (nowMs - changedAtMs) / SHARE_OF_AGE;
  return nowMs + Math.round(Math.min(Math.max(wait, SHORTEST_MS), LONGEST_MS));
}

/** An order whose invoice may still receive money. An unknown order has no invoice here. */
export type DueOrder = Pick<InvoiceRow, 'orderId' | 'invoiceId' | 'changedAtMs'>;

/** The table `ledger.payment_polls`: when each invoice was last polled. If it is lost, every invoice is polled once more. */
@Injectable()
export class PaymentPollsStore {
  constructor(private readonly pool: Pool) {}

  /** Orders that are due, the longest overdue first. An order that changed since its last poll is due at once. */
  async due(nowMs: number): Promise<DueOrder[]> {
    const { rows } = await this.pool
      .query<DueOrder>(
        `SELECT invoices.order_id AS "orderId", invoices.invoice_id AS "invoiceId",
           invoices.changed_at_ms::float8 AS "changedAtMs"
         FROM read.invoices LEFT JOIN ledger.payment_polls AS polls USING (order_id)
         WHERE invoices.changed_at_ms > $1
           AND (coalesce(polls.next_at_ms, 0) <= $2 OR invoices.changed_at_ms > polls.polled_at_ms)
         ORDER BY coalesce(polls.next_at_ms, invoices.changed_at_ms), invoices.order_id LIMIT $3`,
        [nowMs - POLLED_FOR_MS, nowMs, DUE_AT_ONCE],
      )
      .catch((error: unknown) => {
        // The projections have not made their tables yet.
        if (isMissingRelation(error)) return { rows: [] };
        throw error;
      });
    return rows;
  }

  async markPolled(orderId: OrderId, changedAtMs: number, polledAtMs: number): Promise<void> {
    await this.pool.query(
      `INSERT INTO ledger.payment_polls (order_id, polled_at_ms, next_at_ms) VALUES ($1, $2, $3)
       ON CONFLICT (order_id) DO UPDATE SET polled_at_ms = excluded.polled_at_ms, next_at_ms = excluded.next_at_ms`,
      [orderId, polledAtMs, nextPollAtMs(changedAtMs, polledAtMs)],
    );
  }

  async forgetBefore(epochMs: number): Promise<void> {
    await this.pool.query('DELETE FROM ledger.payment_polls WHERE polled_at_ms < $1', [epochMs]);
  }
}
