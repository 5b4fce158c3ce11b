import type { Recorded } from '../../contracts/events/recorded.js';
import type { EventLog, FollowOptions } from '../../event-log/event-log.js';
import { BEGINNING, isAfter } from './read-schema.js';

export interface BatchLimits {
  maxEvents: number;
  /** Longest wait of a batch's first event for more events. */
  lingerMs: number;
}

/** A bounded queue from the log's reader to the tables' writer: batches grow with the backlog, to `maxEvents`. */
export class Batcher {
  private events: Recorded[] = [];
  private startedAtMonotonicMs = performance.now();
  private isEnded = false;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limits: BatchLimits) {}

  async add(recorded: Recorded): Promise<void> {
    while (this.isFull() && !this.isEnded) await this.change();
    if (this.isEnded) return;
    if (this.events.length === 0) this.startedAtMonotonicMs = performance.now();
    this.events.push(recorded);
    this.announce();
  }

  /** Ends the queue: `next` still returns the events added so far. */
  end(): void {
    this.isEnded = true;
    this.announce();
  }

  async next(): Promise<readonly Recorded[] | null> {
    while (this.events.length === 0 && !this.isEnded) await this.change();
    await this.linger();
    if (this.events.length === 0) return null;
    const batch = this.events;
    this.events = [];
    this.announce();
    return batch;
  }

  private async linger(): Promise<void> {
    const waitMs = this.startedAtMonotonicMs + this.limits.lingerMs - performance.now();
    if (waitMs <= 0) return;
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      this.announce();
    }, waitMs);
    while (!this.isFull() && !this.isEnded && !isOver) await this.change();
    clearTimeout(timer);
  }

  private isFull(): boolean {
    return this.events.length >= this.limits.maxEvents;
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private announce(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

interface BatchesOptions extends Pick<FollowOptions, 'afterId' | 'onLost'> {
  after: string;
  /** Position of the last event, which was in the log before the call; absent: the batches go on until the signal. */
  upTo?: string;
  limits: BatchLimits;
  signal: AbortSignal | undefined;
}

/** Yields the log's events after a position, in order and in batches. Throws the error that ended the subscription. */
export async function* batchesOf(
  log: Pick<EventLog, 'follow'>,
  { after, upTo, limits, signal, ...options }: BatchesOptions,
): AsyncGenerator<readonly Recorded[], void> {
  const batcher = new Batcher(limits);
  let failure: Error | undefined;
  const end = () => batcher.end();
  signal?.addEventListener('abort', end);
  // Aborted already: the event will not come again.
  if (signal?.aborted) end();
  const subscription = log.follow({
    ...options,
    after: after === BEGINNING ? null : after,
    async onEvent(recorded) {
      // A third of a waiting event's memory, and no view reads it.
      recorded.dataText = undefined;
      if (upTo === undefined || !isAfter(recorded.position, upTo)) await batcher.add(recorded);
      if (upTo !== undefined && !isAfter(upTo, recorded.position)) end();
    },
    onCaughtUp() {
      if (upTo !== undefined) end();
    },
    onFailure(error) {
      failure = error;
      end();
    },
  });
  try {
    for (let batch = await batcher.next(); batch; batch = await batcher.next()) yield batch;
    if (failure) throw failure;
  } finally {
    signal?.removeEventListener('abort', end);
    end();
    await subscription.stop();
  }
}
