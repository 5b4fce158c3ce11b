import { type StreamState, type StreamView, streamsBehindView, viewStream } from '../core/stream-state.js';
import type { FrameView } from './event-frame.js';
import { PAGE_BYTES, PostgresRuns } from './postgres-runs.js';
import { framesOf, lastRevisionOf, type Run } from './run.js';
import { StreamStates } from './stream-states.js';
import { Tail } from './tail.js';

const TAIL_BYTES = 32 * 1024 * 1024;
const TAIL_RUNS = 50_000;
const KNOWN_STREAMS = 100_000;
const KNOWN_STREAMS_LENGTH = 16 * 1024 * 1024;
/** How far back in the tail a single event is looked for before the disk is asked. */
const TAIL_SEARCH_RUNS = 256;

/** The committed log as readers see it: nothing after `head`, which moves only when a commit is durable. */
export class EventLog {
  private readonly waiting = new Set<() => void>();

  private constructor(
    private readonly disk: PostgresRuns,
    private readonly tail: Tail,
    readonly states: StreamStates,
    private currentHead: number,
  ) {}

  static async open(databaseUrl: string, onLost: (error: Error) => void): Promise<EventLog> {
    const disk = await PostgresRuns.open(databaseUrl, onLost);
    const head = await disk.head();
    const states = new StreamStates((streams) => disk.lastRuns(streams), KNOWN_STREAMS, KNOWN_STREAMS_LENGTH);
    return new EventLog(disk, new Tail(head, TAIL_BYTES, TAIL_RUNS), states, head);
  }

  close(): Promise<void> {
    return this.disk.close();
  }

  /** Position after the last committed event. */
  get head(): number {
    return this.currentHead;
  }

  /** Whether everything from this position on is in memory. */
  inMemory(position: number): boolean {
    return this.tail.covers(position);
  }

  async view(stream: string): Promise<StreamView> {
    const states = await this.states.of(streamsBehindView(stream));
    return viewStream(stream, (name) => states.get(name)!);
  }

  /** Makes runs durable, then visible. For the writer alone. */
  async commit(runs: readonly Run[], states: ReadonlyMap<string, StreamState>): Promise<void> {
    await this.disk.append(runs);
    for (const [name, state] of states) this.states.commit(name, state);
    for (const run of runs) {
      this.tail.push(run);
      this.currentHead = run.end;
    }
    const woken = [...this.waiting];
    this.waiting.clear();
    for (const wake of woken) wake();
  }

  /** Calls once when the log has grown. @returns a function that takes the request back */
  onGrowth(wake: () => void): () => void {
    this.waiting.add(wake);
    return () => this.waiting.delete(wake);
  }

  /** About a page of runs from the one holding `position` on; none at the end of the log. */
  async allForwards(position: number): Promise<Run[]> {
    if (this.tail.covers(position)) return this.tail.from(position, PAGE_BYTES);
    return this.committed(await this.disk.allForwards(position));
  }

  /** About a page of runs that begin before `position`, newest first. */
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

  /** Up to `count` events of a stream from `revision` on. */
  async eventsAt(stream: string, revision: number, count: number): Promise<FrameView[]> {
    const events: FrameView[] = [];
    while (events.length < count) {
      const next = revision + events.length;
      const run = this.tail.find(stream, next, TAIL_SEARCH_RUNS) ?? (await this.streamForwards(stream, next, 1))[0];
      if (run === undefined || run.firstRevision > next) break;
      let at = run.firstRevision;
      for (const frame of framesOf(run)) {
        if (at++ >= next && events.length < count) events.push(frame);
      }
    }
    return events;
  }

  /** The disk may already hold a commit that is not announced yet. */
  private committed(runs: Run[]): Run[] {
    return runs.filter((run) => run.position < this.currentHead);
  }
}
