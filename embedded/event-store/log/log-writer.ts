import { randomUUID } from 'node:crypto';
import {
  type Decision,
  decideAppend,
  decideDelete,
  type Expectation,
  expectedRevisionOf,
  retryWouldFollow,
} from '../core/expectation.js';
import { SOFT_DELETE_JSON, undeletedMetadataJson } from '../core/stream-metadata.js';
import { metadataStreamOf, type StreamView, streamsBehindView } from '../core/stream-state.js';
import { Draft } from './draft.js';
import type { EventLog } from './event-log.js';
import { idOf, type ProposedEvent, proposeJson } from './proposed-event.js';
import { RecentIds } from './recent-ids.js';
import type { Run } from './run.js';

const COMMIT_REQUESTS_LIMIT = 1_000;
/** About as many as are taken in and answered, here and at their clients, while a commit takes that long. */
const REQUESTS_PER_COMMIT_MS = 16;
/** The newest commit's share in the mean time that a commit takes. */
const NEWEST_SHARE = 0.1;
const COMMIT_BYTES_LIMIT = 4 * 1024 * 1024;
const RECENT_IDS_LIMIT = 50_000;

export type Outcome =
  /** Durable. Without a position when there was nothing to write; a revision of -1 then says that there is no stream. */
  | { kind: 'done'; lastRevision: number; position: number | undefined }
  | { kind: 'wrong-expected-version'; currentRevision: number }
  | { kind: 'stream-deleted' }
  /** It was not begun before its deadline, and will not be. */
  | { kind: 'timeout' };

interface RequestBase {
  stream: string;
  expectation: Expectation;
  /** Milliseconds since the epoch after which the caller no longer waits. */
  deadlineMs: number;
  /** Called exactly once, unless the commit fails: then nobody knows the outcome and the server stops. */
  settle(outcome: Outcome): void;
}

export interface AppendRequest extends RequestBase {
  kind: 'append';
  events: ProposedEvent[];
  bytes: number;
}

export interface DeleteRequest extends RequestBase {
  kind: 'soft-delete' | 'tombstone';
  bytes: number;
}

export type WriteRequest = AppendRequest | DeleteRequest;

/**
 * The one writer. Whatever waits is decided in order and committed together; while a commit is on its way to the disk,
 * the next requests gather. Every answer, refusals too, leaves after the commit, so none tells of what is not durable.
 */
export class LogWriter {
  private queue: WriteRequest[] = [];
  private working: Promise<void> | undefined;
  /** After a failed commit nothing more is written, and nothing answered. */
  private failed = false;
  private commitMs = 1;
  private readonly recentIds = new RecentIds(RECENT_IDS_LIMIT);
  /** Bytes of the requests that wait or are being committed. */
  pendingBytes = 0;

  /** @param onFailure a commit failed, so that nobody knows what the disk holds: the server must stop */
  constructor(
    private readonly log: EventLog,
    private readonly onFailure: (error: Error) => void,
  ) {}

  submit(request: WriteRequest): void {
    this.queue.push(request);
    this.pendingBytes += request.bytes;
    if (!this.failed) this.working ??= this.work();
  }

  /** When everything submitted so far is settled. */
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
    const group = this.takeGroup();
    const streams = group.flatMap((request) => streamsToKnow(request.stream));
    const draft = new Draft(await this.log.states.of(streams), this.log.head, Date.now());
    const outcomes: Outcome[] = [];
    for (const request of group) {
      const outcome = await this.carryOut(request, draft);
      if (outcome === 'after-this-commit') break;
      outcomes.push(outcome);
    }
    this.queue.unshift(...group.slice(outcomes.length));
    const runs = draft.runs();
    if (runs.length > 0) await this.commit(runs, draft);
    for (const [index, outcome] of outcomes.entries()) {
      const request = group[index]!;
      this.pendingBytes -= request.bytes;
      request.settle(outcome);
    }
  }

  private async commit(runs: Run[], draft: Draft): Promise<void> {
    const startedMs = performance.now();
    await this.log.commit(runs, draft.changed);
    this.commitMs += NEWEST_SHARE * (performance.now() - startedMs - this.commitMs);
  }

  /**
   * Not all that wait: answered all at once, their clients would ask again all at once, and the disk would idle while
   * they do. The slower the disk, the more go together.
   */
  private takeGroup(): WriteRequest[] {
    const limit = Math.min(Math.ceil(Math.max(1, this.commitMs) * REQUESTS_PER_COMMIT_MS), COMMIT_REQUESTS_LIMIT);
    let count = 0;
    for (let bytes = 0; count < this.queue.length && count < limit; count++) {
      bytes += this.queue[count]!.bytes;
      if (bytes > COMMIT_BYTES_LIMIT && count > 0) break;
    }
    return this.queue.splice(0, count);
  }

  private async carryOut(request: WriteRequest, draft: Draft): Promise<Outcome | 'after-this-commit'> {
    if (request.deadlineMs < Date.now()) return { kind: 'timeout' };
    return request.kind === 'append' ? this.append(request, draft) : this.remove(request, draft);
  }

  private async append(request: AppendRequest, draft: Draft): Promise<Outcome | 'after-this-commit'> {
    const { stream, expectation, events } = request;
    const view = draft.view(stream);
    const inexact = expectedRevisionOf(expectation) === undefined;
    const firstId = inexact && events.length > 0 ? idOf(events[0]!) : undefined;
    const remembered = firstId === undefined ? undefined : this.recentIds.find(firstId, stream);
    const afterRevision = retryWouldFollow(view, expectation, remembered);
    // What this very commit writes cannot be looked up yet.
    if (afterRevision !== undefined && draft.changes(stream)) return 'after-this-commit';
    const decision = await this.decide(request, view, afterRevision);
    if (decision.kind === 'repeated') return this.asTheFirstTime(stream, decision.lastRevision);
    if (decision.kind !== 'append') return decision;
    if (events.length === 0) return { kind: 'done', lastRevision: view.lastRevision, position: undefined };

    const written = draft.append(stream, events);
    if (decision.undelete) {
      const json = undeletedMetadataJson(view.metadata, view.lastRevision + 1);
      draft.append(metadataStreamOf(stream), [proposeJson(randomUUID(), '$metadata', json)]);
    }
    if (firstId !== undefined) this.recentIds.remember(firstId, stream, view.lastRevision + 1);
    return { kind: 'done', ...written };
  }

  private async decide(request: AppendRequest, view: StreamView, afterRevision: number | undefined): Promise<Decision> {
    const { stream, expectation, events } = request;
    if (afterRevision === undefined) return decideAppend(view, expectation, [], undefined);
    const recorded = await this.log.eventsAt(stream, afterRevision + 1, events.length);
    const recordedIds = recorded.map((event) => event.id);
    return decideAppend(view, expectation, events.map(idOf), { afterRevision, recordedIds });
  }

  private async asTheFirstTime(stream: string, lastRevision: number): Promise<Outcome> {
    const [last] = await this.log.eventsAt(stream, lastRevision, 1);
    return { kind: 'done', lastRevision, position: last!.position };
  }

  private remove(request: DeleteRequest, draft: Draft): Outcome {
    const { stream, expectation } = request;
    const decision = decideDelete(draft.view(stream), expectation);
    if (decision.kind === 'repeated') throw new Error('A delete was taken for a retry.');
    if (decision.kind !== 'append') return decision;
    const written =
      request.kind === 'tombstone'
        ? draft.tombstone(stream, proposeJson(randomUUID(), '$streamDeleted', ''))
        : draft.append(metadataStreamOf(stream), [proposeJson(randomUUID(), '$metadata', SOFT_DELETE_JSON)]);
    return { kind: 'done', ...written };
  }
}

/** A view's streams, and the metadata stream that a delete or an undeletion writes. */
function streamsToKnow(stream: string): string[] {
  return [...streamsBehindView(stream), metadataStreamOf(stream)];
}
