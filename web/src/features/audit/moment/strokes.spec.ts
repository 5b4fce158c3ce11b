import { placeOf, strokesOf } from './strokes.js';

describe('the strokes of the slider', () => {
  it('stand where the rounds ended', () => {
    expect(strokesOf([1, 51, 101], 101, 400)).toEqual([0, 0.5, 1]);
    expect(strokesOf([], 101, 400)).toEqual([]);
  });

  it('are thinned to so many, spread as the rounds are', () => {
    const everyTenth = Array.from({ length: 2_000 }, (_, i) => (i + 1) * 10);
    const strokes = strokesOf(everyTenth, 20_000, 400);
    expect(strokes).toHaveLength(400);
    expect(strokes.every((place, i) => i === 0 || place > (strokes[i - 1] as number))).toBe(true);
    expect(strokes.at(-1)).toBe(1);
  });

  it('stay apart when many rounds ended in a short stretch', () => {
    const crowded = [...Array.from({ length: 1_000 }, (_, i) => i + 1), 100_000];
    expect(strokesOf(crowded, 100_000, 400).length).toBeLessThan(10);
  });
});

it('puts the only event there is at the end', () => {
  expect(placeOf(1, 1)).toBe(1);
});
