import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../contracts/ids.js';
import type { Account } from '../accounts/account.entity.js';
import type { Tables } from '../accounts/accounts.store.js';

/** The table `auth.password_resets`: digests of the tokens that were mailed and not used. */
@Injectable()
export class PasswordResetsStore {
  constructor(private readonly pool: Pool) {}

  /** False when the account is not any more what it was when it was asked for: then there is nothing to mail. */
  async keep(
    tokenHash: Buffer,
    { gamerId, email, passwordHash }: Pick<Account, 'gamerId' | 'email' | 'passwordHash'>,
    { now, expiresAt }: { now: Date; expiresAt: Date },
  ): Promise<boolean> {
    await this.pool.query('DELETE FROM auth.password_resets WHERE expires_at <= $1', [now]);
    // FOR SHARE waits for a change of the account under way, which would not see this row to drop it.
    const { rowCount } = await this.pool.query(
      `INSERT INTO auth.password_resets (token_hash, gamer_id, expires_at)
       SELECT $1, gamer_id, $3 FROM auth.accounts
       WHERE gamer_id = $2 AND email = $4 AND password_hash IS NOT DISTINCT FROM $5::text FOR SHARE`,
      [tokenHash, gamerId, expiresAt, email, passwordHash],
    );
    return rowCount === 1;
  }

  /** Whose password a token resets; null when it is unknown, used or expired. */
  async gamerOf(tokenHash: Buffer, now: Date): Promise<GamerId | null> {
    const { rows } = await this.pool.query<{ gamerId: GamerId }>(
      'SELECT gamer_id AS "gamerId" FROM auth.password_resets WHERE token_hash = $1 AND expires_at > $2',
      [tokenHash, now],
    );
    return rows[0]?.gamerId ?? null;
  }

  /** Uses the token up in a transaction. False when another use came first. */
  async use(tokenHash: Buffer, gamerId: GamerId, tables: Tables): Promise<boolean> {
    const gone: [unknown[], number] = await tables.query(
      'DELETE FROM auth.password_resets WHERE token_hash = $1 AND gamer_id = $2',
      [tokenHash, gamerId],
    );
    return gone[1] === 1;
  }

  /** Voids every link that was mailed to a gamer, in a transaction. */
  async dropAllOf(gamerId: GamerId, tables: Tables): Promise<void> {
    await tables.query('DELETE FROM auth.password_resets WHERE gamer_id = $1', [gamerId]);
  }
}
