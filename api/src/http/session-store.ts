import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import connectPgSimple from 'connect-pg-simple';
import session, { type SessionData } from 'express-session';
import { LRUCache } from 'lru-cache';
import { Unavailable } from '../platform/failures.js';
import { PriorityPool } from '../platform/priority-pool.store.js';

declare module 'express-session' {
  interface SessionData {
    gamerId: string;
  }
}

/** A session that ended on another node stays valid on this one for at most this long. */
const CACHE_TTL_MS = 2_000;
const CACHE_MAX_ENTRIES = 20_000;
const MAX_SESSIONS_PER_GAMER = 20;

const PostgresStore = connectPgSimple(session);

/**
 * Sessions in `auth.sessions`, behind a short-lived cache that saves frequent buyers a query per request. There is no
 * `touch`: a session lives a fixed time from its login, so requests write nothing.
 */
@Injectable()
export class SessionStore extends session.Store implements OnApplicationShutdown {
  private readonly logger = new Logger(SessionStore.name);
  private readonly postgres: InstanceType<typeof PostgresStore>;
  /** As JSON, because express-session modifies the object it gets. */
  private readonly cache = new LRUCache<string, Promise<string | null>>({ ttl: CACHE_TTL_MS, max: CACHE_MAX_ENTRIES });

  private readonly endListeners: ((sid: string) => void)[] = [];

  constructor(private readonly pool: PriorityPool) {
    super();
    this.postgres = new PostgresStore({
      pool,
      schemaName: 'auth',
      tableName: 'sessions',
      createTableIfMissing: false,
      errorLog: (...details: unknown[]) => this.logger.warn(details.map(String).join(' ')),
    });
  }

  override get(sid: string, callback: (error: unknown, session?: SessionData | null) => void): void {
    this.read(sid).then(
      (json) => callback(null, json === null ? null : (JSON.parse(json) as SessionData)),
      (error: Error) => callback(new Unavailable(`sessions: ${error.message}`, { cause: error })),
    );
  }

  override set(sid: string, data: SessionData, callback?: (error?: unknown) => void): void {
    this.cache.delete(sid);
    this.postgres.set(sid, data, (error: unknown) => {
      // Again, because a read that began before the write has cached the old row.
      this.cache.delete(sid);
      callback?.(error);
    });
  }

  override destroy(sid: string, callback?: (error?: unknown) => void): void {
    this.cache.delete(sid);
    this.postgres.destroy(sid, (error: unknown) => {
      this.forget(sid);
      callback?.(error);
    });
  }

  /** Ends all sessions of a gamer; other nodes notice within two seconds. */
  async endAllOf(gamerId: string): Promise<void> {
    const ended = await this.pool.query<{ sid: string }>(
      `DELETE FROM auth.sessions WHERE sess->>'gamerId' = $1 RETURNING sid`,
      [gamerId],
    );
    for (const { sid } of ended.rows) this.forget(sid);
  }

  /** Ends the gamer's oldest sessions above the limit, but never the one that has just begun. */
  async endOldestOf(gamerId: string, begunSid: string): Promise<void> {
    const ended = await this.pool.query<{ sid: string }>(
      `DELETE FROM auth.sessions WHERE sid IN (
         SELECT sid FROM auth.sessions WHERE sess->>'gamerId' = $1 ORDER BY sid = $3 DESC, expire DESC OFFSET $2
       ) RETURNING sid`,
      [gamerId, MAX_SESSIONS_PER_GAMER, begunSid],
    );
    for (const { sid } of ended.rows) this.forget(sid);
  }

  /** Calls the listener with the id of every session ended on this node. */
  onEnded(listener: (sid: string) => void): void {
    this.endListeners.push(listener);
  }

  /** The gamers of those sessions that still exist, by session id, uncached. */
  async gamersOf(sids: readonly string[]): Promise<Map<string, string>> {
    const found = await this.pool.query<{ sid: string; gamerId: string }>(
      `SELECT sid, sess->>'gamerId' AS "gamerId" FROM auth.sessions WHERE sid = ANY($1) AND expire > now()`,
      [sids],
    );
    return new Map(found.rows.map(({ sid, gamerId }) => [sid, gamerId]));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.postgres.close();
  }

  private forget(sid: string): void {
    this.cache.delete(sid);
    for (const listener of this.endListeners) listener(sid);
  }

  private read(sid: string): Promise<string | null> {
    const known = this.cache.get(sid);
    if (known) return known;
    const reading = new Promise<string | null>((resolve, reject) => {
      this.postgres.get(sid, (error: unknown, found?: SessionData | null) => {
        if (error) reject(error as Error);
        else resolve(found ? JSON.stringify(found) : null);
      });
    });
    this.cache.set(sid, reading);
    reading.catch(() => {
      // A newer read may have replaced this one.
      if (this.cache.peek(sid) === reading) this.cache.delete(sid);
    });
    return reading;
  }
}
