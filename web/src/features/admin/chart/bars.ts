import type { NewYorkDay } from '../../../../../contracts/new-york.js';
import { shortDayText } from '../../../shared/format/time-text.js';

export interface Bar {
  x: number;
  width: number;
  /** Of the top, from above; the floor is `FLOOR`. */
  y: number;
}

export interface Scale {
  ticks: number[];
  bars: Bar[];
}

/** In the picture's own units. */
export const FLOOR = 200;
export const CEILING = 16;
const LEFT = 56;
/** The arch that every bar ends in needs this much height. */
const ARCH = 11;

/** Bars of `values` (cents), and ticks at round amounts of dollars from zero. */
export function scaleOf(values: readonly number[], width: number): Scale {
  const step = roundStep(Math.max(...values, 100) / 3);
  const top = Math.ceil(Math.max(...values, 100) / step) * step;
  const slot = (width - LEFT) / values.length;
  const bars = values.map((value, i) => ({
    x: LEFT + i * slot + slot * 0.1,
    width: slot * 0.8,
    y: FLOOR - (value / top) * (FLOOR - CEILING),
  }));
  return { ticks: Array.from({ length: top / step + 1 }, (_, i) => i * step), bars };
}

/** The next of 1, 2, 5, 10, 20, 50 … dollars, in cents. */
function roundStep(cents: number): number {
  const power = 100 * 10 ** Math.floor(Math.log10(Math.max(cents, 100) / 100));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= cents) ?? 10);
}

export const heightOf = (value: number, top: number): number => FLOOR - (value / top) * (FLOOR - CEILING);

/** A bar is a lamp: square-shouldered, with an arch on top. */
export function barPath({ x, width, y }: Bar): string {
  const shoulder = Math.min(FLOOR, y + ARCH);
  const rise = shoulder - y;
  return `M${x} ${FLOOR}V${shoulder}a${width / 2} ${rise} 0 0 1 ${width} 0V${FLOOR}z`;
}

/** Noon in New York, give or take an hour, is the same day everywhere there. */
export const shortDay = (day: NewYorkDay): string => shortDayText(Date.parse(`${day}T17:00:00Z`));

/** What fits below the bars: today's and every so many before it, the first one and the first of a month by name. */
export function dayLabels(days: readonly NewYorkDay[]): string[] {
  const every = Math.ceil(days.length / 15);
  let month = '';
  return days.map((day, i) => {
    if ((days.length - 1 - i) % every !== 0) return '';
    const isNamed = day.slice(0, 7) !== month;
    month = day.slice(0, 7);
    return isNamed ? shortDay(day) : day.slice(-2);
  });
}
