import { DAY_MS, HOUR_MS } from './durations.js';

/** Tables, queries and pages use days in New York (specification §9, formats). */
let newYorkDay: Intl.DateTimeFormat | undefined;

/** A calendar day in New York, as 2025-10-14. */
export type NewYorkDay = string;
/** The last requested hour: formatting costs a microsecond, and each purchase needs its day. */
let known = { hour: Number.NaN, day: '' };

/** The day at a time. Its format is made at the first use, because that takes a phone tens of milliseconds. */
export function dayInNewYork(epochMs: number): NewYorkDay {
  newYorkDay ??= new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
  // New York is whole hours from UTC, so an hour of UTC lies in one day.
  const hour = Math.floor(epochMs / HOUR_MS);
  if (hour !== known.hour) known = { hour, day: newYorkDay.format(epochMs) };
  return known.day;
}

/** Noon UTC is on the same day in New York, with and without daylight saving time. */
const atNoon = (day: NewYorkDay): number => Date.parse(`${day}T12:00:00Z`);

const addDays = (day: NewYorkDay, days: number): NewYorkDay =>
  new Date(atNoon(day) + days * DAY_MS).toISOString().slice(0, 10);

/** `count` days, `today` last. */
export const daysUntil = (today: NewYorkDay, count: number): NewYorkDay[] =>
  Array.from({ length: count }, (_, index) => addDays(today, index + 1 - count));

/** True for a day of this century, written as 2025-10-14. */
export const isNewYorkDay = (text: string): boolean =>
  /^20\d\d-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(atNoon(text)) &&
  new Date(atNoon(text)).toISOString().startsWith(text);

/** Days from one day to the other, both included; zero or less when `to` is before `from`. */
export const countDays = (from: NewYorkDay, to: NewYorkDay): number => (atNoon(to) - atNoon(from)) / DAY_MS + 1;

export const dayAfter = (day: NewYorkDay): NewYorkDay => addDays(day, 1);

/** Start of the day, epoch ms. Midnight in New York is 04:00 or 05:00 UTC; the clocks change at two, so it exists once. */
export function startOfNewYorkDay(day: NewYorkDay): number {
  const early = Date.parse(`${day}T04:00:00Z`);
  return dayInNewYork(early) === day ? early : early + HOUR_MS;
}

const mondayOf = (day: NewYorkDay): NewYorkDay => addDays(day, -((new Date(atNoon(day)).getUTCDay() + 6) % 7));

/** The first days of the day's own day, week (Monday) and month. */
export const periodsOf = (day: NewYorkDay): Record<'day' | 'week' | 'month', NewYorkDay> => ({
  day,
  week: mondayOf(day),
  month: `${day.slice(0, 8)}01`,
});

/** The end of the day's own day, week or month, epoch ms. */
export function endOfPeriod(day: NewYorkDay, period: 'day' | 'week' | 'month'): number {
  const first = periodsOf(day)[period];
  if (period === 'day') return startOfNewYorkDay(addDays(day, 1));
  if (period === 'week') return startOfNewYorkDay(addDays(first, 7));
  return startOfNewYorkDay(`${addDays(first, 31).slice(0, 8)}01`);
}
