/** Whole seconds a countdown shows: rounded up, so that 00:00 is shown only when it is over. */
export function secondsLeft(remainingMs: number): number {
  return Math.max(0, Math.ceil(remainingMs / 1000));
}

/** How long the shown digits stay true, in milliseconds; null when they will not change any more. */
export function msUntilNextDigit(remainingMs: number): number | null {
  if (remainingMs <= 0) return null;
  return remainingMs - (secondsLeft(remainingMs) - 1) * 1000;
}
