import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Config, UNLIMITED } from '../platform/config.js';
import { Refused } from '../platform/failures.js';

const MINUTE_SECONDS = 60;
const QUARTER_HOUR_SECONDS = 15 * MINUTE_SECONDS;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

/** By name, which begins the keys: the setting with the number of attempts, and the time for them. */
const LIMITS = {
  post: ['postsPerGamer', MINUTE_SECONDS],
  ticket: ['ticketsPerGamer', HOUR_SECONDS],
  invoice: ['invoicesPerGamer', HOUR_SECONDS],
  wallet: ['walletChangesPerGamer', HOUR_SECONDS],
  login: ['loginsPerAccountAndAddress', QUARTER_HOUR_SECONDS],
  'login-from': ['loginsPerAddress', QUARTER_HOUR_SECONDS],
  'login-strangers': ['loginsPerAccountFromStrangers', HOUR_SECONDS],
  'login-done': ['successfulLoginsPerAccount', QUARTER_HOUR_SECONDS],
  'login-done-from': ['successfulLoginsPerAddress', QUARTER_HOUR_SECONDS],
  'register-from': ['registrationsPerAddress', HOUR_SECONDS],
  code: ['codesPerAccount', QUARTER_HOUR_SECONDS],
  reset: ['passwordResetsPerAccount', HOUR_SECONDS],
  'reset-from': ['passwordResetsPerAddress', HOUR_SECONDS],
} as const satisfies Record<string, readonly [keyof Config['attemptLimits'], number]>;
type Limit = keyof typeof LIMITS;

const CODES: Partial<Record<Limit, 'too-many-invoices' | 'too-many-wallet-changes'>> = {
  invoice: 'too-many-invoices',
  wallet: 'too-many-wallet-changes',
};

/** Counts attempts per key, in Postgres for all nodes together. A limit that is off counts nothing. */
@Injectable()
export class RateLimits {
  private readonly limiters = new Map<Limit, RateLimiterPostgres>();

  constructor(pool: Pool, { attemptLimits }: Config) {
    for (const [name, [setting, duration]] of Object.entries(LIMITS)) {
      const points = attemptLimits[setting];
      if (points === UNLIMITED) continue;
      const limiter = new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        schemaName: 'auth',
        tableName: 'attempts',
        tableCreated: true,
        keyPrefix: name,
        points,
        duration,
        // Over the limit, requests are refused from memory without a query, unless a reward on any node may end that.
        inMemoryBlockOnConsumed: name === 'register-from' ? 0 : points + 1,
      });
      this.limiters.set(name as Limit, limiter);
    }
  }

  /** Counts one attempt of the key. Throws Refused over the limit. */
  async count(limit: Limit, key: string): Promise<void> {
    try {
      await this.limiters.get(limit)?.consume(key);
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      // Else a reward would only make up for a refused attempt.
      if (limit === 'register-from') await this.reward(limit, key);
      const retryAfterSeconds = Math.max(1, Math.ceil(reason.msBeforeNext / 1000));
      throw new Refused({ code: CODES[limit] ?? 'too-many-attempts', parameters: { retryAfterSeconds } });
    }
  }

  /** Takes one count back. */
  async reward(limit: Limit, key: string): Promise<void> {
    await this.limiters.get(limit)?.reward(key);
  }

  async forget(limit: Limit, key: string): Promise<void> {
    await this.limiters.get(limit)?.delete(key);
  }
}
