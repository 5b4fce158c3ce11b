import { Pool } from 'pg';
import { isStaff } from '../../../contracts/ids.js';
import { RESET_TOKEN_LIFETIME_MS } from '../../../contracts/limits.js';
import type { RowSeals } from '../platform/row-seals.js';
import { type AccountRow, SELECT_ACCOUNTS, sealOf } from './account-rows.js';
import { newToken, tokenHashOf } from './mailed-token.js';
import { resetContent } from './password-resets.store.js';

export interface Recovery {
  databaseUrl: string;
  /** Origin of the link. */
  origin: string;
  gamerTag: string;
  now: Date;
  seals: RowSeals;
}

/**
 * For a staff member who has lost password and second factor: removes the factor, ends all sessions and returns a reset link
 * for an hour. It takes the secret of the seals, which a writer to Postgres lacks. Throws when no staff member has that GamerTag.
 */
export async function recoverStaff({ databaseUrl, origin, gamerTag, now, seals }: Recovery): Promise<string> {
  const pool = new Pool({ connectionString: databaseUrl, max: 1, application_name: 'omni-jackpot-recovery' });
  try {
    const { rows } = await pool.query<AccountRow>(`${SELECT_ACCOUNTS} WHERE lower(gamer_tag) = lower($1)`, [gamerTag]);
    const [row] = rows;
    if (!row || !isStaff(row.content.role)) throw new Error(`No staff member is called ${gamerTag}.`);
    if (!seals.fits('accounts', row))
      throw new Error(
        `The account of ${gamerTag} was changed past the application: see "Rows that are not genuine" in docs/operations.md.`,
      );
    const { content } = row;
    const token = newToken();
    const expiresAt = new Date(now.getTime() + RESET_TOKEN_LIFETIME_MS);
    const resetSeal = seals.of('password_resets', resetContent(tokenHashOf(token), content, expiresAt));
    await pool.query(
      `WITH factor AS (DELETE FROM auth.second_factors WHERE gamer_id = $1),
         account AS (UPDATE auth.accounts SET second_factor = NULL, seal = $5 WHERE gamer_id = $1),
         sessions AS (DELETE FROM auth.sessions WHERE sess->>'gamerId' = $1),
         entry AS (INSERT INTO auth.sign_ins (at, type, gamer_id, address) VALUES ($2, 'recovered', $1, 'the server'))
       INSERT INTO auth.password_resets (token_hash, gamer_id, expires_at, seal) VALUES ($3, $1, $4, $6)`,
      [
        content.gamerId,
        now,
        tokenHashOf(token),
        expiresAt,
        sealOf(seals, { ...content, secondFactor: null }),
        resetSeal,
      ],
    );
    return `${origin}/reset-password?token=${token}`;
  } finally {
    await pool.end();
  }
}
