import { useEffect, useState } from 'react';
import { JACKPOT_SHARE_CENTS } from '../../../../contracts/limits.js';
import { layFootlights } from './footlights.js';

/** A round as a short film from its opening: real rules, ten seconds of the round in each second of the film. */
export const FILM_SECONDS = 26;
const FILM_LIVE_AT = 4;
const SPEED = 10;
const FIRST_CLOCK_SECONDS = 60;
const FILM_TOKEN_SECONDS = 30;

const PURCHASES = [
  { second: 8, by: 'Ada', tokens: 1 },
  { second: 11, by: 'Ben', tokens: 2 },
  { second: 17, by: 'Cleo', tokens: 1 },
];
type FilmPurchase = (typeof PURCHASES)[number];

export function filmFrame(second: number) {
  const bought = PURCHASES.filter((purchase) => purchase.second <= second);
  const newest = bought.at(-1);
  const tokens = bought.reduce((sum, purchase) => sum + purchase.tokens, 0);
  const lastBuyer = newest?.by ?? null;
  const left = FIRST_CLOCK_SECONDS + tokens * FILM_TOKEN_SECONDS - (second - FILM_LIVE_AT) * SPEED;
  const wonCaption = `Zero. ${lastBuyer} bought last, and takes the whole jackpot.`;
  const caption = left > 0 ? liveCaption(second, newest) : wonCaption;
  const clockSeconds = Math.max(0, Math.ceil(left));
  return { bought, lastBuyer, jackpotCents: tokens * JACKPOT_SHARE_CENTS, clockSeconds, caption };
}

const CAPTION_SECONDS = 2.5;

function liveCaption(second: number, newest: FilmPurchase | undefined): string {
  if (newest === undefined) return 'Live: the clock runs. Nobody has bought yet.';
  if (second - newest.second > CAPTION_SECONDS) return `${newest.by} is the last buyer, and wins if nobody else buys.`;
  const lamps = newest.tokens === 1 ? 'a token: one lamp' : `${newest.tokens} tokens: ${newest.tokens} lamps`;
  return `${newest.by} buys ${lamps}, ${newest.tokens * FILM_TOKEN_SECONDS} more seconds.`;
}

export type DemoFrame = ReturnType<typeof demoFrame>;

const FRAME_MS = 100;

/** The guide's film on the footlights. `isAllowed` is false when a round needs the lamps. */
export function useDemo(isAllowed: boolean, rowWidthPx: number) {
  const [second, setSecond] = useState(FILM_SECONDS);
  const isPlaying = second < FILM_SECONDS;
  if (isPlaying && !isAllowed) setSecond(FILM_SECONDS);
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => setSecond((before) => before + FRAME_MS / 1000), FRAME_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
  return {
    frame: isPlaying ? demoFrame(second, rowWidthPx) : null,
    start: () => setSecond(FILM_LIVE_AT),
    stop: () => setSecond(FILM_SECONDS),
  };
}

function demoFrame(second: number, rowWidthPx: number) {
  const { bought, ...shown } = filmFrame(second);
  const purchases = bought.toReversed().map(({ second, by, tokens }) => ({
    purchaseId: `${second}`,
    buyerId: by,
    buyerGamerTag: by,
    addedSeconds: tokens * FILM_TOKEN_SECONDS,
  }));
  const input = { purchases, secondsLeft: shown.clockSeconds, secondsPerLamp: FILM_TOKEN_SECONDS, rowWidthPx };
  return { ...shown, footlights: layFootlights({ ...input, myId: '' }) };
}
