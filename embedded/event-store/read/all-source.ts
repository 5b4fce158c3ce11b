import type { EventLog } from '../log/event-log.js';
import { offsetAtPosition } from '../log/run.js';
import { endOf, type Span } from './span.js';

/** `$all` forwards, page by page, for reads and subscriptions alike. */
export class AllSource {
  /** @param position of the first event to consider, or any position before it and after its predecessor */
  constructor(
    private readonly log: EventLog,
    public position: number,
  ) {}

  get atEnd(): boolean {
    return this.position >= this.log.head;
  }

  get inMemory(): boolean {
    return this.log.inMemory(this.position);
  }

  /** The next events; none when the end is reached, for now. */
  async next(): Promise<Span[]> {
    const spans: Span[] = [];
    if (this.atEnd) return spans;
    for (const run of await this.log.allForwards(this.position)) {
      const from = run.position < this.position ? offsetAtPosition(run, this.position) : 0;
      if (from < run.bytes.length) spans.push({ run, from, to: run.bytes.length });
      this.position = Math.max(this.position, run.end);
    }
    const last = spans.at(-1);
    if (last !== undefined) this.position = endOf(last);
    return spans;
  }
}
