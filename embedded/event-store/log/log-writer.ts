import { randomUUID } from 'node:crypto';
import type { CommittedLog } from './committed-log.js';
import type { Run } from './event-frame.js';
import { encodeFrame, namesOf, offsetsOf, type ProposedEvent, proposeJson, TOMBSTONE_REVISION } from './event-frame.js';

const COMMIT_REQUESTS_LIMIT = 1_000;
/** A commit takes no further request beyond this size. */
const COMMIT_BYTES_LIMIT = 4 * 1024 * 1024;

/** A revision, or -1 when the stream must not exist. */
export type Expectation = 'any' | number;

/** An append, or without events a tombstone. */
export interface WriteRequest {
  stream: string;
  expectation: Expectation;
  events: readonly ProposedEvent[] | undefined;
}

export type Outcome =
  | { kind: 'done'; lastRevision: number; position: number }
  | { kind: 'wrong-expected-version'; currentRevision: number }
  | { kind: 'stream-deleted' };

type QueueEntry = { request: WriteRequest; settle(outcome: Outcome): void };

/** The one writer. Every response, also a refusal, is sent after the commit, so no response shows events that are not durable. */
export class LogWriter {
  private readonly queue: QueueEntry[] = [];
  private working: Promise<void> | undefined;
  /** After a failed commit the writer stops: it writes nothing and answers nothing. */
  private failed = false;

  /** @param onFailure called when a commit failed: the disk's state is unknown, so the server must stop */
  constructor(
    private readonly log: CommittedLog,
    private readonly onFailure: (error: Error) => void,
  ) {}

  /** Never settles when the commit fails: then the outcome is unknown and the server stops. */
  write(request: WriteRequest): Promise<Outcome> {
    return new Promise((settle) => {
      this.queue.push({ request, settle });
      if (!this.failed) this.working ??= this.work();
    });
  }

  async idle(): Promise<void> {
    while (this.working !== undefined) await this.working;
  }

  /** Never rejects. */
  private async work(): Promise<void> {
    try {
      while (this.queue.length > 0) await this.commitNext();
    } catch (error) {
      this.failed = true;
      this.onFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.working = undefined;
    }
  }

  private async commitNext(): Promise<void> {
    const group = this.queue.splice(0, COMMIT_REQUESTS_LIMIT);
    const revisions = await this.log.lastRevisions(group.map(({ request }) => request.stream));
    const commit = new NextCommit(revisions, this.log.head, Date.now());
    const outcomes: Outcome[] = [];
    for (const { request } of group) {
      if (commit.position - this.log.head > COMMIT_BYTES_LIMIT) break;
      const outcome = await this.carryOut(request, commit);
      if (outcome === 'after-this-commit') break;
      outcomes.push(outcome);
    }
    this.queue.unshift(...group.slice(outcomes.length));
    if (commit.runs.length > 0) await this.log.commit(commit.runs, commit.changed);
    for (const [index, outcome] of outcomes.entries()) group[index]!.settle(outcome);
  }

  private async carryOut(request: WriteRequest, commit: NextCommit): Promise<Outcome | 'after-this-commit'> {
    const { stream, expectation, events } = request;
    const currentRevision = commit.lastRevision(stream);
    if (currentRevision === TOMBSTONE_REVISION) return { kind: 'stream-deleted' };
    const refusal: Outcome = { kind: 'wrong-expected-version', currentRevision };
    if (typeof expectation === 'number' && expectation < currentRevision) {
      // Events of this commit cannot be read yet.
      if (commit.changed.has(stream)) return 'after-this-commit';
      return (events && (await this.firstResult(stream, expectation, events))) ?? refusal;
    }
    if (typeof expectation === 'number' && expectation > currentRevision) return refusal;
    return events === undefined ? commit.tombstone(stream) : commit.append(stream, events);
  }

  /** The first response to an append that is repeated: its events are the first of the run after the expected revision. */
  private async firstResult(stream: string, expected: number, events: readonly ProposedEvent[]) {
    const [run] = await this.log.streamForwards(stream, expected + 1, 1);
    if (run?.firstRevision !== expected + 1 || run.count < events.length) return undefined;
    const offsets = offsetsOf(run).slice(0, events.length);
    if (offsets.some((offset, index) => namesOf(run.bytes, offset).id !== events[index]?.id)) return undefined;
    return { kind: 'done' as const, lastRevision: expected + events.length, position: run.position + offsets.at(-1)! };
  }
}

/** The runs that the next commit will write, and the last revisions of the streams after it. */
class NextCommit {
  readonly runs: Run[] = [];
  readonly changed = new Map<string, number>();

  /** `committed`: last revisions of all streams that this commit may touch. `position`: the end of the log. */
  constructor(
    private readonly committed: ReadonlyMap<string, number>,
    public position: number,
    private readonly createdMs: number,
  ) {}

  lastRevision(stream: string): number {
    return this.changed.get(stream) ?? this.committed.get(stream)!;
  }

  tombstone(stream: string): Outcome {
    return this.append(stream, [proposeJson(randomUUID(), '$streamDeleted', '')], TOMBSTONE_REVISION);
  }

  append(stream: string, events: readonly ProposedEvent[], firstRevision = this.lastRevision(stream) + 1): Outcome {
    const start = this.position;
    let position = start;
    const frames = events.map((event, index) => {
      position = this.position;
      const frame = encodeFrame(stream, firstRevision + index, event, position, this.createdMs);
      this.position += frame.length;
      return frame;
    });
    const bytes = Buffer.concat(frames);
    this.runs.push({ stream, position: start, end: this.position, firstRevision, count: events.length, bytes });
    const lastRevision = firstRevision + events.length - 1;
    this.changed.set(stream, lastRevision);
    return { kind: 'done', lastRevision, position };
  }
}
