import { useEffect, useRef } from 'react';
import type { GameState } from '../../../../contracts/http/game.js';
import { watchSeconds } from '../../shared/clock.js';
import { announce } from '../../shared/ui/toasts.js';
import { isLit, type Mood } from './stage-view.js';

const MARK_SECONDS = [60, 30, 10, 5] as const;
const BUYER_EVERY_MS = 10_000;

/** The sentence for a step of the clock, even when it jumps over a mark; null between marks and for added time. */
export function timeSentence(fromSeconds: number | null, toSeconds: number): string | null {
  if (fromSeconds === null || toSeconds >= fromSeconds) return null;
  const mark = MARK_SECONDS.findLast((seconds) => toSeconds <= seconds && fromSeconds > seconds);
  return mark === undefined || toSeconds === 0 ? null : `${mark} seconds left`;
}

/** Milliseconds until another last buyer may be announced. */
export const buyerPauseMs = (lastAtMs: number | null, nowMs: number): number =>
  lastAtMs === null ? 0 : Math.max(0, lastAtMs + BUYER_EVERY_MS - nowMs);

/** Announces a live round to screen readers: 60, 30, 10 and 5 seconds, and a new last buyer at most every 10 s. */
export function useStageSpeech(board: GameState | null, mood: Mood): void {
  const isLive = isLit(mood);
  const endsAtEpochMs = board?.endsAtEpochMs ?? null;
  const previousSeconds = useRef<number | null>(null);
  useEffect(() => {
    if (!isLive) {
      previousSeconds.current = null;
      return;
    }
    return watchSeconds(endsAtEpochMs, (seconds) => {
      const sentence = seconds === null ? null : timeSentence(previousSeconds.current, seconds);
      previousSeconds.current = seconds;
      if (sentence) announce(sentence);
    });
  }, [isLive, endsAtEpochMs]);

  const newest = isLive ? (board?.purchases[0] ?? null) : null;
  const announced = useRef<{ purchaseId: string | null; atMs: number | null } | null>(null);
  useEffect(() => {
    // The buyer who was last when the page opened is not announced.
    if (announced.current === null) {
      if (board !== null) announced.current = { purchaseId: newest?.purchaseId ?? null, atMs: null };
      return;
    }
    const { purchaseId, atMs } = announced.current;
    if (newest === null || newest.purchaseId === purchaseId) return;
    const announceBuyer = () => {
      announced.current = { purchaseId: newest.purchaseId, atMs: performance.now() };
      announce(`${newest.buyerGamerTag} is the last buyer`);
    };
    const timer = setTimeout(announceBuyer, buyerPauseMs(atMs, performance.now()));
    return () => clearTimeout(timer);
  }, [board, newest]);
}
