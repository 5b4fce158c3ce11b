import { agoText, shortDayText } from '../../shared/format/time-text.js';

const DAY_MS = 24 * 60 * 60_000;
const DAYS_NAMED = 7;

/** Just now, N minutes ago, N hours ago, Yesterday, N days ago; after a week the date. */
export function postedText(epochMs: number, nowEpochMs: number): string {
  const days = Math.floor((nowEpochMs - epochMs) / DAY_MS);
  if (days < 2) return agoText(epochMs, nowEpochMs);
  return days < DAYS_NAMED ? `${days} days ago` : shortDayText(epochMs);
}
