import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { preValidationHookHandler } from 'fastify';
import type { GamerId } from '../../../contracts/ids.js';
import { Config } from '../platform/config.js';
import { every, type Periodic } from '../platform/every.js';
import { Unavailable } from '../platform/failures.js';
import { FreshRows } from '../platform/fresh-rows.js';
import { Listener } from '../platform/listener.store.js';
import { PriorityPool } from '../platform/priority-pool.store.js';
import type { Session } from './session.js';
import { areSameCookies, SESSION_LIFETIME_SECONDS, sessionCookieOf, sessionCookieValue } from './session-cookie.js';

const MAX_SESSIONS_PER_GAMER = 20;
const PRUNE_INTERVAL_MS = 15 * 60 * 1000;

/** The cookie's signed value is kept too: to sign costs more than everything else here. */
type KeptSession = Session & { expiresAtMs: number; cookie: string };

/**
 * Sessions in `auth.sessions`, kept in memory until they change. A session lives a fixed time from its login, so requests
 * write nothing.
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
    listener: Listener,
  ) {
    this.rows = new FreshRows(
      listener,
      'auth_sessions',
      (sid) => this.read(sid),
      (sid) => this.tellEnded(sid),
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
  async begin(gamerId: GamerId): Promise<string> {
    const sid = randomBytes(24).toString('base64url');
    await this.pool.query(
      'INSERT INTO auth.sessions (sid, sess, expire) VALUES ($1, $2, now() + make_interval(secs => $3))',
      [sid, { gamerId }, SESSION_LIFETIME_SECONDS],
    );
    return sid;
  }

  async end(sid: string): Promise<void> {
    await this.delete('sid = $1', sid);
  }

  /** Ends all sessions of a gamer. */
  async endAllOf(gamerId: GamerId): Promise<void> {
    await this.delete(`sess->>'gamerId' = $1`, gamerId);
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
      this.tellEnded(sid);
    }
  }

  private tellEnded(sid: string): void {
    for (const listener of this.endListeners) listener(sid);
  }

  private async read(sid: string): Promise<KeptSession | null> {
    const { rows } = await this.pool
      .query<{ gamerId: GamerId; leftMs: number }>(
        `SELECT sess->>'gamerId' AS "gamerId", extract(epoch FROM expire - now())::float8 * 1000 AS "leftMs"
         FROM auth.sessions WHERE sid = $1`,
        [sid],
      )
      .catch((error: Error) => {
        throw new Unavailable(`sessions: ${error.message}`, { cause: error });
      });
    if (!rows[0]) return null;
    const { gamerId, leftMs } = rows[0];
    return { sid, gamerId, expiresAtMs: performance.now() + leftMs, cookie: sessionCookieValue(sid, this.config) };
  }
}

const unexpired = (session: KeptSession | null): Session | null =>
  session && session.expiresAtMs > performance.now() ? session : null;

/** Hook: puts the session of the request's cookie on the request. Pages need none. */
export const readSession =
  (sessions: SessionStore): preValidationHookHandler =>
  (request, _reply, done) => {
    if (!request.route.startsWith('/api/')) return done();
    const found = sessions.of(request.raw);
    if (!(found instanceof Promise)) {
      request.session = found;
      return done();
    }
    found.then((session) => {
      request.session = session;
      done();
    }, done);
  };
