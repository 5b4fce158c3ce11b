import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { ATTEMPT_LIMITS, Config, UNLIMITED } from '../platform/config.js';
import { Refused } from '../platform/failures.js';

type Limits = typeof ATTEMPT_LIMITS;
type Limit = { [L in keyof Limits]: Limits[L] extends readonly [string, number, number] ? L : never }[keyof Limits];

const CODES: Partial<Record<Limit, 'too-many-invoices' | 'too-many-wallet-changes'>> = {
  invoicesPerGamer: 'too-many-invoices',
  walletChangesPerGamer: 'too-many-wallet-changes',
};

/** Counts attempts per key, in Postgres for all nodes together. A limit that is off counts nothing. */
@Injectable()
export class RateLimits {
  private readonly limiters = new Map<Limit, RateLimiterPostgres>();

  constructor(pool: Pool, { attemptLimits }: Config) {
    for (const [name, [, , duration]] of Object.entries(ATTEMPT_LIMITS)) {
      const points = attemptLimits[name as Limit];
      if (duration === undefined || points === UNLIMITED) continue;
      const limiter = new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        schemaName: 'auth',
        tableName: 'attempts',
        tableCreated: true,
        keyPrefix: name,
        points,
        duration,
        // Requests over the limit are refused from memory without a query, unless a reward on any node may end that.
        inMemoryBlockOnConsumed: name === 'registrationsPerAddress' ? 0 : points + 1,
      });
      this.limiters.set(name as Limit, limiter);
    }
  }

  async count(limit: Limit, key: string): Promise<void> {
    try {
      await this.limiters.get(limit)?.consume(key);
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      // A reward would otherwise only make up for a refused attempt.
      if (limit === 'registrationsPerAddress') await this.reward(limit, key);
      const retryAfterSeconds = Math.max(1, Math.ceil(reason.msBeforeNext / 1000));
      throw new Refused({ code: CODES[limit] ?? 'too-many-attempts', parameters: { retryAfterSeconds } });
    }
  }

  async reward(limit: Limit, key: string): Promise<void> {
    await this.limiters.get(limit)?.reward(key);
  }

  async forget(limit: Limit, key: string): Promise<void> {
    await this.limiters.get(limit)?.delete(key);
  }
}
