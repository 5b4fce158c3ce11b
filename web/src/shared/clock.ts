import { useCallback, useEffect, useReducer, useSyncExternalStore } from 'react';
import { createStore } from './store.js';

/** One measurement of the server's clock, in milliseconds. Local times are monotonic; server times are epoch. */
type ClockSample = ReturnType<typeof sampleOf>;

/** In these last seconds the stage is dark and red, and nothing covers it for the last buyer. */
export const LAST_SECONDS = 10;

/** Five minutes of samples, one every five seconds. */
const SAMPLES_KEPT = 60;
/** Upper bound for the drift of a quartz clock during five minutes. */
const DRIFT_MS = 50;
/** A larger jump between the wall clock and the monotonic clock means that the computer slept. */
const SLEEP_MS = 500;

/** A sample from one request. It assumes that the server answered halfway, so it is wrong by at most half the round trip. */
export function sampleOf(sentAtMonotonicMs: number, receivedAtMonotonicMs: number, serverTimeEpochMs: number) {
  const roundTripMs = receivedAtMonotonicMs - sentAtMonotonicMs;
  return { offsetMs: serverTimeEpochMs - (sentAtMonotonicMs + roundTripMs / 2), roundTripMs };
}

/** Drops the samples that the new one contradicts: the server's clock was set, or another server answers. */
export function withSample(samples: readonly ClockSample[], sample: ClockSample): ClockSample[] {
  const agreeing = samples.filter(({ offsetMs, roundTripMs }) => {
    const errorMs = (roundTripMs + sample.roundTripMs) / 2 + DRIFT_MS;
    return Math.abs(offsetMs - sample.offsetMs) <= errorMs;
  });
  return [...agreeing, sample].slice(-SAMPLES_KEPT);
}

const quickestFirst = (samples: readonly ClockSample[]): ClockSample[] =>
  samples.toSorted((one, other) => one.roundTripMs - other.roundTripMs);

export const bestOffsetMs = (samples: readonly ClockSample[]): number | null =>
  quickestFirst(samples)[0]?.offsetMs ?? null;

export const usualRoundTripMs = (samples: readonly ClockSample[]): number | null =>
  quickestFirst(samples)[samples.length >> 1]?.roundTripMs ?? null;

let knownSamples: ClockSample[] = [];
let forgottenAtMonotonicMs = Number.NEGATIVE_INFINITY;
const wallAheadMs = (): number => Date.now() - performance.now();
let wallWasAheadMs = wallAheadMs();
/** False until the first sample, and again from a lost connection or a sleep to the next sample: the countdown may be wrong. */
export const isClockKnown = createStore(false);
/** Added to performance.now(), which does not jump when somebody sets the computer's clock. */
const offset = createStore(performance.timeOrigin);

/** The best estimate of the server's time, in epoch milliseconds. Before the first sample it is this computer's time. */
export const serverNow = (): number => performance.now() + offset.get();

export const knownRoundTripMs = (): number | null => usualRoundTripMs(knownSamples);

export function addClockSample(
  sentAtMonotonicMs: number,
  receivedAtMonotonicMs: number,
  serverTimeEpochMs: number,
): void {
  noticeSleep();
  if (sentAtMonotonicMs < forgottenAtMonotonicMs) return;
  knownSamples = withSample(knownSamples, sampleOf(sentAtMonotonicMs, receivedAtMonotonicMs, serverTimeEpochMs));
  const best = bestOffsetMs(knownSamples);
  if (best !== null && best !== offset.get()) offset.set(best);
  if (!isClockKnown.get()) isClockKnown.set(true);
}

/** Call when the connection is lost. Samples whose request is under way are dropped too. */
export function forgetClockSamples(): void {
  knownSamples = [];
  forgottenAtMonotonicMs = performance.now();
  isClockKnown.set(false);
}

/** The monotonic clock may stand still while the computer sleeps; its wall clock never does. */
function noticeSleep(): void {
  const aheadMs = wallAheadMs();
  const jumpedMs = Math.abs(aheadMs - wallWasAheadMs);
  wallWasAheadMs = aheadMs;
  if (jumpedMs > SLEEP_MS) forgetClockSamples();
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Whole seconds that a countdown shows: rounded up, so that 00:00 appears only at the end. */
export const secondsLeft = (remainingMs: number): number => Math.max(0, Math.ceil(remainingMs / 1000));

export function msUntilNextDigit(remainingMs: number): number | null {
  if (remainingMs <= 0) return null;
  return remainingMs - (secondsLeft(remainingMs) - 1) * 1000;
}

export const secondsUntil = (endsAtMs: number | null): number | null =>
  endsAtMs === null ? null : secondsLeft(endsAtMs - serverNow());

/** Calls `onSecond` now and whenever the seconds change. Returns the function that stops it. */
export function watchSeconds(endsAtMs: number | null, onSecond: (seconds: number | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    clearTimeout(timer);
    noticeSleep();
    onSecond(secondsUntil(endsAtMs));
    const wait = endsAtMs === null ? null : msUntilNextDigit(endsAtMs - serverNow());
    if (wait !== null) timer = setTimeout(refresh, wait + 1);
  };
  const stopListening = offset.subscribe(refresh);
  document.addEventListener('visibilitychange', refresh);
  refresh();
  return () => {
    clearTimeout(timer);
    stopListening();
    document.removeEventListener('visibilitychange', refresh);
  };
}

/** Renders whenever the seconds change. Above `atMost` it returns `atMost`, and renders nothing. */
export function useSecondsLeft(endsAtMs: number | null, atMost = Number.POSITIVE_INFINITY): number | null {
  const subscribe = useCallback((onChange: () => void) => watchSeconds(endsAtMs, onChange), [endsAtMs]);
  return useSyncExternalStore(
    subscribe,
    () => {
      const seconds = secondsUntil(endsAtMs);
      return seconds === null ? null : Math.min(seconds, atMost);
    },
    () => null,
  );
}

/** The server's time at this render, in epoch milliseconds. Renders again every `everyMs`, for labels such as "2 minutes ago". */
export function useServerNow(everyMs = 15_000): number {
  const [, renderAgain] = useReducer((renders: number) => renders + 1, 0);
  useEffect(() => {
    const timer = setInterval(renderAgain, everyMs);
    const stopListening = offset.subscribe(renderAgain);
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, [everyMs]);
  return serverNow();
}
