import fc from 'fast-check';
import type { Model } from './model.js';

/** A number that picks one of those there are; now and then the house, or nobody who is enrolled. */
export const someone = fc.noBias(fc.nat(10_000));
export function idOf(model: Model, pick: number): string {
  if (pick % 25 === 24) return 'nobody';
  const [house, ...others] = [...model.gamers.keys()];
  return (pick % 25 === 23 ? house : others[Math.floor(pick / 25) % others.length]) ?? 'house';
}
/** As a rule of the newest: deep in the matrix, with many uplines. */
export const newestOf = (model: Model, pick: number): string =>
  [...model.gamers.keys()].at(-1 - (pick % Math.min(4, model.gamers.size))) ?? 'nobody';

/** As a rule one who has some; else one of the newest, or anybody. */
export const withFunds = (model: Model, pick: number): string => {
  const able = [...model.gamers].filter(([, { purchase }]) => purchase >= 30);
  if (pick % 4 === 0 || able.length === 0) return pick % 8 ? newestOf(model, pick >> 3) : idOf(model, pick >> 3);
  return able[(pick >> 2) % able.length]?.[0] ?? 'nobody';
};

export const quantity = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 20 }) },
  { weight: 4, arbitrary: fc.constantFrom(100, 500, 1_000, 5_000) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 1.5, 10_000, 10_001, 2 ** 52) },
);
