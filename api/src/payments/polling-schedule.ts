/**
 * When to look at an invoice again: after an eighth of the time that its last news is old, from every 10 seconds at
 * first to every 6 hours. A minute-old invoice is looked at within 10 seconds, an hour-old one within 8 minutes, a
 * day-old one within 3 hours. Money can come to an expired or a used address too, and nobody tells: after its last news
 * an invoice is watched for 14 days more.
 */
const SHORTEST_MS = 10_000;
const LONGEST_MS = 6 * 60 * 60_000;
const SHARE_OF_AGE = 8;
export const WATCHED_FOR_MS = 14 * 24 * 60 * 60_000;

/** @param changedAtMs when its stream last grew */
export function nextLookAtMs(changedAtMs: number, nowMs: number): number {
  const wait = (nowMs - changedAtMs) / SHARE_OF_AGE;
  return nowMs + Math.round(Math.min(Math.max(wait, SHORTEST_MS), LONGEST_MS));
}
