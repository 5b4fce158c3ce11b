import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { GamerId } from '../../../contracts/ids.js';
import { Config } from '../config.js';
import { Refused } from './refused.js';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * 60;

/** How much one gamer may write, counted in Postgres for all nodes together. */
@Injectable()
export class GamerLimits {
  private readonly limiters: { posts: RateLimiterPostgres; tickets: RateLimiterPostgres } | null;

  constructor(pool: Pool, { attemptLimits }: Config) {
    this.limiters = attemptLimits && {
      posts: openLimiter(pool, 'post', attemptLimits.postsPerGamer, MINUTE_SECONDS),
      tickets: openLimiter(pool, 'ticket', attemptLimits.ticketsPerGamer, HOUR_SECONDS),
    };
  }

  /** Throws Refused. */
  async countPost(gamerId: GamerId): Promise<void> {
    if (this.limiters) await count(this.limiters.posts, gamerId);
  }

  /** Throws Refused. */
  async countTicket(gamerId: GamerId): Promise<void> {
    if (this.limiters) await count(this.limiters.tickets, gamerId);
  }
}

/** A limiter on the table `auth.attempts`: so many points in so many seconds. */
function openLimiter(pool: Pool, keyPrefix: string, points: number, durationSeconds: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'auth',
    tableName: 'attempts',
    tableCreated: true,
    keyPrefix,
    points,
    duration: durationSeconds,
    // Whoever is over the limit is refused from memory: being refused must not be work for Postgres.
    inMemoryBlockOnConsumed: points + 1,
  });
}

async function count(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (reason) {
    if (!(reason instanceof RateLimiterRes)) throw reason;
    const retryAfterSeconds = Math.max(1, Math.ceil(reason.msBeforeNext / 1000));
    throw new Refused({ code: 'too-many-attempts', parameters: { retryAfterSeconds } });
  }
}
