/** The machine on which code runs: once it is dead its timers do not ring; while it is frozen they ring late. */
export interface Machine {
  readonly isDead: boolean;
  readonly frozenUntilMs: number;
}

export interface Timer {
  atMs: number;
  ring(): void;
  /** Null for a timer of the network, a store or a person. */
  machine: Machine | null;
}

/** Time that passes only on request, and then at once: tests need not wait. */
export class VirtualTime {
  private readonly timers: Timer[] = [];
  /** The machine whose code runs now: what is started without naming a machine belongs to it. */
  machine: Machine | null = null;
  /** Work that takes real time, such as compressing: virtual time waits for it. */
  readonly realWork = new Set<Promise<unknown>>();

  constructor(private nowMs: number) {}

  readonly now = (): number => this.nowMs;

  readonly sleep = (timeoutMs: number, machine = this.machine): Promise<void> =>
    new Promise((resolve) => this.after(timeoutMs, resolve, machine));

  after(timeoutMs: number, ring: () => void, machine = this.machine): Timer {
    return this.add({ atMs: this.nowMs + timeoutMs, ring, machine });
  }

  cancel(timer: Timer): void {
    const index = this.timers.indexOf(timer);
    if (index >= 0) this.timers.splice(index, 1);
  }

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    await settled();
    for (let next = this.timers[0]; next && next.atMs <= untilMs; next = this.timers[0]) {
      this.timers.shift();
      this.nowMs = Math.max(this.nowMs, next.atMs);
      await this.ring(next);
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

  private add(timer: Timer): Timer {
    const later = this.timers.findIndex(({ atMs }) => atMs > timer.atMs);
    this.timers.splice(later < 0 ? this.timers.length : later, 0, timer);
    return timer;
  }

  private async ring(timer: Timer): Promise<void> {
    const { machine } = timer;
    if (machine?.isDead) return;
    if (machine && machine.frozenUntilMs > this.nowMs) {
      timer.atMs = machine.frozenUntilMs;
      this.add(timer);
      return;
    }
    this.machine = machine;
    timer.ring();
    await settled();
    while (this.realWork.size > 0) await Promise.all(this.realWork).then(settled);
    this.machine = null;
  }
}

/** The real one, also while a simulation replaces it. */
const nextTurn = setImmediate;

const settled = (): Promise<void> => new Promise((resolve) => nextTurn(resolve));
