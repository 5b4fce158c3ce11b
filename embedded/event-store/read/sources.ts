import { firstVisibleRevision, NO_EVENTS, type StreamView, TOMBSTONE_REVISION } from '../core/stream.js';
import type { EventLog } from '../log/event-log.js';
import { lastRevisionOf, offsetAtPosition, type Run, skipFrames } from '../log/run.js';
import { eventsOf, type Span, youngerThan } from './span.js';

/** Bytes of a stream to fetch at once; a run may have a hundred bytes or a megabyte. */
const PAGE_BYTES = 512 * 1024;
const FIRST_PAGE_RUNS = 4;
const PAGE_RUNS_LIMIT = 512;
const MS_PER_SECOND = 1_000;

/** The stream that is being read was tombstoned. */
export class StreamTombstonedError extends Error {}

/** Reads `$all` forwards in pages. From the second page on, it reads the next page while the current one is being sent. */
export class AllSource {
  private pages = 0;
  /** The page being read. `head` was the log's end at the request: the page holds every event up to there. */
  private ahead: { head: number; runs: Promise<Run[]> } | undefined;

  /** @param position the source begins with the first event at or after this position */
  constructor(
    private readonly log: EventLog,
    public position: number,
  ) {}

  get atEnd(): boolean {
    return this.position >= this.log.head;
  }

  /** Whether the next events need no read of the disk. */
  get inMemory(): boolean {
    return this.log.inMemory(this.position);
  }

  /** Returns the next events; none at the present end of the log. */
  async next(): Promise<Span[]> {
    if (this.atEnd) return [];
    const page = this.ahead ?? this.request();
    this.ahead = undefined;
    const runs = await page.runs;
    const spans = runs.map((run) => ({ run, from: offsetAtPosition(run, this.position), to: run.bytes.length }));
    // A page without runs means that the log ends here. Where events were scavenged, its only run may end before the position.
    this.position = Math.max(this.position, runs.at(-1)?.end ?? page.head);
    this.pages += 1;
    if (this.pages > 1 && !this.atEnd && !this.inMemory) {
      this.ahead = this.request();
      // The error surfaces when the page is taken.
      this.ahead.runs.catch(() => undefined);
    }
    return spans.filter(({ from, to }) => from < to);
  }

  private request() {
    return { head: this.log.head, runs: this.log.allForwards(this.position) };
  }
}

/** Reads one stream forwards: by revision from the disk, then from the end of the log in memory. */
export class StreamSource {
  /** Position from which the end of the log is followed; undefined while the stream is read by revision. */
  private following: number | undefined;
  private pageRuns = FIRST_PAGE_RUNS;
  /** A tombstone was found; the events before it are returned first. */
  private tombstoned = false;

  constructor(
    private readonly log: EventLog,
    private readonly stream: string,
    /** Revision of the next event to send. */
    public revision: number,
  ) {}

  get atEnd(): boolean {
    return !this.tombstoned && this.following !== undefined && this.following >= this.log.head;
  }

  get inMemory(): boolean {
    return this.following !== undefined && this.log.inMemory(this.following);
  }

  /** Returns the next events. When there are none, `atEnd` says whether the end is reached. Throws StreamTombstonedError. */
  async next(): Promise<Span[]> {
    if (this.tombstoned) throw new StreamTombstonedError();
    if (this.following !== undefined && this.inMemory) {
      const newest = await this.log.allForwards(this.following);
      this.following = newest.at(-1)?.end ?? this.following;
      return this.take(newest.filter((run) => run.stream === this.stream));
    }
    this.following = undefined;
    const { head } = this.log;
    const view = await this.log.view(this.stream);
    if (view.tombstoned) throw new StreamTombstonedError();
    this.revision = Math.max(this.revision, Math.min(firstVisibleRevision(view), view.lastRevision + 1));
    const runs =
      view.lastRevision === NO_EVENTS ? [] : await this.log.streamForwards(this.stream, this.revision, this.pageRuns);
    if (runs.length === 0) this.following = head;
    this.pageRuns = nextPageRuns(runs);
    const oldestMs = oldestVisibleMs(view);
    return this.take(runs).flatMap((span) => youngerThan(span, oldestMs));
  }

  /** Returns the events of these runs that were not returned yet. */
  private take(runs: readonly Run[]): Span[] {
    const spans: Span[] = [];
    for (const run of runs) {
      this.tombstoned = run.firstRevision === TOMBSTONE_REVISION;
      if (this.tombstoned) break;
      if (lastRevisionOf(run) < this.revision) continue;
      spans.push({ run, from: skipFrames(run, 0, this.revision - run.firstRevision), to: run.bytes.length });
      this.revision = lastRevisionOf(run) + 1;
    }
    return spans;
  }
}

/** Yields `$all` from the newest event before `position` to the oldest, one span per event. */
export async function* allBackwards(log: EventLog, position: number): AsyncGenerator<Span[]> {
  let before = Math.min(position, log.head);
  for (;;) {
    const runs = await log.allBackwards(before);
    if (runs.length === 0) return;
    for (const run of runs) yield eventsOf({ run, from: 0, to: offsetAtPosition(run, before) }).reverse();
    before = runs.at(-1)!.position;
  }
}

/** Yields a stream from a revision down to the oldest visible one, one span per event. */
export async function* streamBackwards(log: EventLog, view: StreamView, from: number): AsyncGenerator<Span[]> {
  const first = firstVisibleRevision(view);
  const oldestMs = oldestVisibleMs(view);
  let revision = Math.min(from, view.lastRevision);
  let limit = 1;
  while (revision >= first) {
    const runs = await log.streamBackwards(view.name, revision, limit);
    if (runs.length === 0) return;
    for (const run of runs) {
      const start = skipFrames(run, 0, first - run.firstRevision);
      const to = skipFrames(run, 0, revision - run.firstRevision + 1);
      yield youngerThan({ run, from: start, to }, oldestMs).flatMap(eventsOf).reverse();
      revision = run.firstRevision - 1;
    }
    limit = nextPageRuns(runs);
  }
}

/** `$maxAge` hides the events created before this time (epoch milliseconds); undefined when it hides none. */
export const oldestVisibleMs = ({ metadata: { maxAgeSeconds } }: StreamView): number | undefined =>
  maxAgeSeconds === undefined ? undefined : Date.now() - maxAgeSeconds * MS_PER_SECOND;

/** Returns how many runs fill a page, if the next ones are as large as these. */
function nextPageRuns(runs: readonly Run[]): number {
  if (runs.length === 0) return FIRST_PAGE_RUNS;
  const bytes = runs.reduce((sum, run) => sum + run.bytes.length, 0);
  return Math.min(PAGE_RUNS_LIMIT, Math.max(1, Math.floor((PAGE_BYTES * runs.length) / bytes)));
}
