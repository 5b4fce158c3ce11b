import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../contracts/ids.js';
import { RowSeals } from '../platform/row-seals.js';
import { type SealedRow } from '../platform/sealed-tables.js';
import type { Account } from './account.entity.js';
import type { Tables } from './accounts.store.js';

/** Email and password are those of the account, so a token that was used, or is outdated, cannot be put back. */
interface ChangeContent {
  tokenHash: string;
  gamerId: GamerId;
  wanted: string;
  email: string;
  passwordHash: string | null;
  expiresAt: number;
}

/** The table `auth.email_changes`: the email that a gamer wants, with the digest of the token mailed to it. Only a sealed row counts. */
@Injectable()
export class EmailChangesStore {
  constructor(
    private readonly pool: Pool,
    private readonly seals: RowSeals,
  ) {}

  /**
   * Stores a gamer's wanted email in place of an earlier one; false when somebody has it, or when email or password has changed
   * since the request, so that no mail must be sent.
   */
  async add(
    tokenHash: Buffer,
    wanted: string,
    { gamerId, email, passwordHash }: Pick<Account, 'gamerId' | 'email' | 'passwordHash'>,
    expiresAt: Date,
  ): Promise<boolean> {
    const content: ChangeContent = {
      tokenHash: tokenHash.toString('hex'),
      gamerId,
      wanted,
      email,
      passwordHash,
      expiresAt: expiresAt.getTime(),
    };
    // FOR SHARE waits for a concurrent change of the account: it would not see this row, and so not delete it.
    const { rowCount } = await this.pool.query(
      `INSERT INTO auth.email_changes (gamer_id, token_hash, email, expires_at, seal)
       SELECT gamer_id, $2, $3, $4, $7 FROM auth.accounts
       WHERE gamer_id = $1 AND email = $5 AND password_hash IS NOT DISTINCT FROM $6::text
         AND NOT EXISTS (SELECT FROM auth.accounts WHERE lower(email) = lower($3)) FOR SHARE
       ON CONFLICT (gamer_id) DO UPDATE
       SET token_hash = excluded.token_hash, email = excluded.email, expires_at = excluded.expires_at,
         seal = excluded.seal`,
      [gamerId, tokenHash, wanted, expiresAt, email, passwordHash, this.seals.of('email_changes', content)],
    );
    return rowCount === 1;
  }

  /** The gamer and the wanted email of a token; null when the token is unknown, used or expired. */
  async find(tokenHash: Buffer, now: Date): Promise<{ gamerId: GamerId; email: string } | null> {
    const { rows } = await this.pool.query<SealedRow<ChangeContent>>(
      `SELECT change.seal, jsonb_build_object('tokenHash', encode(token_hash, 'hex'), 'gamerId', gamer_id,
         'wanted', change.email, 'email', account.email, 'passwordHash', password_hash,
         'expiresAt', (extract(epoch FROM expires_at) * 1000)::bigint) AS content
       FROM auth.email_changes AS change JOIN auth.accounts AS account USING (gamer_id)
       WHERE token_hash = $1 AND expires_at > $2`,
      [tokenHash, now],
    );
    const [row] = rows;
    if (!row || !this.seals.isGenuine('email_changes', `of ${row.content.gamerId}`, row)) return null;
    return { gamerId: row.content.gamerId, email: row.content.wanted };
  }

  /** Deletes the token, in the transaction; false when it was used already. */
  async use(tokenHash: Buffer, gamerId: GamerId, tables: Tables): Promise<boolean> {
    const deleted: [unknown[], number] = await tables.query(
      'DELETE FROM auth.email_changes WHERE token_hash = $1 AND gamer_id = $2',
      [tokenHash, gamerId],
    );
    return deleted[1] === 1;
  }

  /** Deletes a gamer's token, in the transaction. */
  async dropAllOf(gamerId: GamerId, tables: Tables): Promise<void> {
    await tables.query('DELETE FROM auth.email_changes WHERE gamer_id = $1', [gamerId]);
  }
}
