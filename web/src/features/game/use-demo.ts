import { useEffect } from 'react';
import { FILM_LIVE_AT, FILM_TOKEN_SECONDS, filmFrame, useFilm } from '../../shared/film.js';
import { type Footlights, layFootlights } from './footlights.js';

export interface DemoFrame {
  footlights: Footlights;
  clockSeconds: number;
  jackpotCents: number;
  lastBuyer: string | null;
  caption: string;
}

/** The guide's film on the footlights. `isAllowed` is false when a round needs the lamps. */
export function useDemo(isAllowed: boolean, rowWidthPx: number) {
  const { second, setSecond, isPlaying, setPlaying, isOver } = useFilm(FILM_LIVE_AT);
  useEffect(() => {
    if (!isAllowed) setPlaying(false);
  }, [isAllowed, setPlaying]);
  return {
    frame: isPlaying && isAllowed && !isOver ? demoFrame(second, rowWidthPx) : null,
    start: () => {
      setSecond(FILM_LIVE_AT);
      setPlaying(true);
    },
    stop: () => setPlaying(false),
  };
}

function demoFrame(second: number, rowWidthPx: number): DemoFrame {
  const { clockSeconds: secondsLeft, bought, ...shown } = filmFrame(second);
  const clockSeconds = secondsLeft ?? 0;
  const purchases = bought.toReversed().map(({ at, by, tokens }) => ({
    purchaseId: `${at}`,
    buyerId: by,
    buyerGamerTag: by,
    addedSeconds: tokens * FILM_TOKEN_SECONDS,
  }));
  const input = { purchases, secondsLeft: clockSeconds, secondsPerLamp: FILM_TOKEN_SECONDS, rowWidthPx };
  return { ...shown, clockSeconds, footlights: layFootlights({ ...input, myId: null }) };
}
