import fc from 'fast-check';
import { caseCount } from '../../contracts/testing/case-count.js';
import { DAY, T0 } from '../testing/events.js';
import { type CommandKey, CommandMemory, commandKey } from './command-memory.js';

/** A key for each number, spread like a hash. */
const keyOf = (number: number): CommandKey => Uint32Array.of(Math.imul(number + 1, 2_654_435_761), number, 1, 2);

/** A memory of so many commands, forgotten after each as a replay does; a command each `stepMs`. */
function filled(count: number, stepMs: number): CommandMemory {
  const memory = new CommandMemory();
  for (let number = 0; number < count; number += 1) {
    memory.set(keyOf(number), number * 3);
    memory.forget(T0 + number * stepMs);
  }
  return memory;
}

it('knows every command by its key, with its revision, over several generations', () => {
  const memory = filled(250_000, 1);
  expect(memory.copy().length).toBeGreaterThan(5);
  expect(memory.size).toBe(250_000);
  for (let number = 0; number < 250_000; number += 1) {
    if (memory.get(keyOf(number)) !== number * 3) throw new Error(`command ${number} was lost`);
  }
  for (let number = 250_000; number < 260_000; number += 1) {
    if (memory.get(keyOf(number)) !== undefined) throw new Error(`command ${number} was never remembered`);
  }
});

it('knows commands of revisions beyond 32 bits', () => {
  const memory = new CommandMemory();
  memory.set(keyOf(1), 2 ** 40);
  memory.set(keyOf(2), 2 ** 40 + 5);
  expect([1, 2, 3].map((number) => memory.get(keyOf(number)))).toEqual([2 ** 40, 2 ** 40 + 5, undefined]);
});

it('keeps the actor’s id and the command’s id apart from those of others', () => {
  const keys = [commandKey('bob', 'c1'), commandKey('bo', 'bc1'), commandKey('bob', 'c2'), commandKey('alice', 'c1')];
  expect(new Set(keys.map(String)).size).toBe(4);
  expect(commandKey('bob', 'c1')).toEqual(keys[0]);
});

it('forgets a generation 24 hours after its last command, and never earlier', () => {
  const memory = filled(100_000, 0);
  memory.forget(T0 + DAY);
  expect(memory.size).toBe(100_000);
  memory.forget(T0 + DAY + 1);
  // The newest generation stays.
  expect(memory.get(keyOf(0))).toBeUndefined();
  expect(memory.get(keyOf(99_999))).toBe(299_997);
  expect(memory.size).toBeLessThan(2_000);
});

it('keeps at least the newest million, and hardly more', () => {
  const memory = filled(1_300_000, 0);
  expect(memory.size).toBeGreaterThanOrEqual(1_000_000);
  expect(memory.size).toBeLessThan(1_100_000);
  expect(memory.get(keyOf(1_299_999))).toBe(3_899_997);
  expect(memory.get(keyOf(300_000))).toBe(900_000);
  expect(memory.get(keyOf(0))).toBeUndefined();
  const bytes = memory.copy().reduce((sum, { table }) => sum + table.byteLength, 0);
  expect(bytes / memory.size).toBeLessThan(30);
});

it('does as a Map does, and undoes its last commands, whatever the order', () => {
  const steps = fc.array(
    fc.oneof(fc.record({ add: fc.nat(999) }), fc.record({ undo: fc.integer({ min: 1, max: 20 }) })),
    { size: 'large' },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const memory = new CommandMemory();
      const added: number[] = [];
      const revisions = new Map<number, number>();
      for (const step of all) {
        if ('undo' in step) {
          for (const number of added.splice(-step.undo).reverse()) {
            memory.delete(keyOf(number));
            revisions.delete(number);
          }
        } else if (!added.includes(step.add)) {
          revisions.set(step.add, revisions.size + 7);
          memory.set(keyOf(step.add), revisions.size + 6);
          added.push(step.add);
        }
      }
      expect(memory.size).toBe(added.length);
      const numbers = Array.from({ length: 1_000 }, (_, number) => number);
      expect(numbers.filter((number) => memory.get(keyOf(number)) !== revisions.get(number))).toEqual([]);
    }),
    { numRuns: caseCount(200) },
  );
});

it('is copied as of the call', () => {
  const memory = filled(98_310, 0);
  const copy = new CommandMemory(memory.copy());
  memory.set(keyOf(98_310), 1);
  expect([copy.size, memory.size]).toEqual([98_310, 98_311]);
  expect(copy.get(keyOf(98_310))).toBeUndefined();
  expect(copy.get(keyOf(98_309))).toBe(294_927);
});
