import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../contracts/ids.js';
import { Config } from '../config.js';
import { Limiter } from './limiter.store.js';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * 60;

interface Limiters {
  posts: Limiter;
  tickets: Limiter;
  invoices: Limiter;
  walletChanges: Limiter;
}

/** How much one gamer may ask for. All throw Refused when it is one too many. */
@Injectable()
export class GamerLimits {
  private readonly limiters: Limiters | null;

  constructor(pool: Pool, { attemptLimits: limits }: Config) {
    this.limiters = limits && {
      posts: new Limiter(pool, { keyPrefix: 'post', points: limits.postsPerGamer, durationSeconds: MINUTE_SECONDS }),
      tickets: new Limiter(pool, {
        keyPrefix: 'ticket',
        points: limits.ticketsPerGamer,
        durationSeconds: HOUR_SECONDS,
      }),
      invoices: new Limiter(pool, {
        keyPrefix: 'invoice',
        points: limits.invoicesPerGamer,
        durationSeconds: HOUR_SECONDS,
        refusal: 'too-many-invoices',
      }),
      walletChanges: new Limiter(pool, {
        keyPrefix: 'wallet',
        points: limits.walletChangesPerGamer,
        durationSeconds: HOUR_SECONDS,
        refusal: 'too-many-wallet-changes',
      }),
    };
  }

  async countPost(gamerId: GamerId): Promise<void> {
    await this.limiters?.posts.count(gamerId);
  }

  async countTicket(gamerId: GamerId): Promise<void> {
    await this.limiters?.tickets.count(gamerId);
  }

  async countInvoice(gamerId: GamerId): Promise<void> {
    await this.limiters?.invoices.count(gamerId);
  }

  async countWalletChange(gamerId: GamerId): Promise<void> {
    await this.limiters?.walletChanges.count(gamerId);
  }
}
