import { useCallback, useEffect, useReducer, useSyncExternalStore } from 'react';
import { createStore } from './store.js';

/** One measurement of the server's clock, in milliseconds. Local times are monotonic; server times are epoch. */
interface ClockSample {
  offsetMs: number;
  roundTripMs: number;
  takenAtMs: number;
}

/** One comes every five seconds. */
const SAMPLES_KEPT = 60;
/** A quartz clock drifts by up to 50 ms in this time. */
const SAMPLE_LIFE_MS = 10 * 60_000;

/** A sample from one request. It assumes that the server answered halfway, so it is wrong by at most half the round trip. */
export function sampleOf(sentAtMs: number, receivedAtMs: number, serverTimeEpochMs: number): ClockSample {
  const roundTripMs = receivedAtMs - sentAtMs;
  return { offsetMs: serverTimeEpochMs - (sentAtMs + roundTripMs / 2), roundTripMs, takenAtMs: receivedAtMs };
}

export function withSample(samples: readonly ClockSample[], sample: ClockSample): ClockSample[] {
  const young = samples.filter((s) => sample.takenAtMs - s.takenAtMs <= SAMPLE_LIFE_MS);
  return [...young, sample].slice(-SAMPLES_KEPT);
}

/** The offset of the sample with the shortest round trip, which has the smallest possible error. Null without samples. */
export function bestOffsetMs(samples: readonly ClockSample[]): number | null {
  let best: ClockSample | null = null;
  for (const sample of samples) if (best === null || sample.roundTripMs < best.roundTripMs) best = sample;
  return best?.offsetMs ?? null;
}

/** The median round trip of the samples. Null without samples. */
export const usualRoundTripMs = (samples: readonly ClockSample[]): number | null =>
  samples.map(({ roundTripMs }) => roundTripMs).sort((one, other) => one - other)[samples.length >> 1] ?? null;

let known: ClockSample[] = [];
/** Added to performance.now(), which does not jump when somebody sets the computer's clock. */
const offset = createStore(performance.timeOrigin);

/** The best estimate of the server's time, in epoch milliseconds. Before the first sample it is this computer's time. */
export const serverNow = (): number => performance.now() + offset.get();

/** How long a purchase may take from here to the server: the usual round trip, ms. Null while unknown. */
export const sendingMs = (): number | null => usualRoundTripMs(known);

export function addClockSample(sentAtMs: number, receivedAtMs: number, serverTimeEpochMs: number): void {
  known = withSample(known, sampleOf(sentAtMs, receivedAtMs, serverTimeEpochMs));
  const best = bestOffsetMs(known);
  if (best !== null && best !== offset.get()) offset.set(best);
}

/** Call after the computer slept: the monotonic clock may have stood still, so older samples are wrong. */
export function forgetClockSamples(): void {
  known = [];
}

const onClockChange = offset.subscribe;

/** Whole seconds that a countdown shows: rounded up, so that 00:00 appears only at the end. */
export function secondsLeft(remainingMs: number): number {
  return Math.max(0, Math.ceil(remainingMs / 1000));
}

/** Milliseconds until the shown digits change; null at the end of the countdown. */
export function msUntilNextDigit(remainingMs: number): number | null {
  if (remainingMs <= 0) return null;
  return remainingMs - (secondsLeft(remainingMs) - 1) * 1000;
}

/** Whole seconds until a time of the server's clock; null without one. */
export const secondsUntil = (endsAtEpochMs: number | null): number | null =>
  endsAtEpochMs === null ? null : secondsLeft(endsAtEpochMs - serverNow());

/**
 * Calls `onSecond` with the whole seconds until a time of the server's clock: now, and whenever they change. Each wake-up
 * reads the clock again, so a throttled background tab shows the right digits as soon as it becomes visible.
 *
 * @returns the function that stops it
 */
export function watchSeconds(endsAtEpochMs: number | null, onSecond: (seconds: number | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    clearTimeout(timer);
    onSecond(secondsUntil(endsAtEpochMs));
    const wait = endsAtEpochMs === null ? null : msUntilNextDigit(endsAtEpochMs - serverNow());
    if (wait !== null) timer = setTimeout(refresh, wait + 1);
  };
  const stopListening = onClockChange(refresh);
  document.addEventListener('visibilitychange', refresh);
  refresh();
  return () => {
    clearTimeout(timer);
    stopListening();
    document.removeEventListener('visibilitychange', refresh);
  };
}

/**
 * Whole seconds until a time of the server's clock; null without one. Renders whenever they change.
 *
 * @param atMost a greater number of seconds is returned as this one, and renders nothing
 */
export function useSecondsLeft(endsAtEpochMs: number | null, atMost = Number.POSITIVE_INFINITY): number | null {
  const subscribe = useCallback((onChange: () => void) => watchSeconds(endsAtEpochMs, onChange), [endsAtEpochMs]);
  return useSyncExternalStore(
    subscribe,
    () => {
      const seconds = secondsUntil(endsAtEpochMs);
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
    const stopListening = onClockChange(renderAgain);
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, [everyMs]);
  return serverNow();
}
