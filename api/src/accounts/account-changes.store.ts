import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../contracts/ids.js';
import type { Tables } from './accounts.store.js';

/**
 * The table `auth.account_changes`: changes that began to record and are not known to have ended. Not sealed: a row says only
 * that an account must follow the log, which is always true.
 */
@Injectable()
export class AccountChangesStore {
  constructor(private readonly pool: Pool) {}

  /** Committed at once, before anything is appended. */
  async begin(id: string, gamerId: GamerId): Promise<void> {
    await this.pool.query('INSERT INTO auth.account_changes (id, gamer_id) VALUES ($1, $2)', [id, gamerId]);
  }

  /** In the transaction that changes the row: both are committed or neither. */
  async end(ids: readonly string[], tables: Tables): Promise<void> {
    await tables.query('DELETE FROM auth.account_changes WHERE id = ANY ($1)', [ids]);
  }

  /** The changes that began this long ago, by gamer. */
  async begunBefore(ageMs: number): Promise<{ gamerId: GamerId; ids: string[] }[]> {
    const { rows } = await this.pool.query<{ gamerId: GamerId; ids: string[] }>(
      `SELECT gamer_id AS "gamerId", array_agg(id) AS ids FROM auth.account_changes
       WHERE begun_at <= clock_timestamp() - $1 * interval '1 ms' GROUP BY gamer_id ORDER BY min(begun_at)`,
      [ageMs],
    );
    return rows;
  }

  /** Deletes the changes of a gamer whose account is deleted. */
  async forget(gamerId: GamerId): Promise<void> {
    await this.pool.query('DELETE FROM auth.account_changes WHERE gamer_id = $1', [gamerId]);
  }
}
