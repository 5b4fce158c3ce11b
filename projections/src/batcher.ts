import { setTimeout as sleep } from 'node:timers/promises';
import type { Recorded } from '../../contracts/events/recorded.js';

/** Events to apply together, and the log position after them. */
export interface EventBatch {
  events: readonly Recorded[];
  position: string;
}

export interface BatchLimits {
  maxEvents: number;
  /** How long the first event of a batch waits for company. */
  lingerMs: number;
}

/**
 * Between the log's reader and the tables' writer: while one batch is being written the next gathers, so batches grow
 * with the backlog, up to a bound at which the reader waits.
 */
export class Batcher {
  private events: Recorded[] = [];
  private position: string | null = null;
  private filling = Date.now();
  private ended = false;
  private readonly changed: (() => void)[] = [];

  constructor(private readonly limits: BatchLimits) {}

  /** Resolves at once while there is room. */
  async add(recorded: Recorded): Promise<void> {
    while (this.isFull() && !this.ended) await this.change();
    if (this.ended) return;
    if (this.position === null) this.filling = Date.now();
    this.events.push(recorded);
    this.moveTo(recorded.position);
  }

  /** Everything up to here has been considered. */
  checkpoint(position: string): void {
    if (!this.ended) this.moveTo(position);
  }

  /** No more will come: what has gathered is still handed out. */
  end(): void {
    this.ended = true;
    this.announce();
  }

  /** The next batch, when there is one; null after the end. */
  async next(): Promise<EventBatch | null> {
    while (this.position === null && !this.ended) await this.change();
    await this.linger();
    if (this.position === null) return null;
    const batch = { events: this.events, position: this.position };
    this.events = [];
    this.position = null;
    this.announce();
    return batch;
  }

  private async linger(): Promise<void> {
    const waitMs = this.filling + this.limits.lingerMs - Date.now();
    if (waitMs <= 0 || this.isFull() || this.ended) return;
    const timer = new AbortController();
    const full = (async () => {
      while (!this.isFull() && !this.ended && !timer.signal.aborted) await this.change();
    })();
    await Promise.race([full, sleep(waitMs, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
    this.announce();
  }

  private moveTo(position: string): void {
    this.position = position;
    this.announce();
  }

  private isFull(): boolean {
    return this.events.length >= this.limits.maxEvents;
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.changed.push(resolve));
  }

  private announce(): void {
    for (const resolve of this.changed.splice(0)) resolve();
  }
}
