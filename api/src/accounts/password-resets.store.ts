import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../contracts/ids.js';
import type { Account } from './account.entity.js';
import type { Tables } from './accounts.store.js';

/** The table `auth.password_resets`: digests of mailed tokens that are not used yet. */
@Injectable()
export class PasswordResetsStore {
  constructor(private readonly pool: Pool) {}

  /** Stores a token's digest; false when email or password has changed since the request, so that no mail must be sent. */
  async add(
    tokenHash: Buffer,
    { gamerId, email, passwordHash }: Pick<Account, 'gamerId' | 'email' | 'passwordHash'>,
    { now, expiresAt }: { now: Date; expiresAt: Date },
  ): Promise<boolean> {
    await this.pool.query('DELETE FROM auth.password_resets WHERE expires_at <= $1', [now]);
    // FOR SHARE waits for a concurrent change of the account: it would not see this row, and so not delete it.
    const { rowCount } = await this.pool.query(
      `INSERT INTO auth.password_resets (token_hash, gamer_id, expires_at)
       SELECT $1, gamer_id, $3 FROM auth.accounts
       WHERE gamer_id = $2 AND email = $4 AND password_hash IS NOT DISTINCT FROM $5::text FOR SHARE`,
      [tokenHash, gamerId, expiresAt, email, passwordHash],
    );
    return rowCount === 1;
  }

  /** The gamer a token belongs to; null when the token is unknown, used or expired. */
  async gamerOf(tokenHash: Buffer, now: Date): Promise<GamerId | null> {
    const { rows } = await this.pool.query<{ gamerId: GamerId }>(
      'SELECT gamer_id AS "gamerId" FROM auth.password_resets WHERE token_hash = $1 AND expires_at > $2',
      [tokenHash, now],
    );
    return rows[0]?.gamerId ?? null;
  }

  /** Deletes the token, in the transaction; false when it was used already. */
  async use(tokenHash: Buffer, gamerId: GamerId, tables: Tables): Promise<boolean> {
    const deleted: [unknown[], number] = await tables.query(
      'DELETE FROM auth.password_resets WHERE token_hash = $1 AND gamer_id = $2',
      [tokenHash, gamerId],
    );
    return deleted[1] === 1;
  }

  /** Deletes all tokens of a gamer, in the transaction. */
  async dropAllOf(gamerId: GamerId, tables: Tables): Promise<void> {
    await tables.query('DELETE FROM auth.password_resets WHERE gamer_id = $1', [gamerId]);
  }
}
