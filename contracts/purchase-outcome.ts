import { shortClockText } from './durations.js';

export interface PurchaseOutcome {
  /** The countdown's milliseconds left when the purchase arrived. */
  leftMs: number;
  /** The round's next purchase: its buyer, and how many milliseconds later it arrived; null when there is none. */
  overtaken: { gamerTag: string; afterMs: number } | null;
  /** Why its round was reset, in the admin's words; null unless it was. */
  resetReason: string | null;
}

/** "0.239 s left", or "4:05 left" far from zero. */
export const leftText = (leftMs: number): string =>
  `${leftMs < 60_000 ? `${(leftMs / 1_000).toFixed(3)} s` : shortClockText(Math.floor(leftMs / 1_000))} left`;

/** "0.239 s left, overtaken 1.1 s later by milo" */
export function outcomeText({ leftMs, overtaken, resetReason }: PurchaseOutcome): string {
  const reset = resetReason === null ? '' : `, and its round was reset: ${resetReason}`;
  if (overtaken === null) return `${leftText(leftMs)}${reset || ', and nobody bought after it'}`;
  const { afterMs, gamerTag } = overtaken;
  const after = afterMs < 1_000 ? `${Math.max(afterMs, 0)} ms` : `${(afterMs / 1_000).toFixed(1)} s`;
  return `${leftText(leftMs)}, overtaken ${after} later by ${gamerTag}${reset}`;
}
