/** About a frame of a screen: more ticks would show nothing more. */
const TICK_MS = 16;

/** Runs at once after a quiet time, else at most once a frame, and rests as long as sending took. */
export class Ticks {
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;
  private isRunning = false;
  private isStopped = false;
  private isRequested = false;
  private isUrgent = false;
  private startedAtMonotonicMs = Number.NEGATIVE_INFINITY;
  /** Time before which even an urgent tick waits. */
  private restsUntilMonotonicMs = 0;

  /** @param task resolves with the milliseconds for which it was sending */
  constructor(private readonly task: () => Promise<number>) {}

  /** Never runs the task within the caller's turn. An urgent request does not wait for the next tick. */
  request(isUrgent: boolean): void {
    this.isRequested = true;
    this.isUrgent ||= isUrgent;
    this.schedule();
  }

  stop(): void {
    this.isStopped = true;
    this.cancel();
  }

  private cancel(): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
  }

  private schedule(): void {
    if (!this.isRequested || this.isRunning || this.isStopped) return;
    this.cancel();
    const earliestMs = this.isUrgent ? 0 : this.startedAtMonotonicMs + TICK_MS;
    const waitMs = Math.max(earliestMs, this.restsUntilMonotonicMs) - performance.now();
    if (waitMs <= 0) this.immediate = setImmediate(() => void this.run());
    else this.timer = setTimeout(() => void this.run(), waitMs);
  }

  private async run(): Promise<void> {
    this.isRequested = false;
    this.isUrgent = false;
    this.isRunning = true;
    this.startedAtMonotonicMs = performance.now();
    const sendingMs = await this.task();
    this.restsUntilMonotonicMs = performance.now() + sendingMs;
    this.isRunning = false;
    this.schedule();
  }
}
