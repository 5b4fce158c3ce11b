import fc from 'fast-check';
import { caseCount } from '../../contracts/testing/case-count.js';
import { CopyOnWriteMap } from './copy-on-write-map.js';

const change = fc.oneof(fc.record({ set: fc.nat(20), to: fc.nat() }), fc.record({ delete: fc.nat(20) }));
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

function carryOut(map: Map<number, number>, changes: readonly Change[]): void {
  for (const one of changes) {
    if ('set' in one) map.set(one.set, one.to);
    else map.delete(one.delete);
  }
}

it('copies the entries as of the beginning, whatever changes while they are read', () => {
  fc.assert(
    fc.property(fc.array(change), fc.array(fc.array(change, { maxLength: 4 })), (first, later) => {
      const map = new CopyOnWriteMap<number, number>();
      carryOut(map, first);
      const before = new Map(map);
      const { entries, end } = map.beginCopy();
      const copied = new Map<number, number>();
      let index = 0;
      carryOut(map, later[0] ?? []);
      for (const [key, value] of entries) {
        copied.set(key, value);
        index += 1;
        carryOut(map, later[index] ?? []);
      }
      end();
      expect(copied).toEqual(before);
    }),
    { numRuns: caseCount(30, 3_000) },
  );
});

it('changes as a Map does while a copy is made', () => {
  fc.assert(
    fc.property(fc.array(change), fc.array(change), (first, later) => {
      const [map, plain] = [new CopyOnWriteMap<number, number>(), new Map<number, number>()];
      for (const one of [map, plain]) carryOut(one, first);
      map.beginCopy();
      for (const one of [map, plain]) carryOut(one, later);
      expect([...map]).toEqual([...plain]);
    }),
    { numRuns: caseCount(10, 1_000) },
  );
});

it('makes one copy at a time, and another after the end of the first', () => {
  const map = new CopyOnWriteMap([['one', 1]]);
  const { end } = map.beginCopy();
  expect(() => map.beginCopy()).toThrow('a copy is being made already');
  end();
  expect([...map.beginCopy().entries]).toEqual([['one', 1]]);
});
