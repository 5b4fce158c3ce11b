import { lastRevisionOf, type Run } from './run.js';

/** The newest part of the log, kept in memory so that live subscribers and short reads never ask the disk. */
export class Tail {
  private runs: Run[] = [];
  /** Index of the oldest kept run: cheaper than shifting the array on every commit. */
  private first = 0;
  private bytes = 0;
  /** Position from which on everything is here. */
  start: number;

  constructor(
    start: number,
    private readonly limitBytes: number,
    private readonly limitRuns: number,
  ) {
    this.start = start;
  }

  push(run: Run): void {
    this.runs.push(run);
    this.bytes += run.bytes.length;
    while (this.bytes > this.limitBytes || this.runs.length - this.first > this.limitRuns) this.dropOldest();
  }

  covers(position: number): boolean {
    return position >= this.start;
  }

  /** The runs from the one holding `position` on, of about `limitBytes`; the position must be covered. */
  from(position: number, limitBytes: number): Run[] {
    const begin = this.indexOf(position);
    let end = begin;
    for (let bytes = 0; end < this.runs.length && bytes < limitBytes; end++) bytes += this.runs[end]!.bytes.length;
    return this.runs.slice(begin, end);
  }

  /** The run with this revision of a stream, if it is among the newest `searchLimit` runs. */
  find(stream: string, revision: number, searchLimit: number): Run | undefined {
    const stop = Math.max(this.first, this.runs.length - searchLimit);
    for (let index = this.runs.length - 1; index >= stop; index--) {
      const run = this.runs[index]!;
      if (run.stream === stream && run.firstRevision <= revision && revision <= lastRevisionOf(run)) return run;
    }
    return undefined;
  }

  private dropOldest(): void {
    const oldest = this.runs[this.first]!;
    this.start = oldest.end;
    this.bytes -= oldest.bytes.length;
    this.first++;
    if (this.first * 2 > this.runs.length) {
      this.runs = this.runs.slice(this.first);
      this.first = 0;
    }
  }

  /** Binary search for the first run that ends after the position. */
  private indexOf(position: number): number {
    let low = this.first;
    let high = this.runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.runs[middle]!.end > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
