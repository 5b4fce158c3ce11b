export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 60 * MINUTE_SECONDS;
export const DAY_SECONDS = 24 * HOUR_SECONDS;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A duration in its units. All texts of durations are made from these. */
export const unitsOf = (totalSeconds: number) => ({
  days: Math.floor(totalSeconds / DAY_SECONDS),
  hours: Math.floor(totalSeconds / HOUR_SECONDS),
  minutes: Math.floor(totalSeconds / 60) % 60,
  seconds: totalSeconds % 60,
});

/** 2:00, 83:20:00: a clock without a leading zero. */
export function shortClockText(totalSeconds: number): string {
  const { hours, minutes, seconds } = unitsOf(totalSeconds);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

const two = (n: number): string => String(n).padStart(2, '0');
