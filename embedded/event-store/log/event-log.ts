import {
  metadataStreamOf,
  type StreamState,
  type StreamView,
  streamsBehindView,
  TOMBSTONE_REVISION,
  viewStream,
} from '../core/stream.js';
import type { FrameView } from './event-frame.js';
import { FIRST_POSITION, PAGE_BYTES, PostgresRuns } from './postgres-runs.js';
import { framesOf, lastRevisionOf, offsetAtPosition, type Run } from './run.js';
import { StreamStates } from './stream-states.js';

const NEWEST_RUNS_BYTES = 32 * 1024 * 1024;
const NEWEST_RUNS_COUNT = 50_000;
/** Newest runs that are searched for single events before the disk is read. */
const SEARCHED_RUNS = 256;
const KNOWN_STREAMS = 100_000;
const KNOWN_STREAMS_LENGTH = 16 * 1024 * 1024;

/** The committed log as readers see it. It ends at `head`, which moves only when a commit is durable. */
export class EventLog {
  private readonly newest: NewestRuns;
  readonly states: StreamStates;
  private readonly waiting = new Set<() => void>();
  /** Tombstoned streams whose events may still be there. */
  private readonly unscavenged = new Set<string>();
  private scavenging: Promise<void> = Promise.resolve();

  private constructor(
    private readonly disk: PostgresRuns,
    /** Position after the last committed event. */
    public head: number,
  ) {
    this.newest = new NewestRuns(head);
    this.states = new StreamStates((streams) => disk.lastRuns(streams), KNOWN_STREAMS, KNOWN_STREAMS_LENGTH);
  }

  static async open(databaseUrl: string, onLost: (error: Error) => void): Promise<EventLog> {
    const disk = await PostgresRuns.open(databaseUrl, onLost);
    return new EventLog(disk, await disk.head());
  }

  close(): Promise<void> {
    return this.disk.close();
  }

  /** Whether everything from this position on is in memory. */
  inMemory(position: number): boolean {
    return position >= this.newest.start;
  }

  async view(stream: string): Promise<StreamView> {
    const states = await this.states.of(streamsBehindView(stream));
    return viewStream(stream, (name) => states.get(name)!);
  }

  /** Makes runs durable, then visible. Only the writer calls this. */
  async commit(runs: readonly Run[], states: ReadonlyMap<string, StreamState>): Promise<void> {
    await this.disk.append(runs);
    for (const [name, state] of states) this.states.commit(name, state);
    for (const run of runs) {
      this.newest.push(run);
      this.head = run.end;
      if (run.firstRevision === TOMBSTONE_REVISION) this.unscavenged.add(run.stream);
    }
    const woken = [...this.waiting];
    this.waiting.clear();
    // After the writer's answers: what subscriptions send would delay them by a third of an append.
    if (woken.length > 0)
      setImmediate(() => {
        for (const wake of woken) wake();
      });
  }

  /** Calls `wake` once, soon after the log grows. Returns a function that cancels this until then. */
  onGrowth(wake: () => void): () => void {
    this.waiting.add(wake);
    return () => this.waiting.delete(wake);
  }

  /** Returns about a page of runs, from the run that holds `position`; none at the end of the log. */
  async allForwards(position: number): Promise<Run[]> {
    if (this.inMemory(position)) return this.newest.from(position, PAGE_BYTES);
    return this.committed(await this.disk.allForwards(position));
  }

  /** Returns about a page of runs that begin before `position`, newest first. */
  async allBackwards(position: number): Promise<Run[]> {
    return this.committed(await this.disk.allBackwards(position));
  }

  async streamForwards(stream: string, revision: number, limit: number): Promise<Run[]> {
    const runs = this.committed(await this.disk.streamForwards(stream, revision, limit));
    return runs.filter((run) => lastRevisionOf(run) >= revision);
  }

  async streamBackwards(stream: string, revision: number, limit: number): Promise<Run[]> {
    return this.committed(await this.disk.streamBackwards(stream, revision, limit));
  }

  /** Whether no event lies across this position. Events were scavenged at a position where nothing lies. */
  async isBetweenEvents(position: number): Promise<boolean> {
    if (position <= FIRST_POSITION || position >= this.head) return true;
    const run = (await this.allForwards(position))[0]!;
    if (position < run.position || position >= run.end) return true;
    return run.position + offsetAtPosition(run, position) === position;
  }

  /** Lets the next scavenge consider every tombstoned stream, also those of former runs of this server. */
  async findTombstones(): Promise<void> {
    for (const stream of await this.disk.tombstonedStreams()) this.unscavenged.add(stream);
  }

  /** Removes the events of streams that were tombstoned since the last call; all of their tombstones stay. */
  scavengeNewTombstones(): Promise<void> {
    return this.oneByOne(() => this.removeBeforeTombstones());
  }

  /** Removes the events of every tombstoned stream, also from the bytes of the files. */
  async scavenge(): Promise<void> {
    await this.findTombstones();
    await this.oneByOne(async () => {
      await this.removeBeforeTombstones();
      await this.disk.rewriteFiles();
    });
  }

  /** Rows that are deleted while the files are rewritten would come back. */
  private oneByOne(work: () => Promise<void>): Promise<void> {
    const done = this.scavenging.then(work);
    this.scavenging = done.catch(() => {});
    return done;
  }

  private async removeBeforeTombstones(): Promise<void> {
    const streams = [...this.unscavenged];
    if (streams.length === 0) return;
    await this.disk.deleteBeforeTombstones(streams);
    this.newest.removeBeforeTombstones(streams);
    for (const stream of streams) this.unscavenged.delete(stream);
  }

  /** Returns up to `count` events of a stream, from `revision` on. */
  async eventsAt(stream: string, revision: number, count: number): Promise<FrameView[]> {
    const events: FrameView[] = [];
    while (events.length < count) {
      const next = revision + events.length;
      const run = this.newest.find(stream, next) ?? (await this.streamForwards(stream, next, 1))[0];
      if (run === undefined || run.firstRevision > next) break;
      const first = next - run.firstRevision;
      events.push(...[...framesOf(run.bytes)].slice(first, first + count - events.length));
    }
    return events;
  }

  /** Leaves out runs of a commit that is on the disk but not visible yet. */
  private committed(runs: Run[]): Run[] {
    return runs.filter((run) => run.position < this.head);
  }
}

/** The end of the log, kept in memory so that live subscribers and short reads never ask the disk. */
class NewestRuns {
  private runs: Run[] = [];
  /** Index of the oldest kept run: cheaper than shifting the array on every commit. */
  private first = 0;
  private bytes = 0;

  /** @param start every run from this position on is kept */
  constructor(public start: number) {}

  push(run: Run): void {
    this.runs.push(run);
    this.bytes += run.bytes.length;
    while (this.bytes > NEWEST_RUNS_BYTES || this.runs.length - this.first > NEWEST_RUNS_COUNT) this.dropOldest();
  }

  /** Returns about `limitBytes` of runs, from the run that holds `position`, which must be kept. */
  from(position: number, limitBytes: number): Run[] {
    const begin = this.indexOf(position);
    let end = begin;
    for (let bytes = 0; end < this.runs.length && bytes < limitBytes; end++) bytes += this.runs[end]!.bytes.length;
    return this.runs.slice(begin, end);
  }

  /** Returns the run that holds a stream's revision, if it is among the newest few. */
  find(stream: string, revision: number): Run | undefined {
    const candidates = this.runs.slice(Math.max(this.first, this.runs.length - SEARCHED_RUNS));
    return candidates.findLast(
      (run) => run.stream === stream && run.firstRevision <= revision && revision <= lastRevisionOf(run),
    );
  }

  removeBeforeTombstones(streams: readonly string[]): void {
    const removed = new Set(streams.flatMap((stream) => [stream, metadataStreamOf(stream)]));
    this.runs = this.runs
      .slice(this.first)
      .filter((run) => run.firstRevision === TOMBSTONE_REVISION || !removed.has(run.stream));
    this.first = 0;
    this.bytes = this.runs.reduce((sum, run) => sum + run.bytes.length, 0);
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
