import fc from 'fast-check';
import { canonicalize } from 'json-canonicalize';
import { caseCount } from '../../contracts/testing/case-count.js';
import { canonicalJson } from './canonical-json.js';

it('writes any JSON as RFC 8785 requires', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 4 }), (value) => {
      expect(canonicalJson(value)).toBe(canonicalize(value));
    }),
    { numRuns: caseCount(200, 20_000) },
  );
});

it('sorts members by UTF-16 units, also numeric names, and leaves out undefined ones', () => {
  expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
  expect(canonicalJson({ b: 1, a: { 10: 'x', 9: 'y' }, '\u20ac': 2, '\ud83d\ude00': 3, '\ufb33': 4 })).toBe(
    '{"a":{"10":"x","9":"y"},"b":1,"\u20ac":2,"\ud83d\ude00":3,"\ufb33":4}',
  );
});

it('throws on values that JSON cannot hold', () => {
  const others = [Number.NaN, Number.POSITIVE_INFINITY, undefined, [undefined], () => 1, 1n, '\ud800', { '\udc00': 1 }];
  for (const value of others) expect(() => canonicalJson(value)).toThrow('not JSON');
});
