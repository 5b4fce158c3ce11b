import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../../contracts/ids.js';
import type { Session } from '../../http/session.js';

/** A login's reality checks. Times are epoch milliseconds. */
export interface RealityChecks {
  begunAtMs: number;
  /** Null before the first answer. */
  answeredAtMs: number | null;
  /** Null while the site's interval holds. */
  chosenMinutes: number | null;
}

/** The tables `auth.reality_checks` and `auth.reality_check_choices`, and the beginning of a session. */
@Injectable()
export class RealityChecksStore {
  constructor(private readonly pool: Pool) {}

  /** The session's beginning, its last answer and its gamer's choice; null when the session has ended meanwhile. */
  async of({ sid, gamerId }: Session): Promise<RealityChecks | null> {
    const { rows } = await this.pool.query<RealityChecks>(
      `SELECT ${epochMs('session.begun_at')} AS "begunAtMs", ${epochMs('reality.answered_at')} AS "answeredAtMs",
         chosen.every_minutes AS "chosenMinutes"
       FROM auth.sessions AS session
         LEFT JOIN auth.reality_checks AS reality ON reality.sid = session.sid
         LEFT JOIN auth.reality_check_choices AS chosen ON chosen.gamer_id = $2
       WHERE session.sid = $1`,
      [sid, gamerId],
    );
    return rows[0] ?? null;
  }

  /** Records an answer. Does nothing when the session has ended meanwhile. */
  async answer({ sid }: Session, now: Date): Promise<void> {
    await this.pool.query(
      `INSERT INTO auth.reality_checks (sid, answered_at) SELECT sid, $2 FROM auth.sessions WHERE sid = $1
       ON CONFLICT (sid) DO UPDATE SET answered_at = excluded.answered_at`,
      [sid, now],
    );
  }

  async choose(gamerId: GamerId, everyMinutes: number): Promise<void> {
    await this.pool.query(
      `INSERT INTO auth.reality_check_choices (gamer_id, every_minutes) VALUES ($1, $2)
       ON CONFLICT (gamer_id) DO UPDATE SET every_minutes = excluded.every_minutes`,
      [gamerId, everyMinutes],
    );
  }
}

const epochMs = (column: string): string => `floor(extract(epoch FROM ${column}) * 1000)::float8`;
