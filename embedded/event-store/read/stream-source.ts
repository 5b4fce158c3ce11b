import { firstVisibleRevision, NO_EVENTS, TOMBSTONE_REVISION } from '../core/stream-state.js';
import type { EventLog } from '../log/event-log.js';
import { lastRevisionOf, type Run, skipFrames } from '../log/run.js';
import { type Span, selectFrames } from './span.js';

/** How much of a stream to fetch at once; runs differ in size from a hundred bytes to a megabyte. */
const PAGE_BYTES = 512 * 1024;
const FIRST_PAGE_RUNS = 4;
const PAGE_RUNS_LIMIT = 512;
const MS_PER_SECOND = 1_000;

/** The subscribed stream has been tombstoned, so nothing can come any more. */
export class StreamTombstonedError extends Error {}

/** One stream forwards: by revision as far as the disk must be asked, then by following the log in memory. */
export class StreamSource {
  /** From here on the log itself is followed; until then the stream is read by revision. */
  private following: number | undefined;
  private pageRuns = FIRST_PAGE_RUNS;
  /** The stream's end has been seen; what came before it is handed over first. */
  private tombstoned = false;

  constructor(
    private readonly log: EventLog,
    private readonly stream: string,
    /** Of the next event to send. */
    public revision: number,
  ) {}

  get atEnd(): boolean {
    return !this.tombstoned && this.following !== undefined && this.following >= this.log.head;
  }

  get inMemory(): boolean {
    return this.following !== undefined && this.log.inMemory(this.following);
  }

  /** The next events; none when there are none yet, and then `atEnd` tells whether the end is reached. */
  async next(): Promise<Span[]> {
    if (this.tombstoned) throw new StreamTombstonedError();
    if (this.following !== undefined && this.log.inMemory(this.following)) return this.followLog(this.following);
    this.following = undefined;
    const head = this.log.head;
    const view = await this.log.view(this.stream);
    if (view.tombstoned) throw new StreamTombstonedError();
    this.revision = Math.max(this.revision, Math.min(firstVisibleRevision(view), view.lastRevision + 1));
    const runs =
      view.lastRevision === NO_EVENTS ? [] : await this.log.streamForwards(this.stream, this.revision, this.pageRuns);
    if (runs.length === 0) this.following = head;
    this.pageRuns = nextPageRuns(runs);
    const oldestMs = oldestVisibleMs(view.metadata.maxAgeSeconds);
    return this.take(runs).flatMap((span) => youngerThan(span, oldestMs));
  }

  private async followLog(position: number): Promise<Span[]> {
    const runs = await this.log.allForwards(position);
    this.following = runs.at(-1)?.end ?? position;
    return this.take(runs.filter((run) => run.stream === this.stream));
  }

  /** What of these runs has not been seen. */
  private take(runs: readonly Run[]): Span[] {
    const spans: Span[] = [];
    for (const run of runs) {
      if (run.firstRevision === TOMBSTONE_REVISION) {
        this.tombstoned = true;
        break;
      }
      if (lastRevisionOf(run) < this.revision) continue;
      const from = skipFrames(run, 0, Math.max(0, this.revision - run.firstRevision));
      spans.push({ run, from, to: run.bytes.length });
      this.revision = lastRevisionOf(run) + 1;
    }
    return spans;
  }
}

/** Created before this, events are hidden by `$maxAge`; undefined when it hides none. */
export function oldestVisibleMs(maxAgeSeconds: number | undefined): number | undefined {
  return maxAgeSeconds === undefined ? undefined : Date.now() - maxAgeSeconds * MS_PER_SECOND;
}

export function youngerThan(span: Span, oldestMs: number | undefined): Span[] {
  return oldestMs === undefined ? [span] : selectFrames(span, (frame) => frame.createdMs >= oldestMs);
}

/** As many runs as fill a page, if the next are like these. */
export function nextPageRuns(runs: readonly Run[]): number {
  if (runs.length === 0) return FIRST_PAGE_RUNS;
  const bytes = runs.reduce((sum, run) => sum + run.bytes.length, 0);
  const fitting = Math.floor((PAGE_BYTES * runs.length) / bytes);
  return Math.min(PAGE_RUNS_LIMIT, Math.max(1, fitting));
}
