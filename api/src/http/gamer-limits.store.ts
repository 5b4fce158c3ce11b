import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { GamerId } from '../../../contracts/ids.js';
import { Config } from '../config.js';
import { Limiter } from './limiter.store.js';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * 60;

/** How much one gamer may write. */
@Injectable()
export class GamerLimits {
  private readonly limiters: { posts: Limiter; tickets: Limiter } | null;

  constructor(pool: Pool, { attemptLimits }: Config) {
    this.limiters = attemptLimits && {
      posts: new Limiter(pool, {
        keyPrefix: 'post',
        points: attemptLimits.postsPerGamer,
        durationSeconds: MINUTE_SECONDS,
      }),
      tickets: new Limiter(pool, {
        keyPrefix: 'ticket',
        points: attemptLimits.ticketsPerGamer,
        durationSeconds: HOUR_SECONDS,
      }),
    };
  }

  /** Throws Refused. */
  async countPost(gamerId: GamerId): Promise<void> {
    await this.limiters?.posts.count(gamerId);
  }

  /** Throws Refused. */
  async countTicket(gamerId: GamerId): Promise<void> {
    await this.limiters?.tickets.count(gamerId);
  }
}
