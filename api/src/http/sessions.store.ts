import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { preValidationHookHandler } from 'fastify';
import type { GamerId } from '../../../contracts/ids.js';
import { STAFF_IDLE_SECONDS, STAFF_SESSION_SECONDS } from '../../../contracts/limits.js';
import { Config } from '../platform/config.js';
import { every, type Periodic } from '../platform/every.js';
import { FreshRows } from '../platform/fresh-rows.js';
import { Listener } from '../platform/listener.store.js';
import type { Session } from './session.js';
import { areSameCookies, sessionCookieOf, sessionCookieValue } from './session-cookie.js';
import { type BegunSession, type KeptSession, SessionRows } from './session-rows.store.js';

const MAX_SESSIONS_PER_GAMER = 20;
const PRUNE_INTERVAL_MS = 15 * 60 * 1000;

/** A staff member's session is prolonged at most this often. */
const PROLONGED_EVERY_MS = 60_000;

interface Renewal {
  isProof?: boolean;
  withSecondFactor?: boolean;
  /** The mark of a password that was changed in the session. */
  password?: string | null;
}

/**
 * Sessions, kept in memory until their rows change. A gamer's session lives a fixed time from its login, so gamers' requests write
 * nothing. A staff member's session expires when idle; its commands prolong it.
 */
@Injectable()
export class SessionStore implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SessionStore.name);
  private readonly kept: FreshRows<KeptSession>;
  private readonly endListeners: ((sid: string) => void)[] = [];
  private pruning: Periodic | undefined;

  constructor(
    private readonly rows: SessionRows,
    private readonly config: Config,
    listener: Listener,
  ) {
    this.kept = new FreshRows(
      listener,
      'auth_sessions',
      (sid) => this.rows.read(sid),
      (sid) => void this.announceIfEnded(sid),
    );
  }

  onApplicationBootstrap(): void {
    this.pruning = every(
      PRUNE_INTERVAL_MS,
      async () => {
        await this.rows.delete('expire < now()');
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
    const kept = this.kept.inMemory(sent.sid);
    // Before the read: a cookie that is not ours must not cost a query.
    if (!areSameCookies(sent.value, kept?.cookie ?? sessionCookieValue(sent.sid, this.config))) return null;
    const found = kept ?? this.kept.get(sent.sid);
    return found instanceof Promise ? found.then(unexpired) : unexpired(found);
  }

  /** Begins a session under a new id, and returns the id. */
  async begin(gamerId: GamerId, begun: BegunSession): Promise<string> {
    const sid = newId();
    await this.rows.insert(sid, gamerId, begun);
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
    const changed = await this.rows.change(
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
    this.kept.forget(sid);
    this.announceEnded(sid);
    return changed.length === 1 ? renewed : null;
  }

  /** Gives the sessions of a gamer who becomes staff the ends of a staff member's session. */
  async limitAsStaff(gamerId: GamerId): Promise<void> {
    const sids = await this.rows.change(
      [`sess->>'gamerId' = $1 AND ends_at IS NULL`, gamerId],
      [
        'ends_at = now() + make_interval(secs => $2), expire = least(expire, now() + make_interval(secs => $3))',
        STAFF_SESSION_SECONDS,
        STAFF_IDLE_SECONDS,
      ],
    );
    for (const sid of sids) this.kept.forget(sid);
  }

  /** Prolongs a staff member's session by its idle time, unless that was done in the last minute. */
  prolong({ sid }: Session): void {
    const kept = this.kept.inMemory(sid);
    if (!kept || kept.endsAtMonotonicMs === null) return;
    const now = performance.now();
    const dueAtMonotonicMs = kept.expiresAtMonotonicMs - STAFF_IDLE_SECONDS * 1000 + PROLONGED_EVERY_MS;
    if (now < dueAtMonotonicMs || kept.expiresAtMonotonicMs >= kept.endsAtMonotonicMs) return;
    this.rows
      .change(['sid = $1', sid], ['expire = least(ends_at, now() + make_interval(secs => $2))', STAFF_IDLE_SECONDS])
      .then(
        () => this.kept.forget(sid),
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

  /** Calls the listener with the id of each session that ended on any node; '' stands for all. */
  onEnded(listener: (sid: string) => void): void {
    this.endListeners.push(listener);
  }

  /** Deletes sessions. This node forgets them at once, the others when the table's trigger notifies them. */
  private async delete(condition: string, ...parameters: unknown[]): Promise<void> {
    for (const sid of await this.rows.delete(condition, ...parameters)) {
      this.kept.forget(sid);
      this.announceEnded(sid);
    }
  }

  /** Announces the session if it has ended. Announces '' (check all) when the row cannot be read. */
  private async announceIfEnded(sid: string): Promise<void> {
    try {
      const session = sid === '' ? null : await this.kept.get(sid);
      if (unexpired(session) === null) this.announceEnded(sid);
    } catch (error) {
      this.logger.warn(`a changed session could not be read: ${(error as Error).message}`);
      this.announceEnded('');
    }
  }

  private announceEnded(sid: string): void {
    for (const listener of this.endListeners) listener(sid);
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
