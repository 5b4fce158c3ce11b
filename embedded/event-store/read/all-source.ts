import type { EventLog } from '../log/event-log.js';
import { offsetAtPosition } from '../log/run.js';
import type { Span } from './span.js';

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
    const { head } = this.log;
    const runs = await this.log.allForwards(this.position);
    for (const run of runs) {
      const from = offsetAtPosition(run, this.position);
      if (from < run.bytes.length) spans.push({ run, from, to: run.bytes.length });
    }
    // Nothing lies before the first event of an empty log.
    this.position = runs.at(-1)?.end ?? head;
    return spans;
  }
}
