import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Refused } from './refused.js';

export interface LimiterOptions {
  keyPrefix: string;
  /** So many… */
  points: number;
  /** …in so long. */
  durationSeconds: number;
  /** What is said to one too many; 'too-many-attempts' when absent. */
  refusal?: 'too-many-attempts' | 'too-many-invoices' | 'too-many-wallet-changes';
}

/** Counts per key, in Postgres for all nodes together. */
export class Limiter {
  private readonly limiter: RateLimiterPostgres;
  private readonly code: NonNullable<LimiterOptions['refusal']>;

  constructor(pool: Pool, { keyPrefix, points, durationSeconds, refusal = 'too-many-attempts' }: LimiterOptions) {
    this.code = refusal;
    this.limiter = new RateLimiterPostgres({
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

  /** Throws Refused when it is one too many. */
  async count(key: string): Promise<void> {
    try {
      await this.limiter.consume(key);
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      const retryAfterSeconds = Math.max(1, Math.ceil(reason.msBeforeNext / 1000));
      throw new Refused({ code: this.code, parameters: { retryAfterSeconds } });
    }
  }

  /** Takes one back. */
  async reward(key: string): Promise<void> {
    await this.limiter.reward(key);
  }

  /** Forgets all of a key's. */
  async forget(key: string): Promise<void> {
    await this.limiter.delete(key);
  }
}
