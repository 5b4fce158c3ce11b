import type { LimitPeriod } from '../../contracts/limits.js';

export const DAY_MS = 86_400_000;

/** A text that is the same for two times in the same day, week or month in New York. */
export function periodOf(period: LimitPeriod, at: number): string {
  const text = new Date(at).toLocaleDateString('en-US', { timeZone: 'America/New_York' });
  const [month, day, year] = text.split('/').map(Number) as [number, number, number];
  if (period === 'month') return `${month} ${year}`;
  // January 5, 1970 was a Monday.
  return period === 'day' ? text : `${Math.floor((Date.UTC(year, month - 1, day) - 4 * DAY_MS) / (7 * DAY_MS))}`;
}
