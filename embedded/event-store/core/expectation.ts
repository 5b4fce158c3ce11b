import { isSoftDeleted, NO_EVENTS, type StreamView } from './stream-state.js';

/**
 * What an append or a delete may be asked to expect of its stream, and what EventStoreDB answers.
 *
 * - `any` and `stream-exists` do not look at the revision. `stream-exists` is content with metadata alone.
 * - An exact revision (no stream is -1) must be the last one. If it lies behind, the append may be a retry: when the
 *   very same events follow that revision, it is answered as the first time; when only its beginning does, or other
 *   events follow, the expectation was wrong.
 * - A soft-deleted stream takes appends that expect no stream, or its true last revision; numbering goes on.
 * - A tombstone refuses everything for ever.
 */
export type Expectation = 'any' | 'stream-exists' | 'no-stream' | number;

export type Decision =
  | { kind: 'append'; undelete: boolean }
  | { kind: 'repeated'; lastRevision: number }
  | { kind: 'wrong-expected-version'; currentRevision: number }
  | { kind: 'stream-deleted' };

/** What the log says of an append that may have been made before. */
export interface RetryEvidence {
  /** The revision before the one at which a retry's first event would lie. */
  afterRevision: number;
  /** Ids recorded at the revisions after that, oldest first; may be longer or shorter than the append. */
  recordedIds: readonly string[];
}

export function expectedRevisionOf(expectation: Expectation): number | undefined {
  if (expectation === 'no-stream') return NO_EVENTS;
  return typeof expectation === 'number' ? expectation : undefined;
}

/**
 * Behind which revision `decideAppend` needs to see what is recorded; undefined when it needs nothing.
 *
 * @param remembered the revision at which an event with the append's first id is known to lie, as far as memory reaches
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

/** @param evidence what is recorded behind the revision that `retryWouldFollow` names */
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

/** Deleting asks the same of the stream as an append of nothing, so a delete is never taken for a retry. */
export function decideDelete(view: StreamView, expectation: Expectation): Decision {
  const afterRevision = retryWouldFollow(view, expectation, undefined);
  const evidence = afterRevision === undefined ? undefined : { afterRevision, recordedIds: [] };
  const decision = decideAppend(view, expectation, [], evidence);
  return decision.kind === 'append' ? { kind: 'append', undelete: false } : decision;
}
