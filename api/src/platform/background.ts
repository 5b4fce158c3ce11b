import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { alignedInterval } from '../../../event-log/timers.js';

/** Tasks that end when the application begins to stop: they need the ledger and the stores, which end after them. */
@Injectable()
export class Background implements BeforeApplicationShutdown {
  private readonly logger = new Logger('background');
  private readonly stopping = new AbortController();
  private readonly endings: (() => Promise<unknown>)[] = [];
  /** Aborted when the application begins to stop. */
  readonly signal = this.stopping.signal;

  /** Runs `task` every `intervalMs`, never twice at once; a failure is logged, beginning with `failure`. Returns how to run it now. */
  every(intervalMs: number, task: () => Promise<void>, failure: string): () => void {
    let running: Promise<void> | undefined;
    const runNow = (): void => {
      running ??= task()
        .catch(({ message }: Error) => this.logger.warn(`${failure}: ${message}`))
        .finally(() => {
          running = undefined;
        });
    };
    const endInterval = alignedInterval(intervalMs, runNow);
    this.onStop(async () => {
      endInterval();
      await running;
    });
    return runNow;
  }

  onStop(end: () => Promise<unknown>): void {
    this.endings.push(end);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.endings.map((end) => end()));
  }
}
