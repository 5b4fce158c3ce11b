import { FILM_LIVE_AT, FILM_SECONDS, FILM_TOKEN_SECONDS, type FilmFrame, filmFrame } from '../../shared/film.js';
import { type Footlights, layFootlights } from './footlights.js';

const FRAME_MS = 100;

/** A moment of the demonstration: what the footlights show, and a sentence about it. */
export interface DemoFrame {
  footlights: Footlights;
  lastBuyer: string | null;
  caption: string;
}

/**
 * Plays the guide's film on the footlights, from the time that its round is live.
 *
 * @param rowWidth returns the width of the row of lamps now, in px
 * @param onFrame gets each frame, and null at the end
 * @returns the function that stops it
 */
export function playDemo(rowWidth: () => number, onFrame: (frame: DemoFrame | null) => void): () => void {
  let second = FILM_LIVE_AT;
  const show = () => onFrame(second > FILM_SECONDS ? null : demoFrame(filmFrame(second), rowWidth()));
  const timer = setInterval(() => {
    second += FRAME_MS / 1000;
    show();
  }, FRAME_MS);
  show();
  return () => clearInterval(timer);
}

function demoFrame({ clockSeconds, bought, lastBuyer, caption }: FilmFrame, rowWidthPx: number): DemoFrame {
  const purchases = bought
    .map(({ at, by, tokens }) => ({
      purchaseId: `${at}`,
      buyerId: by,
      buyerGamerTag: by,
      addedSeconds: tokens * FILM_TOKEN_SECONDS,
    }))
    .reverse();
  const input = { purchases, secondsLeft: clockSeconds ?? 0, secondsPerLamp: FILM_TOKEN_SECONDS, rowWidthPx };
  return { footlights: layFootlights({ ...input, myId: null }), lastBuyer, caption };
}
