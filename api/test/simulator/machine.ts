import type { Machine } from '../virtual-time.js';
import { START_MS, type World } from './world.js';

/** 250 ms are the most that a node's clock may be from Postgres' (decision 42), 300 ms the time in which a round is decided. */
const MAX_SKEW_MS = 60;
const MAX_DRIFT = 0.0005;

/** A computer with clocks that are skewed and drift. It may crash, and freeze as in a long garbage collection. */
export class SimulatedMachine implements Machine {
  isDead = false;
  frozenUntilMs = 0;
  private readonly rate: number;
  private readonly bootedAtMs: number;
  /** How far the wall clock was when the machine booted; a step of it moves no monotonic clock. */
  private skewMs: number;

  constructor(
    readonly name: string,
    protected readonly world: World,
  ) {
    this.bootedAtMs = world.time.now();
    this.skewMs = world.injects('clockWrong') ? world.bootSkewMs : (world.random() * 2 - 1) * MAX_SKEW_MS;
    this.rate = 1 + (world.random() * 2 - 1) * MAX_DRIFT;
  }

  monotonicMs(): number {
    return 1_000 + (this.world.time.now() - this.bootedAtMs) * this.rate;
  }

  wallMs(): number {
    return this.bootedAtMs + this.skewMs + (this.world.time.now() - this.bootedAtMs) * this.rate;
  }

  stepWallClock(byMs: number): void {
    this.skewMs += byMs;
  }

  correctWallClock(): void {
    this.skewMs = (this.bootedAtMs - this.world.time.now()) * (this.rate - 1);
  }

  freezeFor(ms: number): void {
    this.frozenUntilMs = Math.max(this.frozenUntilMs, this.world.time.now() + ms);
    this.world.note(`${this.name} freezes for ${ms} ms`);
  }

  /** Runs work as this machine's own. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = async () => work();
      this.world.time.after(0, () => void start().then(resolve, reject), this);
    });
  }
}

/** Clocks without drift, for code that runs on no simulated machine. */
export const trueClocks = ({ time }: World) => ({ monotonicMs: () => time.now() - START_MS, wallMs: time.now });
