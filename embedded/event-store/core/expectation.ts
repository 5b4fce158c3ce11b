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

/** Where a retry of these events would have put them, and which ids are there now. */
export interface RetryEvidence {
  /** Ids recorded at the revisions after the expected one, oldest first; may be longer or shorter than the append. */
  recordedIds: readonly string[];
}

export function expectedRevisionOf(expectation: Expectation): number | undefined {
  if (expectation === 'no-stream') return NO_EVENTS;
  return typeof expectation === 'number' ? expectation : undefined;
}

/** Whether `decideAppend` needs to see what is recorded after the expected revision. */
export function mayBeRetry(view: StreamView, expectation: Expectation): boolean {
  const expected = expectedRevisionOf(expectation);
  return !view.tombstoned && expected !== undefined && expected < view.lastRevision;
}

/**
 * @param evidence for an exact expectation that lies behind (`mayBeRetry`)
 * @param remembered for `any` and `stream-exists`: the revisions at which these very ids are known to lie in this
 *   stream, as far as memory reaches; undefined where unknown
 */
export function decideAppend(
  view: StreamView,
  expectation: Expectation,
  eventIds: readonly string[],
  evidence: RetryEvidence,
  remembered: readonly (number | undefined)[],
): Decision {
  if (view.tombstoned) return { kind: 'stream-deleted' };
  const softDeleted = isSoftDeleted(view);
  const wrong: Decision = { kind: 'wrong-expected-version', currentRevision: view.lastRevision };

  if (expectation === 'stream-exists') {
    if (softDeleted) return { kind: 'stream-deleted' };
    if (view.lastRevision === NO_EVENTS && view.metadataRevision === NO_EVENTS) return wrong;
  }
  const expected = expectedRevisionOf(expectation);
  if (expected === undefined) return decideByMemory(remembered, wrong, softDeleted);
  if (expected === view.lastRevision) return { kind: 'append', undelete: softDeleted };
  if (expected > view.lastRevision || eventIds.length === 0) return wrong;

  const firstOther = eventIds.findIndex((id, index) => evidence.recordedIds[index] !== id);
  if (firstOther === -1) return { kind: 'repeated', lastRevision: expected + eventIds.length };
  if (firstOther === 0 && expected === NO_EVENTS && softDeleted) return { kind: 'append', undelete: true };
  return wrong;
}

function decideByMemory(remembered: readonly (number | undefined)[], wrong: Decision, softDeleted: boolean): Decision {
  if (remembered.length === 0 || remembered[0] === undefined) return { kind: 'append', undelete: softDeleted };
  const last = remembered.at(-1);
  if (last === undefined || remembered.includes(undefined)) return wrong;
  return { kind: 'repeated', lastRevision: last };
}

/** Deleting asks the same of the stream as an append of nothing, so a delete is never taken for a retry. */
export function decideDelete(view: StreamView, expectation: Expectation): Decision {
  const decision = decideAppend(view, expectation, [], { recordedIds: [] }, []);
  return decision.kind === 'append' ? { kind: 'append', undelete: false } : decision;
}
