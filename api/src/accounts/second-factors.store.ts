import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../contracts/ids.js';
import { RowSeals } from '../platform/row-seals.js';
import { SEALED_TABLES, type SealedRow } from '../platform/sealed-tables.js';
import type { Tables } from './accounts.store.js';

/** The tables `auth.second_factors` and `auth.recovery_codes`. Secrets come and go encrypted, recovery codes as digests, with seals. */
@Injectable()
export class SecondFactorsStore {
  constructor(
    private readonly pool: Pool,
    private readonly seals: RowSeals,
  ) {}

  /** The encrypted secret in force; null without a second factor. */
  async secretOf(gamerId: GamerId): Promise<Buffer | null> {
    const { rows } = await this.pool.query<{ secret: Buffer | null }>(
      'SELECT secret FROM auth.second_factors WHERE gamer_id = $1',
      [gamerId],
    );
    return rows[0]?.secret ?? null;
  }

  /** The encrypted secret of an enrolment that is not confirmed yet. */
  async pendingSecretOf(gamerId: GamerId): Promise<Buffer | null> {
    const { rows } = await this.pool.query<{ secret: Buffer | null }>(
      'SELECT pending_secret AS secret FROM auth.second_factors WHERE gamer_id = $1',
      [gamerId],
    );
    return rows[0]?.secret ?? null;
  }

  async setPending(gamerId: GamerId, encrypted: Buffer): Promise<void> {
    await this.pool.query(
      `INSERT INTO auth.second_factors (gamer_id, pending_secret) VALUES ($1, $2)
       ON CONFLICT (gamer_id) DO UPDATE SET pending_secret = excluded.pending_secret`,
      [gamerId, encrypted],
    );
  }

  /**
   * Puts the pending secret in force, with new recovery codes, in the transaction; false when it is not the pending one any more.
   */
  async confirm(
    gamerId: GamerId,
    { encrypted, step, codeHashes }: { encrypted: Buffer; step: number; codeHashes: readonly Buffer[] },
    tables: Tables,
  ): Promise<boolean> {
    const seals = codeHashes.map((hash) =>
      this.seals.of('recovery_codes', { gamerId, codeHash: hash.toString('hex') }),
    );
    await tables.query('DELETE FROM auth.recovery_codes WHERE gamer_id = $1', [gamerId]);
    const inserted: unknown[] = await tables.query(
      `WITH confirmed AS (
         UPDATE auth.second_factors SET secret = pending_secret, pending_secret = NULL, last_step = $3
         WHERE gamer_id = $1 AND pending_secret = $2 RETURNING gamer_id
       )
       INSERT INTO auth.recovery_codes (gamer_id, code_hash, seal)
       SELECT gamer_id, code.hash, code.seal FROM confirmed, unnest($4::bytea[], $5::bytea[]) AS code (hash, seal)
       RETURNING gamer_id`,
      [gamerId, encrypted, step, codeHashes, seals],
    );
    return inserted.length > 0;
  }

  /** Marks the time step of a code as used; false when a code of this or a later step was used before, on any node. */
  async useStep(gamerId: GamerId, step: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'UPDATE auth.second_factors SET last_step = $2 WHERE gamer_id = $1 AND secret IS NOT NULL AND last_step < $2',
      [gamerId, step],
    );
    return rowCount === 1;
  }

  /** Deletes a recovery code; false when there is no such code, or its row is not genuine. */
  async useRecoveryCode(gamerId: GamerId, codeHash: Buffer): Promise<boolean> {
    const { rows } = await this.pool.query<SealedRow<{ gamerId: GamerId; codeHash: string }>>(
      `DELETE FROM auth.recovery_codes WHERE gamer_id = $1 AND code_hash = $2
       RETURNING ${SEALED_TABLES.recovery_codes.content} AS content, seal`,
      [gamerId, codeHash],
    );
    return rows[0] !== undefined && this.seals.isGenuine('recovery_codes', `of ${gamerId}`, rows[0]);
  }

  async recoveryCodesLeft(gamerId: GamerId): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM auth.recovery_codes WHERE gamer_id = $1',
      [gamerId],
    );
    return rows[0]?.count ?? 0;
  }
}
