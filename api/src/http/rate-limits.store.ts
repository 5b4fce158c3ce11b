import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { GamerId } from '../../../contracts/ids.js';
import { Config, UNLIMITED } from '../platform/config.js';
import { Refused } from '../platform/failures.js';

export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 60 * 60;

type LimitRefusal = 'too-many-attempts' | 'too-many-invoices' | 'too-many-wallet-changes';
type LimitedRequest = 'post' | 'ticket' | 'invoice' | 'wallet';

/** Counts requests per key, in Postgres for all nodes together. With `UNLIMITED` points it counts nothing. */
export class Limiter {
  private readonly limiter: RateLimiterPostgres;

  constructor(
    pool: Pool,
    keyPrefix: string,
    points: number,
    durationSeconds: number,
    private readonly options: { code?: LimitRefusal; isRewarded?: boolean } = {},
  ) {
    this.limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      schemaName: 'auth',
      tableName: 'attempts',
      tableCreated: true,
      keyPrefix,
      points,
      duration: durationSeconds,
      // Over the limit, requests are refused from memory without a query, unless a reward on any node may end that.
      inMemoryBlockOnConsumed: options.isRewarded ? 0 : points + 1,
    });
  }

  /** Counts one attempt of the key. Throws Refused over the limit. */
  async count(key: string): Promise<void> {
    if (this.limiter.points === UNLIMITED) return;
    try {
      await this.limiter.consume(key);
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      // Else a reward would only make up for a refused attempt.
      if (this.options.isRewarded) await this.reward(key);
      const { code = 'too-many-attempts' } = this.options;
      const retryAfterSeconds = Math.max(1, Math.ceil(reason.msBeforeNext / 1000));
      throw new Refused({ code, parameters: { retryAfterSeconds } });
    }
  }

  /** Takes one count back. */
  async reward(key: string): Promise<void> {
    if (this.limiter.points !== UNLIMITED) await this.limiter.reward(key);
  }

  async forget(key: string): Promise<void> {
    if (this.limiter.points !== UNLIMITED) await this.limiter.delete(key);
  }
}

@Injectable()
export class GamerRateLimits {
  private readonly limiters: Record<LimitedRequest, Limiter>;

  constructor(pool: Pool, { attemptLimits: limits }: Config) {
    this.limiters = {
      post: new Limiter(pool, 'post', limits.postsPerGamer, MINUTE_SECONDS),
      ticket: new Limiter(pool, 'ticket', limits.ticketsPerGamer, HOUR_SECONDS),
      invoice: new Limiter(pool, 'invoice', limits.invoicesPerGamer, HOUR_SECONDS, { code: 'too-many-invoices' }),
      wallet: new Limiter(pool, 'wallet', limits.walletChangesPerGamer, HOUR_SECONDS, {
        code: 'too-many-wallet-changes',
      }),
    };
  }

  async count(request: LimitedRequest, gamerId: GamerId): Promise<void> {
    await this.limiters[request].count(gamerId);
  }
}
