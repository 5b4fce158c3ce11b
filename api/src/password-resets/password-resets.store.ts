import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../contracts/ids.js';
import type { Tables } from '../accounts/accounts.store.js';

/** The table `auth.password_resets`: digests of the tokens that were mailed and not used. */
@Injectable()
export class PasswordResetsStore {
  constructor(private readonly pool: Pool) {}

  async keep(tokenHash: Buffer, gamerId: GamerId, { now, expiresAt }: { now: Date; expiresAt: Date }): Promise<void> {
    await this.pool.query('DELETE FROM auth.password_resets WHERE expires_at <= $1', [now]);
    await this.pool.query('INSERT INTO auth.password_resets (token_hash, gamer_id, expires_at) VALUES ($1, $2, $3)', [
      tokenHash,
      gamerId,
      expiresAt,
    ]);
  }

  /** Whose password a token resets; null when it is unknown, used or expired. */
  async gamerOf(tokenHash: Buffer, now: Date): Promise<GamerId | null> {
    const { rows } = await this.pool.query<{ gamerId: GamerId }>(
      'SELECT gamer_id AS "gamerId" FROM auth.password_resets WHERE token_hash = $1 AND expires_at > $2',
      [tokenHash, now],
    );
    return rows[0]?.gamerId ?? null;
  }

  /** Uses the token up, and with it every other of its gamer, in a transaction. False when another use came first. */
  async use(tokenHash: Buffer, gamerId: GamerId, tables: Tables): Promise<boolean> {
    const gone: [unknown[], number] = await tables.query(
      'DELETE FROM auth.password_resets WHERE token_hash = $1 AND gamer_id = $2',
      [tokenHash, gamerId],
    );
    await tables.query('DELETE FROM auth.password_resets WHERE gamer_id = $1', [gamerId]);
    return gone[1] === 1;
  }
}
