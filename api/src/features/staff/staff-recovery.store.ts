import { Pool } from 'pg';
import { type GamerId, isStaff, type Role } from '../../../../contracts/ids.js';
import { MAILED_LINK_LIFETIME_MS } from '../../../../contracts/limits.js';
import type { Config } from '../../platform/config.js';
import { newToken, tokenHashOf } from '../gamers/mailed-links.store.js';

/** Recovers staff who lost password and second factor: ends both and all sessions; returns a reset link for an hour. */
export async function recoverStaff(
  { databaseUrl, linkOrigin }: Pick<Config, 'databaseUrl' | 'linkOrigin'>,
  gamerTag: string,
  now: Date,
): Promise<string> {
  const pool = new Pool({ connectionString: databaseUrl, max: 1, application_name: 'omni-jackpot-recovery' });
  try {
    const { rows } = await pool.query<{ gamerId: GamerId; role: Role }>(
      'SELECT gamer_id AS "gamerId", role FROM auth.accounts WHERE lower(gamer_tag) = lower($1)',
      [gamerTag],
    );
    const [account] = rows;
    if (!account || !isStaff(account.role)) throw new Error(`No staff member is called ${gamerTag}.`);
    const token = newToken();
    await pool.query(
      `WITH factor AS (DELETE FROM auth.second_factors WHERE gamer_id = $1),
         sessions AS (DELETE FROM auth.sessions WHERE sess->>'gamerId' = $1),
         entry AS (INSERT INTO auth.security_events (at, type, gamer_id, address) VALUES ($2, 'recovered', $1, 'the server'))
       INSERT INTO auth.mailed_links (page, token_hash, gamer_id, email, expires_at)
       SELECT 'reset-password', $3, gamer_id, email, $4 FROM auth.accounts WHERE gamer_id = $1`,
      [account.gamerId, now, tokenHashOf(token), new Date(now.getTime() + MAILED_LINK_LIFETIME_MS)],
    );
    return `${linkOrigin}/reset-password?token=${token}`;
  } finally {
    await pool.end();
  }
}
