import { isSoftDeleted, NO_EVENTS, type StreamView } from './stream.js';

/**
 * The expectations that an append or a delete can have of its stream, and EventStoreDB's answers.
 *
 * - `any` and `stream-exists` ignore the revision. `stream-exists` holds if only metadata exists.
 * - An exact revision (-1: no stream) must be the last one. If the stream has later events, the append may be a
 *   retry: when exactly its own events follow that revision, it gets the first answer again; otherwise the expectation
 *   is wrong.
 * - A soft-deleted stream accepts appends that expect no stream or its true last revision; its numbering goes on.
 * - A tombstoned stream refuses everything.
 */
export type Expectation = 'any' | 'stream-exists' | 'no-stream' | number;

export type Decision =
  | { kind: 'append'; undelete: boolean }
  | { kind: 'repeated'; lastRevision: number }
  | { kind: 'wrong-expected-version'; currentRevision: number }
  | { kind: 'stream-deleted' };

/** The events in the log that show whether an append is a retry. */
export interface RetryEvidence {
  /** Revision of the event before the append's first event, if the append is a retry. */
  afterRevision: number;
  /** Event ids at the next revisions, oldest first; there may be more or fewer than in the append. */
  recordedIds: readonly string[];
}

function expectedRevisionOf(expectation: Expectation): number | undefined {
  if (expectation === 'no-stream') return NO_EVENTS;
  return typeof expectation === 'number' ? expectation : undefined;
}

/**
 * Returns the revision after which `decideAppend` needs the recorded events; undefined when it needs none.
 *
 * @param remembered the revision of an event with the append's first id, if the server remembers one
 */
export function retryWouldFollow(
  view: StreamView,
  expectation: Expectation,
  remembered: number | undefined,
): number | undefined {
  const expected = expectedRevisionOf(expectation);
  if (view.tombstoned) return undefined;
  if (expected !== undefined) return expected < view.lastRevision ? expected : undefined;
  return remembered === undefined ? undefined : remembered - 1;
}

/** @param evidence the events after the revision that `retryWouldFollow` returned */
export function decideAppend(
  view: StreamView,
  expectation: Expectation,
  eventIds: readonly string[],
  evidence: RetryEvidence | undefined,
): Decision {
  if (view.tombstoned) return { kind: 'stream-deleted' };
  const softDeleted = isSoftDeleted(view);
  const wrong: Decision = { kind: 'wrong-expected-version', currentRevision: view.lastRevision };

  if (expectation === 'stream-exists') {
    if (softDeleted) return { kind: 'stream-deleted' };
    if (view.lastRevision === NO_EVENTS && view.metadataRevision === NO_EVENTS) return wrong;
  }
  const expected = expectedRevisionOf(expectation);
  if (expected !== undefined && expected > view.lastRevision) return wrong;
  if (evidence === undefined) return { kind: 'append', undelete: softDeleted };
  if (eventIds.length === 0) return wrong;

  const { afterRevision, recordedIds } = evidence;
  const firstOther = eventIds.findIndex((id, index) => recordedIds[index] !== id);
  if (firstOther === -1) return { kind: 'repeated', lastRevision: afterRevision + eventIds.length };
  const newStream = expected === NO_EVENTS && softDeleted;
  return firstOther === 0 && newStream ? { kind: 'append', undelete: true } : wrong;
}

/**
 * Decides a delete like an append without events, so that no delete counts as a retry. As in EventStoreDB, a stream that
 * never existed, not even by its metadata, can be tombstoned but not deleted, and a deleted stream can be deleted again.
 */
export function decideDelete(kind: 'soft-delete' | 'tombstone', view: StreamView, expectation: Expectation): Decision {
  const existed = view.lastRevision !== NO_EVENTS || view.metadataRevision !== NO_EVENTS;
  if (kind === 'soft-delete' && !view.tombstoned && !existed) {
    return { kind: 'wrong-expected-version', currentRevision: NO_EVENTS };
  }
  if (expectation === 'no-stream' && isSoftDeleted(view)) return { kind: 'append', undelete: false };
  const afterRevision = retryWouldFollow(view, expectation, undefined);
  const evidence = afterRevision === undefined ? undefined : { afterRevision, recordedIds: [] };
  const decision = decideAppend(view, expectation, [], evidence);
  return decision.kind === 'append' ? { kind: 'append', undelete: false } : decision;
}
