/** Seconds at which the time left is said. */
const SPOKEN_SECONDS = [60, 30, 10, 5] as const;
const BUYER_SPOKEN_EVERY_MS = 10_000;

/** What to say when the clock went from one second to another; jumps over a mark say it, time that was added says nothing. */
export function timeToSay(fromSeconds: number | null, toSeconds: number): string | null {
  if (fromSeconds === null || toSeconds >= fromSeconds) return null;
  const mark = SPOKEN_SECONDS.findLast((seconds) => toSeconds <= seconds && fromSeconds > seconds);
  return mark === undefined || toSeconds === 0 ? null : `${mark} seconds left`;
}

/** Whether a new last buyer may be said yet. */
export function mayNameBuyer(lastNamedAtMs: number | null, nowMs: number): boolean {
  return lastNamedAtMs === null || nowMs - lastNamedAtMs >= BUYER_SPOKEN_EVERY_MS;
}

export const buyerNamableAtMs = (lastNamedAtMs: number): number => lastNamedAtMs + BUYER_SPOKEN_EVERY_MS;
