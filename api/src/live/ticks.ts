/** At most 20 ticks a second. */
const TICK_MS = 50;

/** Runs at once after a quiet time, else at most 20 times a second, and rests as long as sending took. */
export class Ticks {
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;
  private isRunning = false;
  private isStopped = false;
  private isRequestedAgain = false;
  private isUrgentAgain = false;
  private startedAtMonotonicMs = Number.NEGATIVE_INFINITY;
  /** Before then even an urgent tick waits. */
  private restsUntilMonotonicMs = 0;

  /** @param task resolves with the milliseconds for which it was sending */
  constructor(private readonly task: () => Promise<number>) {}

  /** Never runs the task within the caller's turn. An urgent request does not wait for the next tick. */
  request(isUrgent: boolean): void {
    if (this.isStopped) return;
    if (this.isRunning) {
      this.isRequestedAgain = true;
      this.isUrgentAgain ||= isUrgent;
      return;
    }
    if (this.immediate || (this.timer && !isUrgent)) return;
    this.cancel();
    const nowMs = performance.now();
    const dueAtMonotonicMs = isUrgent
      ? this.restsUntilMonotonicMs
      : Math.max(this.restsUntilMonotonicMs, this.startedAtMonotonicMs + TICK_MS);
    if (dueAtMonotonicMs <= nowMs) this.immediate = setImmediate(() => void this.run());
    else this.timer = setTimeout(() => void this.run(), dueAtMonotonicMs - nowMs);
  }

  stop(): void {
    this.isStopped = true;
    this.cancel();
  }

  private cancel(): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
    this.timer = undefined;
    this.immediate = undefined;
  }

  private async run(): Promise<void> {
    this.cancel();
    this.isRunning = true;
    this.startedAtMonotonicMs = performance.now();
    const sendingMs = await this.task();
    this.restsUntilMonotonicMs = performance.now() + sendingMs;
    this.isRunning = false;
    const isUrgent = this.isUrgentAgain;
    if (!this.isRequestedAgain) return;
    this.isRequestedAgain = false;
    this.isUrgentAgain = false;
    this.request(isUrgent);
  }
}
