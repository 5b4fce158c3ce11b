import { useEffect, useRef } from 'react';
import { watchSeconds } from '../../shared/clock.js';
import { usePageEvent } from '../../shared/live/live-events.js';
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

export const buyerPauseMs = (lastAtMs: number | null, nowMs: number): number =>
  lastAtMs === null ? 0 : Math.max(0, lastAtMs + BUYER_EVERY_MS - nowMs);

/** Announces a live round to screen readers: 60, 30, 10 and 5 seconds, and a new last buyer at most every 10 s. */
export function useStageSpeech(endsAtEpochMs: number | null, mood: Mood): void {
  const isLive = isLit(mood);
  const previousSeconds = useRef<number | null>(null);
  const announcedAtMonotonicMs = useRef<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (!isLive) {
      previousSeconds.current = null;
      clearTimeout(timer.current);
      return;
    }
    return watchSeconds(endsAtEpochMs, (seconds) => {
      const sentence = seconds === null ? null : timeSentence(previousSeconds.current, seconds);
      previousSeconds.current = seconds;
      if (sentence) announce(sentence);
    });
  }, [isLive, endsAtEpochMs]);

  useEffect(() => () => clearTimeout(timer.current), []);
  usePageEvent('purchase:added', ({ buyerGamerTag }) => {
    clearTimeout(timer.current);
    const announceBuyer = () => {
      announcedAtMonotonicMs.current = performance.now();
      announce(`${buyerGamerTag} is the last buyer`);
    };
    timer.current = setTimeout(announceBuyer, buyerPauseMs(announcedAtMonotonicMs.current, performance.now()));
  });
}
