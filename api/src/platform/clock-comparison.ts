import { Logger } from '@nestjs/common';
import type { Clock } from './clock.js';
import { every, type Periodic } from './every.js';
import type { PriorityPool } from './priority-pool.store.js';

const INTERVAL_MS = 2_000;

const logger = new Logger('clock');

/** Compares the node's clock with Postgres' clock, now and every two seconds, and logs when it gets a fault and loses it. */
export class ClockComparison {
  private periodic: Periodic | undefined;
  private loggedFault: string | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly pool: PriorityPool,
  ) {}

  /** Resolves after the first comparison. */
  async start(): Promise<this> {
    await this.compare();
    this.periodic = every(INTERVAL_MS, () => this.compare(), logger.error.bind(logger));
    return this;
  }

  async stop(): Promise<void> {
    await this.periodic?.stop();
  }

  private async compare(): Promise<void> {
    try {
      await this.clock.compareWith(() => this.postgresNowMs());
    } catch (error) {
      logger.debug(`Postgres did not say the time: ${(error as Error).message}`);
    }
    const { fault } = this.clock;
    if (fault !== null && this.loggedFault === null) logger.error(`this node decides nothing: ${fault}`);
    if (fault === null && this.loggedFault !== null) logger.log('the clock is right again');
    this.loggedFault = fault;
  }

  private async postgresNowMs(): Promise<number> {
    const { rows } = await this.pool.query<{ ms: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    return (rows[0] as { ms: number }).ms;
  }
}
