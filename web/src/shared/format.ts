import { DAY_MS, HOUR_MS, MINUTE_MS, shortClockText, unitsOf } from '../../../contracts/durations.js';
import { formatCents, formatSignedCents, groupDigits as numberText } from '../../../contracts/money.js';
import { dayAndMinuteText as dateTimeText, dayText, inNewYork } from '../../../contracts/new-york-texts.js';
import { counted } from '../../../contracts/words.js';

/* Every text of an amount, a number, a day or a time on screen; those that the server writes too are from contracts. */
export { counted, dateTimeText, dayText, formatCents, inNewYork, numberText };

/** mm:ss, or hh:mm:ss when there are hours. */
export function clockText(totalSeconds: number): string {
  const text = shortClockText(totalSeconds);
  return /^\d:/.test(text) ? `0${text}` : text;
}

export const addedText = (totalSeconds: number): string => `+${shortClockText(totalSeconds)}`;

/** "3 minutes", "2 hours", "90 seconds": in the largest unit that gives a whole number. */
export function durationText(totalSeconds: number): string {
  const { hours, minutes, seconds } = unitsOf(totalSeconds);
  if (seconds !== 0 || totalSeconds === 0) return counted(totalSeconds, 'second');
  return minutes === 0 ? counted(hours, 'hour') : counted(totalSeconds / 60, 'minute');
}

/** "2 h 30 min", "1 d 45 s": in all of its units. */
export function unitsText(totalSeconds: number): string {
  const { days, hours, minutes, seconds } = unitsOf(totalSeconds);
  return `${part(days, 'd')}${part(hours % 24, 'h')}${part(minutes, 'min')}${part(seconds, 's')}`.trim();
}

const part = (count: number, unit: string): string => (count > 0 ? `${count} ${unit} ` : '');

/** "today at 8:00 PM, in 3 h 12 min": on the clocks of this device. */
export function startText(startsAtMs: number, nowMs: number): string {
  const day = new Date(startsAtMs).toDateString().slice(0, 10);
  const today = new Date(nowMs).toDateString().slice(0, 10);
  const time = new Date(startsAtMs).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
  const minutes = Math.ceil((startsAtMs - nowMs) / MINUTE_MS);
  return `${day === today ? 'today' : day} at ${time}${minutes > 0 ? `, in ${unitsText(minutes * 60)}` : ''}`;
}

/** The refusal of a typed number with a comma that may stand between thousands; null without a comma. */
export const commaProblem = (text: string): string | null =>
  text.includes(',') && centsFromInput(text) === null
    ? 'Please write numbers without a comma, such as 1000 or 12.50'
    : null;

/** Parses typed dollars (12, 12.5, 12,5, $1200.05, -3) into whole cents without floating point; null for anything else. */
export function centsFromInput(text: string): number | null {
  const match = /^([+-]?)\$?(\d+)?(?:[.,](\d{0,2}))?$/.exec(text.trim().replace('−', '-'));
  if (!match || (match[2] === undefined && !match[3])) return null;
  const dollars = Number(match[2] ?? '0');
  const cents = dollars * 100 + Number((match[3] ?? '').padEnd(2, '0'));
  if (!Number.isSafeInteger(cents)) return null;
  return match[1] === '-' && cents !== 0 ? -cents : cents;
}

/** 12345 → "123.45", -5 → "-0.05": bare dollars, for a field or a file. */
export function inputFromCents(cents: number): string {
  const whole = Math.abs(cents);
  return `${cents < 0 ? '-' : ''}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
}

/** Parses a whole number of at least 1, written in digits only; null for anything else. */
export function wholeFromInput(text: string): number | null {
  const trimmed = text.trim();
  if (!/^\d{1,15}$/.test(trimmed)) return null;
  const value = Number(trimmed);
  return value >= 1 ? value : null;
}

export const netText = (cents: number): string => (cents === 0 ? formatCents(0) : formatSignedCents(cents));

const shortDayText = inNewYork({ month: 'short', day: '2-digit' });

/** MMM DD in New York, with the year when it is not this one. */
export function recentDayText(epochMs: number, nowMs: number): string {
  const isThisYear = yearText(epochMs) === yearText(nowMs);
  return isThisYear ? shortDayText(epochMs) : dayText(epochMs);
}

const yearText = inNewYork({ year: 'numeric' });

/** Just now, N minutes ago, N hours ago, Yesterday, then the date. */
export function agoText(epochMs: number, nowMs: number): string {
  const age = nowMs - epochMs;
  if (age < MINUTE_MS) return 'Just now';
  if (age < HOUR_MS) return `${counted(Math.floor(age / MINUTE_MS), 'minute')} ago`;
  if (age < DAY_MS) return `${counted(Math.floor(age / HOUR_MS), 'hour')} ago`;
  return age < 2 * DAY_MS ? 'Yesterday' : recentDayText(epochMs, nowMs);
}

/** The browser's clock may be behind the server's: 30 days that began just now must not read 31. */
const CLOCK_TOLERANCE_MS = 1_000;

export function daysLeft(untilMs: number, nowMs: number): number {
  if (untilMs <= nowMs) return 0;
  return Math.max(1, Math.ceil((untilMs - nowMs - CLOCK_TOLERANCE_MS) / DAY_MS));
}

/** The whole numbers from `from` to `to`, both included. */
export const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
