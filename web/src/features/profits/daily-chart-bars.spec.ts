import { daysUntil } from '../../../../contracts/new-york.js';
import { barPath, dayLabels, FLOOR, heightOf, scaleOf } from './daily-chart.js';

describe('the daily chart', () => {
  it('has ticks at round dollars, from zero to above the highest day', () => {
    expect(scaleOf([11_862, 4_224], 760).ticks).toEqual([0, 5_000, 10_000, 15_000]);
    expect(scaleOf([700], 760).ticks).toEqual([0, 500, 1_000]);
    expect(scaleOf([0, 0], 760).ticks).toEqual([0, 100]);
    expect(scaleOf([123_456_700], 760).ticks.at(-1)).toBe(150_000_000);
  });

  it('draws each bar in proportion to the scale, within the width', () => {
    const { bars, ticks } = scaleOf([0, 5_000, 10_000], 356);
    const top = ticks.at(-1) ?? 0;
    expect(bars.map(({ y }) => y)).toEqual([FLOOR, heightOf(5_000, top), heightOf(10_000, top)]);
    expect(bars[0]?.x).toBeGreaterThan(0);
    expect((bars[2]?.x ?? 0) + (bars[2]?.width ?? 0)).toBeLessThanOrEqual(356);
  });

  it('flattens the arch of a very low bar', () => {
    expect(barPath({ x: 0, width: 10, y: FLOOR })).toBe(`M0 96V96a5 0 0 0 1 10 0V96z`);
    expect(barPath({ x: 0, width: 10, y: 50 })).toBe(`M0 96V59a5 9 0 0 1 10 0V96z`);
  });

  it('names the month on its first label, and leaves labels out when they would not fit', () => {
    expect(dayLabels(daysUntil('2025-11-02', 4))).toEqual(['Oct 30', '31', 'Nov 01', '02']);
    const many = dayLabels(daysUntil('2025-11-02', 30));
    expect(many.slice(0, 4)).toEqual(['', 'Oct 05', '', '07']);
    expect(many.slice(-4)).toEqual(['', '31', '', 'Nov 02']);
  });
});
