import type { EventLog } from '../log/event-log.js';
import { offsetAtPosition, type Run } from '../log/run.js';
import type { Span } from './span.js';

/** A stretch of the log on its way from the disk. */
interface Page {
  /** The log's end when it was asked for: nothing before it is missing from the page. */
  head: number;
  runs: Promise<Run[]>;
}

/**
 * `$all` forwards, page by page, for reads and subscriptions alike. While a page is being sent the next one comes from the
 * disk; not so after the first, for most reads want no more than that.
 */
export class AllSource {
  private pages = 0;
  private ahead: Page | undefined;

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
    const { head, runs: coming } = this.ahead ?? this.ask();
    this.ahead = undefined;
    const runs = await coming;
    for (const run of runs) {
      const from = offsetAtPosition(run, this.position);
      if (from < run.bytes.length) spans.push({ run, from, to: run.bytes.length });
    }
    // Nothing lies before the first event of an empty log.
    this.position = runs.at(-1)?.end ?? head;
    this.pages += 1;
    if (this.pages > 1 && !this.atEnd && !this.inMemory) {
      this.ahead = this.ask();
      // Told to whoever takes the page.
      this.ahead.runs.catch(() => undefined);
    }
    return spans;
  }

  private ask(): Page {
    return { head: this.log.head, runs: this.log.allForwards(this.position) };
  }
}
