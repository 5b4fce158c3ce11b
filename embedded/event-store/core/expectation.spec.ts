import { decideAppend, decideDelete, type Expectation, retryWouldFollow } from './expectation.js';
import { DELETED_STREAM, NO_METADATA, type StreamView } from './stream.js';

const nothing: StreamView = {
  name: 'ledger',
  lastRevision: -1,
  tombstoned: false,
  metadata: NO_METADATA,
  metadataRevision: -1,
};
const threeEvents: StreamView = { ...nothing, lastRevision: 2 };
const softDeleted: StreamView = {
  ...threeEvents,
  metadata: { ...NO_METADATA, truncateBefore: DELETED_STREAM },
  metadataRevision: 0,
};
const tombstoned: StreamView = { ...threeEvents, tombstoned: true };

const wrongAt = (currentRevision: number) => ({ kind: 'wrong-expected-version', currentRevision });
const fresh = { kind: 'append', undelete: false };
const revived = { kind: 'append', undelete: true };

function decide(view: StreamView, expectation: Expectation, recordedIds: string[] = []) {
  const afterRevision = retryWouldFollow(view, expectation, undefined);
  return decideAppend(
    view,
    expectation,
    ['x', 'y'],
    afterRevision === undefined ? undefined : { afterRevision, recordedIds },
  );
}

describe('the expectation of an append', () => {
  it.each<[string, StreamView, Expectation, unknown]>([
    ['any, of a missing stream', nothing, 'any', fresh],
    ['any, of a stream', threeEvents, 'any', fresh],
    ['no stream, of a missing stream', nothing, 'no-stream', fresh],
    ['no stream, of a stream', threeEvents, 'no-stream', wrongAt(2)],
    ['stream exists, of a stream', threeEvents, 'stream-exists', fresh],
    ['stream exists, of a missing stream', nothing, 'stream-exists', wrongAt(-1)],
    ['stream exists, when only metadata exists', { ...nothing, metadataRevision: 0 }, 'stream-exists', fresh],
    ['stream exists, of a deleted stream', softDeleted, 'stream-exists', { kind: 'stream-deleted' }],
    ['the last revision', threeEvents, 2, fresh],
    ['a revision behind', threeEvents, 1, wrongAt(2)],
    ['a revision ahead', threeEvents, 3, wrongAt(2)],
    ['a revision of a missing stream', nothing, 0, wrongAt(-1)],
    ['no stream, of a deleted stream', softDeleted, 'no-stream', revived],
    ['the last revision of a deleted stream', softDeleted, 2, revived],
    ['any, of a deleted stream', softDeleted, 'any', revived],
    ['a revision behind, of a deleted stream', softDeleted, 0, wrongAt(2)],
    ['any, of a tombstoned stream', tombstoned, 'any', { kind: 'stream-deleted' }],
    ['no stream, of a tombstoned stream', tombstoned, 'no-stream', { kind: 'stream-deleted' }],
  ])('%s', (_, view, expectation, decision) => {
    expect(decide(view, expectation)).toEqual(decision);
  });
});

describe('an append that may be a retry', () => {
  it('gets the first answer again when the same events follow the expected revision', () => {
    expect(decide(threeEvents, 0, ['x', 'y'])).toEqual({ kind: 'repeated', lastRevision: 2 });
    expect(decide(threeEvents, 'no-stream', ['x', 'y', 'z'])).toEqual({ kind: 'repeated', lastRevision: 1 });
  });

  it('is refused when only its first events are there', () => {
    expect(decide(threeEvents, 1, ['x'])).toEqual(wrongAt(2));
    expect(decide(threeEvents, 0, ['x', 'other'])).toEqual(wrongAt(2));
  });

  it('is refused when other events are there', () => {
    expect(decide(threeEvents, 0, ['other', 'y'])).toEqual(wrongAt(2));
  });

  it('is recognised by the remembered place of its first event when it expects no exact revision', () => {
    const remembered = (recordedIds: string[]) => {
      const afterRevision = retryWouldFollow(threeEvents, 'any', 1)!;
      return decideAppend(threeEvents, 'any', ['x', 'y'], { afterRevision, recordedIds });
    };
    expect(remembered(['x', 'y'])).toEqual({ kind: 'repeated', lastRevision: 2 });
    expect(remembered(['x', 'other'])).toEqual(wrongAt(2));
    expect(retryWouldFollow(threeEvents, 'any', undefined)).toBeUndefined();
  });
});

describe('a delete', () => {
  it.each<[string, StreamView, Expectation, unknown]>([
    ['of a stream', threeEvents, 'any', fresh],
    ['at the last revision', threeEvents, 2, fresh],
    ['at a revision behind', threeEvents, 1, wrongAt(2)],
    ['of a missing stream', nothing, 'any', fresh],
    ['of a missing stream that must exist', nothing, 'stream-exists', wrongAt(-1)],
    ['of a tombstoned stream', tombstoned, 'any', { kind: 'stream-deleted' }],
  ])('%s', (_, view, expectation, decision) => {
    expect(decideDelete('tombstone', view, expectation)).toEqual(decision);
  });
});
