import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Decision, decideAppend, decideDelete, type Expectation, retryWouldFollow } from '../core/expectation.js';
import {
  metadataStreamOf,
  SOFT_DELETE_JSON,
  type StreamView,
  streamsBehindView,
  undeletedMetadataJson,
} from '../core/stream.js';
import { Draft } from './draft.js';
import { type ProposedEvent, proposeJson } from './event-frame.js';
import type { EventLog } from './event-log.js';
import { streamKey } from './postgres-runs.js';

const COMMIT_REQUESTS_LIMIT = 1_000;
/** Requests that this server and its clients can handle per millisecond of a commit. */
const REQUESTS_PER_COMMIT_MS = 16;
/** Weight of the newest commit in the moving average of commit times. */
const NEWEST_SHARE = 0.1;
const COMMIT_BYTES_LIMIT = 4 * 1024 * 1024;
const RECENT_IDS_LIMIT = 50_000;

export type Outcome =
  /** Durable. Without a position there was nothing to write, and a revision of -1 then means a missing stream. */
  | { kind: 'done'; lastRevision: number; position: number | undefined }
  | { kind: 'wrong-expected-version'; currentRevision: number }
  | { kind: 'stream-deleted' }
  /** The deadline passed before the write began; nothing is written. */
  | { kind: 'timeout' };

interface RequestBase {
  stream: string;
  expectation: Expectation;
  /** Epoch milliseconds; a request that has not begun by then is refused. */
  deadlineMs: number;
  /** Bytes of memory that it holds. */
  bytes: number;
}

interface AppendRequest extends RequestBase {
  kind: 'append';
  events: readonly ProposedEvent[];
}

interface DeleteRequest extends RequestBase {
  kind: 'soft-delete' | 'tombstone';
}

export type WriteRequest = AppendRequest | DeleteRequest;

interface Queued {
  request: WriteRequest;
  settle(outcome: Outcome): void;
}

/**
 * The one writer. It decides the waiting requests in order and commits them together; the next requests gather during
 * the commit. Every answer, also a refusal, is sent after the commit, so no answer shows events that are not durable.
 */
export class LogWriter {
  private queue: Queued[] = [];
  private working: Promise<void> | undefined;
  /** After a failed commit the writer stops: it writes nothing and answers nothing. */
  private failed = false;
  private commitMs = 1;
  /**
   * Stream key and revision of each recent append's first event, by the event's id. They identify a retry without an
   * exact expectation: best effort, as on the real server. Keys instead of stream names, because names may be long.
   */
  private readonly recentIds = new LRUCache<string, { key: string; revision: number }>({ max: RECENT_IDS_LIMIT });
  /** Bytes of the requests that are not settled yet. */
  pendingBytes = 0;

  /** @param onFailure called when a commit failed: the disk's state is unknown, so the server must stop */
  constructor(
    private readonly log: EventLog,
    private readonly onFailure: (error: Error) => void,
  ) {}

  /** Never settles when the commit fails: then the outcome is unknown and the server stops. */
  write(request: WriteRequest): Promise<Outcome> {
    return new Promise((settle) => {
      this.queue.push({ request, settle });
      this.pendingBytes += request.bytes;
      if (!this.failed) this.working ??= this.work();
    });
  }

  /** Resolves when every submitted request is settled. */
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
    const streams = group.flatMap(({ request: { stream } }) => [
      ...streamsBehindView(stream),
      metadataStreamOf(stream),
    ]);
    const draft = new Draft(await this.log.states.of(streams), this.log.head, Date.now());
    const outcomes: Outcome[] = [];
    for (const { request } of group) {
      const outcome = await this.carryOut(request, draft);
      if (outcome === 'after-this-commit') break;
      outcomes.push(outcome);
    }
    this.queue.unshift(...group.slice(outcomes.length));
    const runs = draft.runs();
    if (runs.length > 0) {
      const startedMs = performance.now();
      await this.log.commit(runs, draft.changed);
      this.commitMs += NEWEST_SHARE * (performance.now() - startedMs - this.commitMs);
    }
    for (const [index, outcome] of outcomes.entries()) {
      const { request, settle } = group[index]!;
      this.pendingBytes -= request.bytes;
      settle(outcome);
    }
  }

  /**
   * Takes requests from the queue: the slower the disk, the more. If all waiting requests were answered at once, all
   * clients would send their next requests at once, and the disk would idle meanwhile.
   */
  private takeGroup(): Queued[] {
    const limit = Math.min(Math.ceil(Math.max(1, this.commitMs) * REQUESTS_PER_COMMIT_MS), COMMIT_REQUESTS_LIMIT);
    let count = 0;
    for (let bytes = 0; count < this.queue.length && count < limit; count++) {
      bytes += this.queue[count]!.request.bytes;
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
    const firstId = events[0]?.id;
    const afterRevision = retryWouldFollow(view, expectation, this.rememberedRevision(stream, firstId));
    // Events of this commit cannot be read yet.
    if (afterRevision !== undefined && draft.changed.has(stream)) return 'after-this-commit';
    const decision = await this.decide(request, view, afterRevision);
    if (decision.kind === 'repeated') {
      const [last] = await this.log.eventsAt(stream, decision.lastRevision, 1);
      return { kind: 'done', lastRevision: decision.lastRevision, position: last!.position };
    }
    if (decision.kind !== 'append') return decision;
    if (firstId === undefined) return { kind: 'done', lastRevision: view.lastRevision, position: undefined };

    const written = draft.append(stream, events);
    if (decision.undelete) {
      const json = undeletedMetadataJson(view.metadata, view.lastRevision + 1);
      draft.append(metadataStreamOf(stream), [proposeJson(randomUUID(), '$metadata', json)]);
    }
    this.recentIds.set(firstId, { key: streamKey(stream), revision: view.lastRevision + 1 });
    return { kind: 'done', ...written };
  }

  /** Returns the revision of a recent append's first event, if it is in this stream. */
  private rememberedRevision(stream: string, firstId = ''): number | undefined {
    const place = this.recentIds.get(firstId);
    return place !== undefined && place.key === streamKey(stream) ? place.revision : undefined;
  }

  private async decide(request: AppendRequest, view: StreamView, afterRevision: number | undefined): Promise<Decision> {
    const { stream, expectation, events } = request;
    if (afterRevision === undefined) return decideAppend(view, expectation, [], undefined);
    const recorded = await this.log.eventsAt(stream, afterRevision + 1, events.length);
    const ids = events.map(({ id }) => id);
    return decideAppend(view, expectation, ids, { afterRevision, recordedIds: recorded.map(({ id }) => id) });
  }

  private remove(request: DeleteRequest, draft: Draft): Outcome {
    const { stream, expectation } = request;
    const decision = decideDelete(request.kind, draft.view(stream), expectation);
    if (decision.kind === 'repeated') throw new Error('A delete was taken for a retry.');
    if (decision.kind !== 'append') return decision;
    const written =
      request.kind === 'tombstone'
        ? draft.tombstone(stream, proposeJson(randomUUID(), '$streamDeleted', ''))
        : draft.append(metadataStreamOf(stream), [proposeJson(randomUUID(), '$metadata', SOFT_DELETE_JSON)]);
    return { kind: 'done', ...written };
  }
}
