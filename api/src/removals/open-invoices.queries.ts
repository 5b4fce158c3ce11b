import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../contracts/ids.js';

/** Invoices that may still be paid (decision 14): a gamer with one stays. */
@Injectable()
export class OpenInvoices {
  constructor(private readonly pool: Pool) {}

  async has(gamerId: GamerId): Promise<boolean> {
    const { rows: tables } = await this.pool.query<{ exists: boolean }>(
      "SELECT to_regclass('read.payments') IS NOT NULL AS exists",
    );
    if (!tables[0]?.exists) return false;
    const { rowCount } = await this.pool.query(
      "SELECT 1 FROM read.payments WHERE gamer_id = $1 AND status IN ('waiting', 'confirming') LIMIT 1",
      [gamerId],
    );
    return rowCount === 1;
  }
}
