interface Timer {
  atMs: number;
  ring(): void;
}

/** Time that passes only on request, and then at once: tests need not wait. */
export class VirtualTime {
  private readonly timers: Timer[] = [];

  constructor(private nowMs: number) {}

  readonly now = (): number => this.nowMs;

  readonly sleep = (timeoutMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = { atMs: this.nowMs + timeoutMs, ring: resolve };
      const later = this.timers.findIndex(({ atMs }) => atMs > timer.atMs);
      this.timers.splice(later < 0 ? this.timers.length : later, 0, timer);
    });

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    await settled();
    for (let next = this.timers[0]; next && next.atMs <= untilMs; next = this.timers[0]) {
      this.timers.shift();
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.ring();
      await settled();
    }
    this.nowMs = Math.max(this.nowMs, untilMs);
  }

  /** Advances the time without running timers, like a sleeping machine. */
  skip(ms: number): void {
    this.nowMs += ms;
  }

  /** Lets time pass until the promise settles; throws when that takes longer than an hour. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let isPending = true;
    const done = () => {
      isPending = false;
    };
    promise.then(done, done);
    await settled();
    const untilMs = this.nowMs + 3_600_000;
    while (isPending) {
      const next = this.timers[0];
      if (!next || next.atMs > untilMs) throw new Error('the promise does not settle within an hour');
      await this.pass(Math.max(0, next.atMs - this.nowMs));
    }
    return promise;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
