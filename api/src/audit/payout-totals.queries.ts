import type { EntityManager } from 'typeorm';
import type { GamerId } from '../../../contracts/ids.js';
import type { Cents } from '../../../contracts/money.js';
import type { Period } from './journal.queries.js';

/**
 * A gamer's payouts of the period, and what is reserved for open ones at its end. Read from the withdrawals, because a
 * payout moves no money of the gamer's accounts: the request did. The period's `lastRevision` does not count.
 */
export async function payoutTotalsOf(
  tables: EntityManager,
  gamerId: GamerId,
  { dayStarts, endMs }: Period,
): Promise<{ withdrawnCents: Cents; reservedCents: Cents }> {
  const [row] = await tables.query<{ withdrawn: string; reserved: string }[]>(
    `SELECT
       coalesce(sum(amount_cents) FILTER (WHERE status = 'completed' AND processed_at_ms >= $2 AND processed_at_ms < $3), 0) AS withdrawn,
       coalesce(sum(amount_cents) FILTER (WHERE created_at_ms < $3 AND (processed_at_ms IS NULL OR processed_at_ms >= $3)), 0) AS reserved
     FROM read.withdrawals WHERE gamer_id = $1`,
    [gamerId, dayStarts[0], endMs ?? Number.MAX_SAFE_INTEGER],
  );
  return { withdrawnCents: Number(row?.withdrawn ?? 0), reservedCents: Number(row?.reserved ?? 0) };
}
