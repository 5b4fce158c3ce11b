import type { NewYorkDay } from '../../../../contracts/new-york.js';
import { shortDayText } from '../../shared/format.js';

interface Bar {
  x: number;
  width: number;
  /** The bar's top edge, measured downwards; its bottom edge is `FLOOR`. */
  y: number;
}

/** Lengths in units of the SVG's viewBox. */
export const FLOOR = 96;
const CEILING = 10;
const LEFT = 56;
const ARCH_HEIGHT = 9;
/** At most this many labels below the bars. */
const MAX_LABELS = 15;

/** One bar for each of `values` (cents), and ticks at round dollar amounts from zero up. */
export function scaleOf(values: readonly number[], width: number): { ticks: number[]; bars: Bar[] } {
  const highest = Math.max(...values, 100);
  const step = roundStep(highest / 3);
  const top = Math.ceil(highest / step) * step;
  const slot = (width - LEFT) / values.length;
  const bars = values.map((value, i) => ({
    x: LEFT + i * slot + slot * 0.1,
    width: slot * 0.8,
    y: heightOf(value, top),
  }));
  return { ticks: Array.from({ length: top / step + 1 }, (_, i) => i * step), bars };
}

/** The next of 1, 2, 5, 10, 20, 50 … dollars, in cents. */
function roundStep(cents: number): number {
  const power = 100 * 10 ** Math.floor(Math.log10(Math.max(cents, 100) / 100));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= cents) ?? 10);
}

/** The y of a value on a scale that ends at `top`. */
export const heightOf = (value: number, top: number): number => FLOOR - (value / top) * (FLOOR - CEILING);

/** The SVG path of a bar in the shape of a lamp: straight sides with an arch on top. */
export function barPath({ x, width, y }: Bar): string {
  const shoulder = Math.min(FLOOR, y + ARCH_HEIGHT);
  return `M${x} ${FLOOR}V${shoulder}a${width / 2} ${shoulder - y} 0 0 1 ${width} 0V${FLOOR}z`;
}

/** 17:00 UTC is noon or 1 PM in New York, so it is the same day there all year. */
export const shortDay = (day: NewYorkDay): string => shortDayText(Date.parse(`${day}T17:00:00Z`));

/** A label for each day, empty where it would not fit. The first label, and the first of each month, name the month. */
export function dayLabels(days: readonly NewYorkDay[]): string[] {
  const every = Math.ceil(days.length / MAX_LABELS);
  let month = '';
  return days.map((day, i) => {
    if ((days.length - 1 - i) % every !== 0) return '';
    const isNewMonth = day.slice(0, 7) !== month;
    month = day.slice(0, 7);
    return isNewMonth ? shortDay(day) : day.slice(-2);
  });
}
