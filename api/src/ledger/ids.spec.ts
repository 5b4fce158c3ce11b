import { newId } from './ids.js';

it('new ids have 20 characters of [0-9a-z], each as likely as the others, and differ', () => {
  const ids = Array.from({ length: 2_000 }, newId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[0-9a-z]{20}$/.test(id))).toEqual([]);
  const counts = new Map<string, number>();
  for (const character of ids.join('')) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(36);
  // About 1,100 of each; the spread is below 40.
  expect(Math.min(...counts.values())).toBeGreaterThan(800);
});
