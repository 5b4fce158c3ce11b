import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { alignedInterval } from '../../../event-log/aligned-interval.js';

export interface Periodic {
  /** Starts a run now, unless one is under way. */
  runNow(): void;
  /** Ends the repetition; resolves when the run under way has ended. */
  stop(): Promise<void>;
}

/** Tasks that end when the application begins to stop: they need the ledger and the stores, which end after them. */
@Injectable()
export class Background implements BeforeApplicationShutdown {
  private readonly logger = new Logger('background');
  private readonly stopping = new AbortController();
  private readonly endings: (() => Promise<unknown>)[] = [];
  /** Aborted when the application begins to stop. */
  readonly signal = this.stopping.signal;

  /** Runs `task` every `intervalMs`, never twice at once. A failed run is logged, beginning with `failure`. */
  every(intervalMs: number, task: () => Promise<void>, failure: string): Periodic {
    let running: Promise<void> | undefined;
    const runNow = (): void => {
      running ??= task()
        .catch(({ message }: Error) => this.logger.warn(`${failure}: ${message}`))
        .finally(() => {
          running = undefined;
        });
    };
    const endInterval = alignedInterval(intervalMs, runNow);
    const stop = async () => {
      endInterval();
      await running;
    };
    this.onStop(stop);
    return { runNow, stop };
  }

  /** The application waits for `end` when it stops. */
  onStop(end: () => Promise<unknown>): void {
    this.endings.push(end);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.endings.map((end) => end()));
  }
}

/** The promise's outcome; rejects with `onTimeout()` when it takes longer than `timeoutMs`. The work itself is not stopped. */
export function withTimeout<T>(promise: Promise<T>, timeoutMs: number, onTimeout: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), timeoutMs).unref();
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
