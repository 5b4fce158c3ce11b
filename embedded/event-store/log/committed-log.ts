import { EventEmitter } from 'node:events';
import { LRUCache } from 'lru-cache';
import { isTombstone, lastRevisionOf, offsetAtPosition, type Run } from './event-frame.js';
import { FIRST_POSITION, PAGE_BYTES, PostgresRuns } from './postgres-runs.js';

/** Last revision of a stream without events. */
export const NO_EVENTS = -1;
const NEWEST_RUNS_BYTES = 32 * 1024 * 1024;
/** Memory that a run takes in addition to its bytes. */
const RUN_OVERHEAD_BYTES = 512;
const KNOWN_STREAMS = 100_000;

export const metadataStreamOf = (stream: string): string => `$$${stream}`;

/** The committed log as readers see it. It ends at `head`, which moves only when a commit is durable. */
export class CommittedLog {
  private newest: NewestRuns;
  private readonly revisions = new LRUCache<string, number>({ max: KNOWN_STREAMS });
  /** Emits `grew` soon after the log grows. Any number of subscriptions may wait for it. */
  readonly growth = new EventEmitter().setMaxListeners(0);

  private constructor(
    private readonly disk: PostgresRuns,
    /** Position after the last committed event. */
    public head: number,
  ) {
    this.newest = new NewestRuns(head);
  }

  static async open(databaseUrl: string, onLost: (error: Error) => void): Promise<CommittedLog> {
    const disk = await PostgresRuns.open(databaseUrl, onLost);
    return new CommittedLog(disk, await disk.head());
  }

  close(): Promise<void> {
    return this.disk.close();
  }

  /** Returns the last revision of each stream: -1 for a missing one, TOMBSTONE_REVISION for a tombstoned one. For the writer alone. */
  async lastRevisions(streams: readonly string[]): Promise<Map<string, number>> {
    const unknown = streams.filter((stream) => !this.revisions.has(stream));
    const loaded = unknown.length === 0 ? [] : await this.disk.lastRevisions(unknown);
    for (const [stream, revision] of loaded) this.revisions.set(stream, revision);
    return new Map(streams.map((stream) => [stream, this.revisions.get(stream) ?? NO_EVENTS]));
  }

  async lastRevision(stream: string): Promise<number> {
    return (await this.disk.lastRevisions([stream])).get(stream) ?? NO_EVENTS;
  }

  /** Makes runs durable, then visible; for the writer alone. A tombstone removes its stream in the same commit. */
  async commit(runs: readonly Run[], revisions: ReadonlyMap<string, number>): Promise<void> {
    const tombstoned = runs.filter(isTombstone).flatMap(({ stream }) => [stream, metadataStreamOf(stream)]);
    await this.disk.append(runs, tombstoned);
    for (const [stream, revision] of revisions) this.revisions.set(stream, revision);
    this.head = runs.at(-1)!.end;
    if (tombstoned.length > 0) this.newest = new NewestRuns(this.head);
    else this.newest.push(runs);
    // Notifies subscriptions after the writer's responses, which their events would delay by a third of an append.
    if (this.growth.listenerCount('grew') > 0) setImmediate(() => this.growth.emit('grew'));
  }

  /** Returns a page of runs, from the first one that ends after `position`; none at the end of the log. */
  async allForwards(position: number): Promise<Run[]> {
    if (position >= this.newest.start) return this.newest.from(position);
    return this.committed(await this.disk.allForwards(position));
  }

  /** Returns a page of at most `limit` runs of a stream, from the run that holds `revision`. */
  async streamForwards(stream: string, revision: number, limit: number): Promise<Run[]> {
    const runs = this.committed(await this.disk.streamForwards(stream, revision, limit));
    return runs.filter((run) => lastRevisionOf(run) >= revision);
  }

  /** Whether no event lies across this position. A removed stream leaves positions where nothing lies. */
  async isBetweenEvents(position: number): Promise<boolean> {
    if (position <= FIRST_POSITION || position >= this.head) return true;
    const run = (await this.allForwards(position))[0]!;
    if (position < run.position) return true;
    return run.position + offsetAtPosition(run, position) === position;
  }

  rewriteFiles(): Promise<void> {
    return this.disk.rewriteFiles();
  }

  /** Leaves out runs of a commit that is on the disk but not visible yet. */
  private committed(runs: Run[]): Run[] {
    return runs.filter((run) => run.position < this.head);
  }
}

/** The end of the log, kept in memory so that live subscribers and short reads never ask the disk. */
class NewestRuns {
  private readonly runs: Run[] = [];
  private bytes = 0;

  /** @param start every run from this position on is kept */
  constructor(public start: number) {}

  push(runs: readonly Run[]): void {
    this.runs.push(...runs);
    for (const run of runs) this.bytes += run.bytes.length + RUN_OVERHEAD_BYTES;
    // Many at once: each removal moves all runs that stay, which took longer than the rest of a small commit.
    if (this.bytes <= NEWEST_RUNS_BYTES) return;
    let dropped = 0;
    for (; this.bytes > 0.9 * NEWEST_RUNS_BYTES; dropped += 1) {
      const oldest = this.runs[dropped]!;
      this.bytes -= oldest.bytes.length + RUN_OVERHEAD_BYTES;
      this.start = oldest.end;
    }
    this.runs.splice(0, dropped);
  }

  /** Returns a page of runs, from the first one that ends after `position`, which must be kept. */
  from(position: number): Run[] {
    // Readers are nearly always at the end.
    const begin = this.runs.findLastIndex((run) => run.end <= position) + 1;
    let end = begin;
    for (let bytes = 0; end < this.runs.length && bytes < PAGE_BYTES; end++) bytes += this.runs[end]!.bytes.length;
    return this.runs.slice(begin, end);
  }
}
