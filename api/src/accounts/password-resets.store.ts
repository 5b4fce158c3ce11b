import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../contracts/ids.js';
import { RowSeals } from '../platform/row-seals.js';
import { type SealedRow } from '../platform/sealed-tables.js';
import type { Account } from './account.entity.js';
import type { Tables } from './accounts.store.js';

type Mailed = Pick<Account, 'gamerId' | 'email' | 'passwordHash'>;

/** Email and password are those of the account, so a token that was used, or is outdated, cannot be put back. */
type ResetContent = Mailed & { tokenHash: string; expiresAt: number };

/** The content of a reset's seal. */
export const resetContent = (
  tokenHash: Buffer,
  { gamerId, email, passwordHash }: Mailed,
  expiresAt: Date,
): ResetContent => ({
  tokenHash: tokenHash.toString('hex'),
  gamerId,
  email,
  passwordHash,
  expiresAt: expiresAt.getTime(),
});

/** The table `auth.password_resets`: digests of mailed tokens that are not used yet. Only a sealed row counts. */
@Injectable()
export class PasswordResetsStore {
  constructor(
    private readonly pool: Pool,
    private readonly seals: RowSeals,
  ) {}

  /** Stores a token's digest; false when email or password has changed since the request, so that no mail must be sent. */
  async add(tokenHash: Buffer, account: Mailed, { now, expiresAt }: { now: Date; expiresAt: Date }): Promise<boolean> {
    await this.pool.query('DELETE FROM auth.password_resets WHERE expires_at <= $1', [now]);
    const { gamerId, email, passwordHash } = account;
    const seal = this.seals.of('password_resets', resetContent(tokenHash, account, expiresAt));
    // FOR SHARE waits for a concurrent change of the account: it would not see this row, and so not delete it.
    const { rowCount } = await this.pool.query(
      `INSERT INTO auth.password_resets (token_hash, gamer_id, expires_at, seal)
       SELECT $1, gamer_id, $3, $6 FROM auth.accounts
       WHERE gamer_id = $2 AND email = $4 AND password_hash IS NOT DISTINCT FROM $5::text FOR SHARE`,
      [tokenHash, gamerId, expiresAt, email, passwordHash, seal],
    );
    return rowCount === 1;
  }

  /** The gamer a token belongs to; null when the token is unknown, used or expired. */
  async gamerOf(tokenHash: Buffer, now: Date): Promise<GamerId | null> {
    const { rows } = await this.pool.query<SealedRow<ResetContent>>(
      `SELECT reset.seal, jsonb_build_object('tokenHash', encode(token_hash, 'hex'), 'gamerId', gamer_id, 'email', email,
         'passwordHash', password_hash, 'expiresAt', (extract(epoch FROM expires_at) * 1000)::bigint) AS content
       FROM auth.password_resets AS reset JOIN auth.accounts USING (gamer_id)
       WHERE token_hash = $1 AND expires_at > $2`,
      [tokenHash, now],
    );
    const [row] = rows;
    if (!row || !this.seals.isGenuine('password_resets', `of ${row.content.gamerId}`, row)) return null;
    return row.content.gamerId;
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
