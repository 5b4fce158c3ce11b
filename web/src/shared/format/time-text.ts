const NEW_YORK = 'America/New_York';
const day = new Intl.DateTimeFormat('en-US', { timeZone: NEW_YORK, month: 'short', day: '2-digit', year: 'numeric' });
const shortDay = new Intl.DateTimeFormat('en-US', { timeZone: NEW_YORK, month: 'short', day: '2-digit' });
const minute = new Intl.DateTimeFormat('en-US', { timeZone: NEW_YORK, hour: 'numeric', minute: '2-digit' });

/** MMM DD, YYYY in New York. */
export const dayText = (epochMs: number): string => day.format(epochMs);
/** MMM DD in New York. */
export const shortDayText = (epochMs: number): string => shortDay.format(epochMs);
/** MMM DD, h:mm AM in New York. */
export const momentText = (epochMs: number): string =>
  `${shortDay.format(epochMs)}, ${minute.format(epochMs).replace('\u202f', ' ')}`;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Just now, N minutes ago, N hours ago, Yesterday, then the date. */
export function agoText(epochMs: number, nowEpochMs: number): string {
  const age = nowEpochMs - epochMs;
  if (age < MINUTE_MS) return 'Just now';
  if (age < HOUR_MS) return ago(Math.floor(age / MINUTE_MS), 'minute');
  if (age < DAY_MS) return ago(Math.floor(age / HOUR_MS), 'hour');
  return age < 2 * DAY_MS ? 'Yesterday' : shortDayText(epochMs);
}

const ago = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'} ago`;

/** Two clocks never agree to the millisecond: a term of 30 days that began just now must not read 31. */
const CLOCKS_AGREE_WITHIN_MS = 1_000;

/** Whole days until a moment, rounded up; 0 when it has passed. */
export function daysLeft(untilEpochMs: number, nowEpochMs: number): number {
  if (untilEpochMs <= nowEpochMs) return 0;
  return Math.max(1, Math.ceil((untilEpochMs - nowEpochMs - CLOCKS_AGREE_WITHIN_MS) / DAY_MS));
}
