import { Injectable, Logger } from '@nestjs/common';
import type { Background } from './background.js';
import type { PriorityPool } from './priority-pool.store.js';

/** A node whose clock is further than this from Postgres' clock decides nothing (decision 42). */
const MAX_OFFSET_MS = 250;
/** A comparison is believed for this time. */
const COMPARISON_LIFETIME_MS = 5_000;
const COMPARED_EVERY_MS = 2_000;
/** The offset is known only to half of the round trip, so a slower comparison is ignored. */
const MAX_ROUND_TRIP_MS = 500;

/** Runs on the monotonic clock, which no step of the wall clock moves, and is compared with Postgres' clock every two seconds. */
@Injectable()
export class Clock {
  /** Epoch ms at which the monotonic clock was zero. */
  private originMs: number;
  private comparison: { offsetMs: number; atMonotonicMs: number } | undefined;
  private readonly logger = new Logger('clock');
  private loggedFault: string | null = null;

  /** @param wallMs epoch ms; a parameter so that tests can set a wrong clock */
  constructor(private readonly wallMs: () => number) {
    this.originMs = wallMs() - performance.now();
  }

  /** Epoch milliseconds. */
  now(): number {
    return Math.floor(this.originMs + performance.now());
  }

  /** Compares this clock with another one. @param readMs asks the other clock; it may reject */
  async compareWith(readMs: () => Promise<number>): Promise<void> {
    const sentAtMonotonicMs = performance.now();
    const otherMs = await readMs();
    const receivedAtMonotonicMs = performance.now();
    if (receivedAtMonotonicMs - sentAtMonotonicMs > MAX_ROUND_TRIP_MS) return;
    const otherOriginMs = otherMs - (sentAtMonotonicMs + receivedAtMonotonicMs) / 2;
    const wallOriginMs = this.wallMs() - performance.now();
    // The monotonic clock stands still while a machine is suspended: the wall clock is then the right one.
    if (!isClose(this.originMs, otherOriginMs) && isClose(wallOriginMs, otherOriginMs)) this.originMs = wallOriginMs;
    this.comparison = { offsetMs: this.originMs - otherOriginMs, atMonotonicMs: receivedAtMonotonicMs };
  }

  /** Compares this clock with Postgres' clock, now and every two seconds. Resolves after the first comparison. */
  async compareWithPostgres(pool: PriorityPool, background: Background): Promise<this> {
    await this.compareNow(pool);
    background.every(COMPARED_EVERY_MS, () => this.compareNow(pool), 'the clock was not compared');
    return this;
  }

  private async compareNow(pool: PriorityPool): Promise<void> {
    try {
      await this.compareWith(async () => {
        const { rows } = await pool.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');
        return rows[0].ms;
      });
    } catch (error) {
      this.logger.debug(`Postgres did not say the time: ${(error as Error).message}`);
    }
    const { fault } = this;
    if (fault !== null && this.loggedFault === null) this.logger.error(`this node decides nothing: ${fault}`);
    if (fault === null && this.loggedFault !== null) this.logger.log('the clock is right again');
    this.loggedFault = fault;
  }

  /** How far this clock is ahead of Postgres' clock, ms; null when no recent comparison succeeded. */
  get offsetMs(): number | null {
    if (!this.comparison || performance.now() - this.comparison.atMonotonicMs > COMPARISON_LIFETIME_MS) return null;
    return Math.round(this.comparison.offsetMs);
  }

  /** The reason not to decide by this clock; null when the node may. */
  get fault(): string | null {
    const { offsetMs } = this;
    if (offsetMs === null) return 'the clock could not be compared with Postgres’ clock';
    if (Math.abs(offsetMs) <= MAX_OFFSET_MS) return null;
    return `the clock is ${Math.abs(offsetMs)} ms ${offsetMs > 0 ? 'ahead of' : 'behind'} Postgres’ clock`;
  }
}

const isClose = (oneMs: number, otherMs: number): boolean => Math.abs(oneMs - otherMs) <= MAX_OFFSET_MS;
