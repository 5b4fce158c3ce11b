import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import type { preValidationHookHandler } from 'fastify';
import { Subject } from 'rxjs';
import { GAMER } from '../../../contracts/http/headers.js';
import type { GamerId } from '../../../contracts/ids.js';
import { MAX_STAFF_IDLE_SECONDS, MAX_STAFF_SESSION_SECONDS, STEP_UP_SECONDS } from '../../../contracts/limits.js';
import { Config } from '../platform/config.js';
import { Refused } from '../platform/failures.js';
import { FreshRows } from '../platform/fresh-rows.js';
import { Listener } from '../platform/listener.store.js';
import { PriorityPool } from '../platform/priority-pool.store.js';
import { areSameTexts, SESSION_LIFETIME_SECONDS, sessionCookieOf, sessionCookieValue } from './cookies.js';
import { sendRefusal } from './refusal.filter.js';
import type { Session } from './session.js';

const MAX_SESSIONS_PER_GAMER = 20;

/** A staff member's session is prolonged at most this often. */
const PROLONGED_EVERY_MS = 60_000;

/** The cookie's signed value is cached too: to sign costs more than everything else here. Times are of performance.now(). */
type CachedSession = Session & { expiresAtMonotonicMs: number; endsAtMonotonicMs: number | null; cookie: string };

type BegunSession = { device: string; isStaff: boolean; hasSecondFactor: boolean };

/** Cached until its rows change. Gamers' sessions last a fixed time; staff's expire when idle. */
@Injectable()
export class SessionStore {
  private readonly logger = new Logger(SessionStore.name);
  private readonly cached: FreshRows<CachedSession>;
  /** The ids of sessions that ended on any node; '' stands for all. */
  readonly ended = new Subject<string>();

  constructor(
    private readonly pool: PriorityPool,
    private readonly config: Config,
    listener: Listener,
  ) {
    this.cached = new FreshRows(
      listener,
      'auth_sessions',
      (sid) => this.read(sid),
      (sid) => void this.announceIfEnded(sid),
    );
  }

  /** The session of a request's cookie, at once when it is in memory; null without a valid one. */
  of(request: IncomingMessage): Session | null | Promise<Session | null> {
    const sent = sessionCookieOf(request, this.config);
    if (sent === null) return null;
    const cached = this.cached.inMemory(sent.sid);
    // Checked before the read: a cookie that is not ours must not cost a query.
    if (!areSameTexts(sent.value, cached?.cookie ?? sessionCookieValue(sent.sid, this.config))) return null;
    const found = cached ?? this.cached.get(sent.sid);
    return found instanceof Promise ? found.then(unexpired) : unexpired(found);
  }

  /** Begins a session and returns its id. Deletes the gamer's oldest ones above the limit, and all that are expired. */
  async begin(gamerId: GamerId, { device, isStaff, hasSecondFactor }: BegunSession): Promise<string> {
    const sid = newId();
    await this.pool.query(
      `INSERT INTO auth.sessions (sid, sess, expire, ends_at, proved_at, has_second_factor)
       VALUES ($1, $2, now() + make_interval(secs => $3), now() + make_interval(secs => $4), now(), $5)`,
      [
        sid,
        { gamerId, device },
        isStaff ? MAX_STAFF_IDLE_SECONDS : SESSION_LIFETIME_SECONDS,
        isStaff ? MAX_STAFF_SESSION_SECONDS : null,
        hasSecondFactor,
      ],
    );
    const oldest = `SELECT sid FROM auth.sessions WHERE sess->>'gamerId' = $1
      ORDER BY sid = $3 DESC, expire DESC OFFSET $2`;
    await this.delete(`sid IN (${oldest})`, gamerId, MAX_SESSIONS_PER_GAMER, sid);
    await this.delete('expire < now()');
    return sid;
  }

  /** Gives a session another id; null when it has ended. With `isProof` the time of its last proof becomes now. */
  async renew(sid: string, { isProof = false, withSecondFactor = false } = {}): Promise<string | null> {
    const renewed = newId();
    const { rowCount } = await this.pool.query(
      `UPDATE auth.sessions SET sid = $2, proved_at = CASE WHEN $3 THEN now() ELSE proved_at END,
         has_second_factor = has_second_factor OR $4
       WHERE sid = $1 AND expire > now()`,
      [sid, renewed, isProof, withSecondFactor],
    );
    this.cached.forget(sid);
    this.ended.next(sid);
    return rowCount === 1 ? renewed : null;
  }

  /** Gives the sessions of a gamer who becomes staff the ends of a staff member's session. */
  async limitAsStaff(gamerId: GamerId): Promise<void> {
    const { rows } = await this.pool.query<{ sid: string }>(
      `UPDATE auth.sessions
       SET ends_at = now() + make_interval(secs => $2), expire = least(expire, now() + make_interval(secs => $3))
       WHERE sess->>'gamerId' = $1 AND ends_at IS NULL AND expire > now() RETURNING sid`,
      [gamerId, MAX_STAFF_SESSION_SECONDS, MAX_STAFF_IDLE_SECONDS],
    );
    for (const { sid } of rows) this.cached.forget(sid);
  }

  prolong({ sid }: Session): void {
    const cached = this.cached.inMemory(sid);
    if (!cached || cached.endsAtMonotonicMs === null) return;
    const nowMonotonicMs = performance.now();
    const dueAtMonotonicMs = cached.expiresAtMonotonicMs - MAX_STAFF_IDLE_SECONDS * 1000 + PROLONGED_EVERY_MS;
    if (nowMonotonicMs < dueAtMonotonicMs || cached.expiresAtMonotonicMs >= cached.endsAtMonotonicMs) return;
    this.pool
      .query(
        `UPDATE auth.sessions SET expire = least(ends_at, now() + make_interval(secs => $2))
         WHERE sid = $1 AND expire > now()`,
        [sid, MAX_STAFF_IDLE_SECONDS],
      )
      .then(
        () => this.cached.forget(sid),
        (error: Error) => this.logger.warn(`a staff member's session was not prolonged: ${error.message}`),
      );
  }

  async end(sid: string): Promise<void> {
    await this.delete('sid = $1', sid);
  }

  /** Ends all sessions of a gamer except one; without one it ends all. */
  async endOthersOf(gamerId: GamerId, sid = ''): Promise<void> {
    await this.delete(`sess->>'gamerId' = $1 AND sid <> $2`, gamerId, sid);
  }

  async listOf(gamerId: GamerId): Promise<{ sid: string; device: string; begunAtMs: number }[]> {
    const { rows } = await this.pool.query<{ sid: string; device: string; begunAtMs: number }>(
      `SELECT sid, sess->>'device' AS device, floor(extract(epoch FROM begun_at) * 1000)::float8 AS "begunAtMs"
       FROM auth.sessions WHERE sess->>'gamerId' = $1 AND expire > now() ORDER BY begun_at DESC`,
      [gamerId],
    );
    return rows;
  }

  /** Deletes sessions. This node forgets them at once, the others when the table's trigger notifies them. */
  private async delete(condition: string, ...parameters: unknown[]): Promise<void> {
    const { rows } = await this.pool.query<{ sid: string }>(
      `DELETE FROM auth.sessions WHERE ${condition} RETURNING sid`,
      parameters,
    );
    for (const { sid } of rows) {
      this.cached.forget(sid);
      this.ended.next(sid);
    }
  }

  private async read(sid: string): Promise<CachedSession | null> {
    const { rows } = await this.pool.query<Omit<CachedSession, 'sid' | 'cookie'>>(
      `SELECT sess->>'gamerId' AS "gamerId", has_second_factor AS "hasSecondFactor", ends_at IS NOT NULL AS "isStaff",
         ${monotonicMs('expire')} AS "expiresAtMonotonicMs", ${monotonicMs('ends_at')} AS "endsAtMonotonicMs",
         coalesce(${monotonicMs('proved_at')} + $3 * 1000, 0) AS "provedUntilMonotonicMs"
       FROM auth.sessions WHERE sid = $1`,
      [sid, performance.now(), STEP_UP_SECONDS],
    );
    return rows[0] ? { ...rows[0], sid, cookie: sessionCookieValue(sid, this.config) } : null;
  }

  /** Announces the session if it has ended. Announces '' (check all) when the row cannot be read. */
  private async announceIfEnded(sid: string): Promise<void> {
    try {
      const session = sid === '' ? null : await this.cached.get(sid);
      if (unexpired(session) === null) this.ended.next(sid);
    } catch (error) {
      this.logger.warn(`a changed session could not be read: ${(error as Error).message}`);
      this.ended.next('');
    }
  }
}

/** SQL of a time by the clock of this process, which shows $2 now. */
const monotonicMs = (column: string): string => `($2::float8 + extract(epoch FROM ${column} - now())::float8 * 1000)`;

const newId = (): string => randomBytes(24).toString('base64url');

const unexpired = (session: CachedSession | null): Session | null =>
  session && session.expiresAtMonotonicMs > performance.now() ? session : null;

/** Puts the session on the request. Refuses commands of a page that shows another gamer. Commands alone prolong staff's sessions. */
export const readSession =
  (sessions: SessionStore): preValidationHookHandler =>
  (request, reply, done) => {
    if (!request.route.startsWith('/api/')) return done();
    const put = (session: Session | null): void => {
      request.session = session;
      reply.header(GAMER, session?.gamerId ?? 'none');
      const isCommand = request.method !== 'GET' && request.method !== 'HEAD';
      const sender = request.headers[GAMER.toLowerCase()];
      if (isCommand && session && sender !== undefined && sender !== session.gamerId) {
        sendRefusal(reply, new Refused('another-account'));
        return;
      }
      if (isCommand && session?.isStaff) sessions.prolong(session);
      done();
    };
    const found = sessions.of(request.raw);
    if (found instanceof Promise) found.then(put, done);
    else put(found);
  };
