import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { preValidationHookHandler } from 'fastify';
import type { GamerId } from '../../../contracts/ids.js';
import { STAFF_IDLE_SECONDS, STAFF_SESSION_SECONDS, STEP_UP_SECONDS } from '../../../contracts/limits.js';
import { Config } from '../platform/config.js';
import { every, type Periodic } from '../platform/every.js';
import { Unavailable } from '../platform/failures.js';
import { FreshRows } from '../platform/fresh-rows.js';
import { Listener } from '../platform/listener.store.js';
import { PriorityPool } from '../platform/priority-pool.store.js';
import { inTransaction, type Query } from '../platform/row-sealing.store.js';
import { RowSeals } from '../platform/row-seals.js';
import { SEALED_TABLES, type SealedRow } from '../platform/sealed-tables.js';
import type { Session } from './session.js';
import { areSameCookies, SESSION_LIFETIME_SECONDS, sessionCookieOf, sessionCookieValue } from './session-cookie.js';

const MAX_SESSIONS_PER_GAMER = 20;
const PRUNE_INTERVAL_MS = 15 * 60 * 1000;

/** A staff member's session is prolonged at most this often. */
const PROLONGED_EVERY_MS = 60_000;

/** The cookie's signed value is kept too: to sign costs more than everything else here. Times are of performance.now(). */
type KeptSession = Session & { expiresAtMonotonicMs: number; endsAtMonotonicMs: number | null; cookie: string };

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

interface Renewal {
  isProof?: boolean;
  withSecondFactor?: boolean;
  /** The mark of a password that was changed in the session. */
  password?: string | null;
}

/** The properties of a new session. */
interface BegunSession {
  /** Marks the password that opened it. */
  password: string | null;
  /** The reading of its user agent. */
  device: string;
  isStaff: boolean;
  hasSecondFactor: boolean;
}

/**
 * Sessions in `auth.sessions`, kept in memory until they change; only a sealed row counts. A gamer's session lives a fixed time from its login, so
 * gamers' requests write nothing. A staff member's session expires when idle; its commands prolong it.
 */
@Injectable()
export class SessionStore implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SessionStore.name);
  private readonly rows: FreshRows<KeptSession>;
  private readonly endListeners: ((sid: string) => void)[] = [];
  private pruning: Periodic | undefined;

  constructor(
    private readonly pool: PriorityPool,
    private readonly config: Config,
    private readonly seals: RowSeals,
    listener: Listener,
  ) {
    this.rows = new FreshRows(
      listener,
      'auth_sessions',
      (sid) => this.read(sid),
      (sid) => void this.announceIfEnded(sid),
    );
  }

  onApplicationBootstrap(): void {
    this.pruning = every(
      PRUNE_INTERVAL_MS,
      async () => {
        await this.pool.query('DELETE FROM auth.sessions WHERE expire < now()');
      },
      (error) => this.logger.warn(`expired sessions were not deleted: ${error.message}`),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pruning?.stop();
  }

  /** The session of a request's cookie, at once when it is in memory; null without a valid one. */
  of(request: IncomingMessage): Session | null | Promise<Session | null> {
    const sent = sessionCookieOf(request, this.config);
    if (sent === null) return null;
    const kept = this.rows.inMemory(sent.sid);
    // Before the read: a cookie that is not ours must not cost a query.
    if (!areSameCookies(sent.value, kept?.cookie ?? sessionCookieValue(sent.sid, this.config))) return null;
    const found = kept ?? this.rows.get(sent.sid);
    return found instanceof Promise ? found.then(unexpired) : unexpired(found);
  }

  /** Begins a session under a new id, and returns the id. */
  async begin(gamerId: GamerId, { device, password, isStaff, hasSecondFactor }: BegunSession): Promise<string> {
    const sid = newId();
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
    return sid;
  }

  /** Records a step-up. The session goes on under a new id, which it returns; null when the session has ended meanwhile. */
  stepUp(sid: string, { withSecondFactor }: { withSecondFactor: boolean }): Promise<string | null> {
    return this.renew(sid, { isProof: true, withSecondFactor });
  }

  /**
   * Gives a session another id, and returns it; null when the session has ended meanwhile. Without a proof the session keeps the
   * time of its last one and its end.
   */
  async renew(
    sid: string,
    { isProof = false, withSecondFactor = false, password = null }: Renewal = {},
  ): Promise<string | null> {
    const renewed = newId();
    const changed = await this.change(
      ['sid = $1', sid],
      [
        `sid = $2, proved_at = CASE WHEN $3 THEN now() ELSE proved_at END, has_second_factor = has_second_factor OR $4,
         sess = CASE WHEN $5::text IS NULL THEN sess ELSE jsonb_set(sess::jsonb, '{password}', to_jsonb($5::text))::json END`,
        renewed,
        isProof,
        withSecondFactor,
        password,
      ],
    );
    this.rows.forget(sid);
    this.announceEnded(sid);
    return changed.length === 1 ? renewed : null;
  }

  /** Gives the sessions of a gamer who becomes staff the ends of a staff member's session. */
  async limitAsStaff(gamerId: GamerId): Promise<void> {
    const sids = await this.change(
      [`sess->>'gamerId' = $1 AND ends_at IS NULL`, gamerId],
      [
        'ends_at = now() + make_interval(secs => $2), expire = least(expire, now() + make_interval(secs => $3))',
        STAFF_SESSION_SECONDS,
        STAFF_IDLE_SECONDS,
      ],
    );
    for (const sid of sids) this.rows.forget(sid);
  }

  /** Changes and seals the unexpired, genuine sessions of a condition. Returns the ids that they have now. */
  private change(
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

  /** Prolongs a staff member's session by its idle time, unless that was done in the last minute. */
  prolong({ sid }: Session): void {
    const kept = this.rows.inMemory(sid);
    if (!kept || kept.endsAtMonotonicMs === null) return;
    const now = performance.now();
    const dueAtMonotonicMs = kept.expiresAtMonotonicMs - STAFF_IDLE_SECONDS * 1000 + PROLONGED_EVERY_MS;
    if (now < dueAtMonotonicMs || kept.expiresAtMonotonicMs >= kept.endsAtMonotonicMs) return;
    this.change(
      ['sid = $1', sid],
      ['expire = least(ends_at, now() + make_interval(secs => $2))', STAFF_IDLE_SECONDS],
    ).then(
      () => this.rows.forget(sid),
      (error: Error) => this.logger.warn(`a staff member's session was not prolonged: ${error.message}`),
    );
  }

  async end(sid: string): Promise<void> {
    await this.delete('sid = $1', sid);
  }

  /** Ends all sessions of a gamer. */
  async endAllOf(gamerId: GamerId): Promise<void> {
    await this.delete(`sess->>'gamerId' = $1`, gamerId);
  }

  /** Ends all sessions of a gamer except one; without one it ends all. */
  async endOthersOf(gamerId: GamerId, sid = ''): Promise<void> {
    await this.delete(`sess->>'gamerId' = $1 AND sid <> $2`, gamerId, sid);
  }

  /** Ends the gamer's oldest sessions above the limit, but never the one that has just begun. */
  async endOldestOf(gamerId: GamerId, begunSid: string): Promise<void> {
    await this.delete(
      `sid IN (
         SELECT sid FROM auth.sessions WHERE sess->>'gamerId' = $1 ORDER BY sid = $3 DESC, expire DESC OFFSET $2
       )`,
      gamerId,
      MAX_SESSIONS_PER_GAMER,
      begunSid,
    );
  }

  /** The gamer's sessions, newest first. Those of earlier releases do not say their device. */
  async listOf(gamerId: GamerId): Promise<{ sid: string; device: string | null; begunAt: number }[]> {
    const { rows } = await this.pool.query<{ sid: string; device: string | null; begunAt: number }>(
      `SELECT sid, sess->>'device' AS device, floor(extract(epoch FROM begun_at) * 1000)::float8 AS "begunAt"
       FROM auth.sessions WHERE sess->>'gamerId' = $1 AND expire > now() ORDER BY begun_at DESC`,
      [gamerId],
    );
    return rows;
  }

  /** Calls the listener with the id of each session that ended on any node; '' stands for all. */
  onEnded(listener: (sid: string) => void): void {
    this.endListeners.push(listener);
  }

  /** The gamers of those sessions that still exist, by session id, uncached. */
  async gamersOf(sids: readonly string[]): Promise<Map<string, GamerId>> {
    const found = await this.pool.query<{ sid: string; gamerId: GamerId }>(
      `SELECT sid, sess->>'gamerId' AS "gamerId" FROM auth.sessions WHERE sid = ANY($1) AND expire > now()`,
      [sids],
    );
    return new Map(found.rows.map(({ sid, gamerId }) => [sid, gamerId]));
  }

  /** Deletes sessions. This node forgets them at once, the others when the table's trigger notifies them. */
  private async delete(condition: string, ...parameters: unknown[]): Promise<void> {
    const ended = await this.pool.query<{ sid: string }>(
      `DELETE FROM auth.sessions WHERE ${condition} RETURNING sid`,
      parameters,
    );
    for (const { sid } of ended.rows) {
      this.rows.forget(sid);
      this.announceEnded(sid);
    }
  }

  /** Announces the session if it has ended. Announces '' (check all) when the row cannot be read. */
  private async announceIfEnded(sid: string): Promise<void> {
    try {
      const session = sid === '' ? null : await this.rows.get(sid);
      if (unexpired(session) === null) this.announceEnded(sid);
    } catch (error) {
      this.logger.warn(`a changed session could not be read: ${(error as Error).message}`);
      this.announceEnded('');
    }
  }

  private announceEnded(sid: string): void {
    for (const listener of this.endListeners) listener(sid);
  }

  private async read(sid: string): Promise<KeptSession | null> {
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
}

const newId = (): string => randomBytes(24).toString('base64url');

const unexpired = (session: KeptSession | null): Session | null =>
  session && session.expiresAtMonotonicMs > performance.now() ? session : null;

/**
 * Hook: puts the session of the request's cookie on the request. Pages need none. A command shows that somebody is there: it
 * prolongs a staff member's session. Queries do not, because pages send them by themselves.
 */
export const readSession =
  (sessions: SessionStore): preValidationHookHandler =>
  (request, _reply, done) => {
    if (!request.route.startsWith('/api/')) return done();
    const put = (session: Session | null): void => {
      request.session = session;
      if (session?.isStaff && request.method !== 'GET' && request.method !== 'HEAD') sessions.prolong(session);
      done();
    };
    const found = sessions.of(request.raw);
    if (found instanceof Promise) found.then(put, done);
    else put(found);
  };
