import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { lock, unlock } from '../../../event-log/postgres.js';

const LOCK = 'turns';
const CONTENTION_LASTS_MS = 1_000;
/** A busy node takes a turn at this interval, so that it gives way even if it never sees a conflict. */
const TURN_WHEN_BUSY_FOR_MS = 200;
/** A longer pause between two batches ends a busy time. */
const IDLE_GAP_MS = 100;
/** After a failure the nodes go on without turns for this long. */
const PAUSE_AFTER_FAILURE_MS = 5_000;

const logger = new Logger('ledger');

/** Lets contending nodes append in turn, by an advisory lock. Only fairness depends on it: the expected revision decides who appends. */
export class PostgresTurns {
  private contendedUntilMonotonicMs = 0;
  private pausedUntilMonotonicMs = 0;
  private lastBegunMonotonicMs = 0;
  private busySinceMonotonicMs = 0;

  constructor(private readonly pool: Pool) {}

  /** Makes this node wait for its turn for the next second. Call it when another node appended while commands waited here. */
  contend(): void {
    this.contendedUntilMonotonicMs = performance.now() + CONTENTION_LASTS_MS;
  }

  /** Resolves when it is this node's turn, with the function that ends it; with undefined when the node need not wait for one. */
  async begin(): Promise<(() => void) | undefined> {
    const nowMonotonicMs = performance.now();
    if (nowMonotonicMs - this.lastBegunMonotonicMs > IDLE_GAP_MS) this.busySinceMonotonicMs = nowMonotonicMs;
    this.lastBegunMonotonicMs = nowMonotonicMs;
    const isBusy = nowMonotonicMs - this.busySinceMonotonicMs > TURN_WHEN_BUSY_FOR_MS;
    if (isBusy) this.busySinceMonotonicMs = nowMonotonicMs;
    if (nowMonotonicMs > this.contendedUntilMonotonicMs && !isBusy) return undefined;
    if (nowMonotonicMs < this.pausedUntilMonotonicMs) return undefined;
    try {
      const client = await this.pool.connect();
      try {
        await lock(client, LOCK);
      } catch (error) {
        client.release(error as Error);
        throw error;
      }
      return () => {
        unlock(client, LOCK).then(
          () => client.release(),
          // Closing the connection frees the lock.
          (error: Error) => client.release(error),
        );
      };
    } catch (error) {
      // A node that froze in its turn must not stop the others.
      logger.warn(`no turn was given, going on without turns: ${(error as Error).message}`);
      this.pausedUntilMonotonicMs = performance.now() + PAUSE_AFTER_FAILURE_MS;
      return undefined;
    }
  }
}
