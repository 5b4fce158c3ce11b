import { Injectable } from '@nestjs/common';
import type { GamerId } from '../../../contracts/ids.js';
import { STAFF_IDLE_SECONDS, STAFF_SESSION_SECONDS, STEP_UP_SECONDS } from '../../../contracts/limits.js';
import { Config } from '../platform/config.js';
import { Unavailable } from '../platform/failures.js';
import { PriorityPool } from '../platform/priority-pool.store.js';
import { inTransaction, type Query } from '../platform/row-sealing.store.js';
import { RowSeals } from '../platform/row-seals.js';
import { SEALED_TABLES, type SealedRow } from '../platform/sealed-tables.js';
import type { Session } from './session.js';
import { SESSION_LIFETIME_SECONDS, sessionCookieValue } from './session-cookie.js';

/** The cookie's signed value is kept too: to sign costs more than everything else here. Times are of performance.now(). */
export type KeptSession = Session & { expiresAtMonotonicMs: number; endsAtMonotonicMs: number | null; cookie: string };

/** The fields that a session's seal covers; times in microseconds since the epoch. */
interface SessionContent {
  sid: string;
  gamerId: GamerId;
  password: string | null;
  expire: number;
  endsAt: number | null;
  provedAt: number | null;
  hasSecondFactor: boolean;
}

const { content: CONTENT } = SEALED_TABLES.sessions;

/** The properties of a new session. */
export interface BegunSession {
  /** Marks the password that opened it. */
  password: string | null;
  /** The reading of its user agent. */
  device: string;
  isStaff: boolean;
  hasSecondFactor: boolean;
}

/** The rows of `auth.sessions`. Only a sealed row counts. */
@Injectable()
export class SessionRows {
  constructor(
    private readonly pool: PriorityPool,
    private readonly config: Config,
    private readonly seals: RowSeals,
  ) {}

  async insert(
    sid: string,
    gamerId: GamerId,
    { device, password, isStaff, hasSecondFactor }: BegunSession,
  ): Promise<void> {
    await inTransaction(this.pool, async (query) => {
      const begun = await query<{ content: SessionContent }>(
        `INSERT INTO auth.sessions (sid, sess, expire, ends_at, proved_at, has_second_factor)
         VALUES ($1, $2, now() + make_interval(secs => $3), now() + make_interval(secs => $4), now(), $5)
         RETURNING ${CONTENT} AS content`,
        [
          sid,
          { gamerId, device, password },
          isStaff ? STAFF_IDLE_SECONDS : SESSION_LIFETIME_SECONDS,
          isStaff ? STAFF_SESSION_SECONDS : null,
          hasSecondFactor,
        ],
      );
      await this.seal(query, begun);
    });
  }

  /** Changes and seals the unexpired, genuine sessions of a condition. Returns the ids that they have now. */
  change(
    [condition, parameter]: [string, string],
    [assignments, ...values]: [string, ...unknown[]],
  ): Promise<string[]> {
    return inTransaction(this.pool, async (query) => {
      const found = await query<SealedRow<SessionContent>>(
        `SELECT ${CONTENT} AS content, seal FROM auth.sessions WHERE ${condition} AND expire > now() FOR UPDATE`,
        [parameter],
      );
      const genuine = found.filter((row) => this.isGenuine(row)).map(({ content }) => content.sid);
      const changed = await query<{ content: SessionContent }>(
        `UPDATE auth.sessions SET ${assignments} WHERE sid = ANY ($1) RETURNING ${CONTENT} AS content`,
        [genuine, ...values],
      );
      await this.seal(query, changed);
      return changed.map(({ content }) => content.sid);
    });
  }

  /** Deletes the rows of a condition, and returns their ids. */
  async delete(condition: string, ...parameters: unknown[]): Promise<string[]> {
    const deleted = await this.pool.query<{ sid: string }>(
      `DELETE FROM auth.sessions WHERE ${condition} RETURNING sid`,
      parameters,
    );
    return deleted.rows.map(({ sid }) => sid);
  }

  /** The gamer's sessions, newest first. */
  async listOf(gamerId: GamerId): Promise<{ sid: string; device: string; begunAt: number }[]> {
    const { rows } = await this.pool.query<{ sid: string; device: string; begunAt: number }>(
      `SELECT sid, sess->>'device' AS device, floor(extract(epoch FROM begun_at) * 1000)::float8 AS "begunAt"
       FROM auth.sessions WHERE sess->>'gamerId' = $1 AND expire > now() ORDER BY begun_at DESC`,
      [gamerId],
    );
    return rows;
  }

  /** The gamers of those sessions that still exist, by session id, uncached. */
  async gamersOf(sids: readonly string[]): Promise<Map<string, GamerId>> {
    const found = await this.pool.query<{ sid: string; gamerId: GamerId }>(
      `SELECT sid, sess->>'gamerId' AS "gamerId" FROM auth.sessions WHERE sid = ANY($1) AND expire > now()`,
      [sids],
    );
    return new Map(found.rows.map(({ sid, gamerId }) => [sid, gamerId]));
  }

  async read(sid: string): Promise<KeptSession | null> {
    const { rows } = await this.pool
      .query<SealedRow<SessionContent> & { now: number }>(
        `SELECT ${CONTENT} AS content, seal, extract(epoch FROM now())::float8 * 1000000 AS now
         FROM auth.sessions WHERE sid = $1`,
        [sid],
      )
      .catch((error: Error) => {
        throw new Unavailable(`sessions: ${error.message}`, { cause: error });
      });
    const [row] = rows;
    if (!row || !this.isGenuine(row)) return null;
    const { gamerId, password, expire, endsAt, provedAt, hasSecondFactor } = row.content;
    const now = performance.now();
    const fromNowMs = (micros: number): number => now + (micros - row.now) / 1_000;
    return {
      sid,
      gamerId,
      password,
      isStaff: endsAt !== null,
      hasSecondFactor,
      provedUntilMonotonicMs:
        provedAt === null ? Number.NEGATIVE_INFINITY : fromNowMs(provedAt) + STEP_UP_SECONDS * 1000,
      expiresAtMonotonicMs: fromNowMs(expire),
      endsAtMonotonicMs: endsAt === null ? null : fromNowMs(endsAt),
      cookie: sessionCookieValue(sid, this.config),
    };
  }

  private async seal(query: Query, rows: { content: SessionContent }[]): Promise<void> {
    await query(
      `UPDATE auth.sessions AS row SET seal = sealed.seal FROM unnest($1::text[], $2::bytea[]) AS sealed (sid, seal)
       WHERE row.sid = sealed.sid`,
      [rows.map(({ content }) => content.sid), rows.map(({ content }) => this.seals.of('sessions', content))],
    );
  }

  private isGenuine(row: SealedRow<SessionContent>): boolean {
    // The id opens the account, so no log names it.
    return this.seals.isGenuine('sessions', `of ${row.content.gamerId}`, row);
  }
}
