import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { canonicalEmail } from '../../../../contracts/email.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { RESET_TOKEN_LIFETIME_MS } from '../../../../contracts/limits.js';
import type { Account, Tables } from './accounts.store.js';

const TOKEN_BYTES = 32;
const HOURS = RESET_TOKEN_LIFETIME_MS / 3_600_000;
export const TOKEN_LIFETIME_TEXT = HOURS === 1 ? 'one hour' : `${HOURS} hours`;

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The stored form of a token. A fast digest suffices: the token has 256 random bits. */
export const tokenHashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Mail to .invalid must reach nobody (RFC 2606): the first admin has such an address until one is set. */
export const canReceive = (email: string): boolean => !email.toLowerCase().endsWith('.invalid');

type Mailed = Pick<Account, 'gamerId' | 'email' | 'passwordHash'>;

/**
 * The tables `auth.password_resets` and `auth.email_changes`: digests of mailed tokens that are not used yet. A token proves that
 * its sender reads the mailbox, and is used once.
 */
@Injectable()
export class MailedLinksStore {
  constructor(private readonly pool: Pool) {}

  /** Stores a token's digest; false when email or password has changed since the request, so that no mail must be sent. */
  async addReset(
    tokenHash: Buffer,
    { gamerId, email, passwordHash }: Mailed,
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

  /** The gamer a reset token belongs to; null when the token is unknown, used or expired. */
  async gamerOfReset(tokenHash: Buffer, now: Date): Promise<GamerId | null> {
    const { rows } = await this.pool.query<{ gamerId: GamerId }>(
      'SELECT gamer_id AS "gamerId" FROM auth.password_resets WHERE token_hash = $1 AND expires_at > $2',
      [tokenHash, now],
    );
    return rows[0]?.gamerId ?? null;
  }

  /**
   * Stores a gamer's wanted email in place of an earlier one; false when somebody has it, or when email or password has changed
   * since the request, so that no mail must be sent.
   */
  async addEmailChange(
    tokenHash: Buffer,
    wanted: string,
    { gamerId, email, passwordHash }: Mailed,
    expiresAt: Date,
  ): Promise<boolean> {
    // FOR SHARE waits for a concurrent change of the account: it would not see this row, and so not delete it.
    const { rowCount } = await this.pool.query(
      `INSERT INTO auth.email_changes (gamer_id, token_hash, email, expires_at)
       SELECT gamer_id, $2, $3, $4 FROM auth.accounts
       WHERE gamer_id = $1 AND email = $5 AND password_hash IS NOT DISTINCT FROM $6::text
         AND NOT EXISTS (SELECT FROM auth.accounts WHERE email_key = $7) FOR SHARE
       ON CONFLICT (gamer_id) DO UPDATE
       SET token_hash = excluded.token_hash, email = excluded.email, expires_at = excluded.expires_at`,
      [gamerId, tokenHash, wanted, expiresAt, email, passwordHash, canonicalEmail(wanted)],
    );
    return rowCount === 1;
  }

  /** The gamer and the wanted email of a token; null when the token is unknown, used or expired. */
  async findEmailChange(tokenHash: Buffer, now: Date): Promise<{ gamerId: GamerId; email: string } | null> {
    const { rows } = await this.pool.query<{ gamerId: GamerId; email: string }>(
      'SELECT gamer_id AS "gamerId", email FROM auth.email_changes WHERE token_hash = $1 AND expires_at > $2',
      [tokenHash, now],
    );
    return rows[0] ?? null;
  }

  /** Deletes the token, in the transaction; false when it was used already. */
  async use(
    table: 'password_resets' | 'email_changes',
    tokenHash: Buffer,
    gamerId: GamerId,
    tables: Tables,
  ): Promise<boolean> {
    const deleted: [unknown[], number] = await tables.query(
      `DELETE FROM auth.${table} WHERE token_hash = $1 AND gamer_id = $2`,
      [tokenHash, gamerId],
    );
    return deleted[1] === 1;
  }

  /** Deletes all tokens of a gamer, in the transaction. */
  async dropAllOf(gamerId: GamerId, tables: Tables): Promise<void> {
    await tables.query('DELETE FROM auth.password_resets WHERE gamer_id = $1', [gamerId]);
    await tables.query('DELETE FROM auth.email_changes WHERE gamer_id = $1', [gamerId]);
  }
}
