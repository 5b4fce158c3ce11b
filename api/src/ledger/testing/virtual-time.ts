interface Timer {
  atMs: number;
  ring(): void;
}

/** Time that passes only when it is told to, and then at once: five seconds of waiting take no time. */
export class VirtualTime {
  private readonly timers: Timer[] = [];

  constructor(private nowMs: number) {}

  readonly now = (): number => this.nowMs;

  readonly sleep = (timeoutMs: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = { atMs: this.nowMs + timeoutMs, ring: resolve };
      const later = this.timers.findIndex(({ atMs }) => atMs > timer.atMs);
      this.timers.splice(later < 0 ? this.timers.length : later, 0, timer);
      signal?.addEventListener('abort', () => {
        const index = this.timers.indexOf(timer);
        if (index >= 0) this.timers.splice(index, 1);
        reject(signal.reason);
      });
    });

  /** Lets everything happen that is due within the next `ms`. */
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

  /** Time goes on with nothing happening meanwhile, as when a machine sleeps. */
  skip(ms: number): void {
    this.nowMs += ms;
  }

  /** Lets time pass until the promise has its outcome; throws when that takes longer than an hour, or for ever. */
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
      if (!next || next.atMs > untilMs) throw new Error('nothing will come of it, in an hour or ever');
      await this.pass(Math.max(0, next.atMs - this.nowMs));
    }
    return promise;
  }
}

/** After every promise that can be settled without time has been. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
