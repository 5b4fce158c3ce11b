import { useEffect, useRef } from 'react';
import type { GameState } from '../../../../contracts/http/game.js';
import { announce } from '../../shared/ui/announcer.js';
import { buyerNamableAtMs, mayNameBuyer, timeToSay } from './announcements.js';
import type { Mood } from './stage-view.js';

/** What a screen reader hears of a live round: 60, 30, 10 and 5 seconds, and a new last buyer every 10 s at most. */
export function useStageSpeech(board: GameState | null, mood: Mood, secondsLeft: number | null): void {
  const isLive = mood === 'live' || mood === 'last';
  const before = useRef<number | null>(null);
  useEffect(() => {
    const sentence = isLive && secondsLeft !== null ? timeToSay(before.current, secondsLeft) : null;
    before.current = isLive ? secondsLeft : null;
    if (sentence) announce(sentence);
  }, [isLive, secondsLeft]);

  const newest = isLive ? (board?.purchases[0] ?? null) : null;
  const named = useRef<{ purchaseId: string | null; atMs: number | null } | null>(null);
  useEffect(() => {
    // What stood on the board when the page opened is no news.
    if (named.current === null) {
      if (board !== null) named.current = { purchaseId: newest?.purchaseId ?? null, atMs: null };
      return;
    }
    const { purchaseId, atMs } = named.current;
    if (newest === null || newest.purchaseId === purchaseId) return;
    const say = () => {
      named.current = { purchaseId: newest.purchaseId, atMs: performance.now() };
      announce(`${newest.buyerGamerTag} is the last buyer`);
    };
    if (atMs === null || mayNameBuyer(atMs, performance.now())) return say();
    const timer = setTimeout(say, buyerNamableAtMs(atMs) - performance.now());
    return () => clearTimeout(timer);
  }, [board, newest]);
}
