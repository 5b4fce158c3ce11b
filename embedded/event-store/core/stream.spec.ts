import {
  DELETED_STREAM,
  firstVisibleRevision,
  isSoftDeleted,
  parseStreamMetadata,
  SOFT_DELETE_JSON,
  type StreamView,
  undeletedMetadataJson,
} from './stream.js';

function viewOf(json: string, lastRevision = 9): StreamView {
  return { name: 's', lastRevision, tombstoned: false, metadata: parseStreamMetadata(json), metadataRevision: 0 };
}

describe('stream metadata', () => {
  it.each([
    ['{}', 0],
    ['{"$maxCount":3}', 7],
    ['{"$maxCount":30}', 0],
    ['{"$tb":4}', 4],
    ['{"$tb":4,"$maxCount":3}', 7],
    ['{"$tb":2.5}', 0],
    ['{"$tb":"4"}', 0],
    ['{"$maxCount":-1}', 0],
    ['[1]', 0],
    ['no json', 0],
  ])('%s makes %d the first visible revision of ten events', (json, first) => {
    expect(firstVisibleRevision(viewOf(json))).toBe(first);
  });

  it('of a soft delete is recognised; an undelete keeps the other fields', () => {
    expect(parseStreamMetadata(SOFT_DELETE_JSON).truncateBefore).toBe(DELETED_STREAM);
    expect(isSoftDeleted(viewOf(SOFT_DELETE_JSON))).toBe(true);
    const json = undeletedMetadataJson(parseStreamMetadata('{"$tb":9223372036854775807,"owner":"x"}'), 10);
    expect(JSON.parse(json)).toEqual({ $tb: 10, owner: 'x' });
    expect(isSoftDeleted(viewOf(json))).toBe(false);
  });

  it('takes a role or a list of roles', () => {
    const { acl } = parseStreamMetadata('{"$acl":{"$r":"alice","$w":["a","b"],"$d":7}}');
    expect(acl).toMatchObject({ read: ['alice'], write: ['a', 'b'], delete: undefined });
  });
});

describe('deeply nested metadata', () => {
  const nested = (depth: number) => `{"$tb":4,"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;

  it('limits nothing, and is not written again', () => {
    expect(parseStreamMetadata(nested(100_000)).truncateBefore).toBeUndefined();
    expect(() => undeletedMetadataJson(parseStreamMetadata(nested(100_000)), 5)).not.toThrow();
  });

  it('is not confused with brackets in a text', () => {
    const brackets = JSON.stringify({ $tb: 4, text: '[{"\\'.repeat(1_000) });
    expect(parseStreamMetadata(brackets).truncateBefore).toBe(4);
    expect(parseStreamMetadata(nested(60)).truncateBefore).toBe(4);
  });
});
