import { bestOffsetMs, type ClockSample, sampleOf, withSample } from './clock-offset.js';

/** performance.now() never jumps when somebody sets the computer's clock; epoch time is reached through the offset. */
let samples: ClockSample[] = [];
let offsetMs = performance.timeOrigin;
const listeners = new Set<() => void>();

/** The server's time as well as it is known here, epoch milliseconds. Before the first sample: this computer's. */
export const serverNow = (): number => performance.now() + offsetMs;

export function addClockSample(sentAtMs: number, receivedAtMs: number, serverTimeEpochMs: number): void {
  samples = withSample(samples, sampleOf(sentAtMs, receivedAtMs, serverTimeEpochMs));
  const best = bestOffsetMs(samples);
  if (best === null || best === offsetMs) return;
  offsetMs = best;
  for (const listener of listeners) listener();
}

/** After a sleep the monotonic clock may have stood still: nothing known before counts. */
export function forgetClockSamples(): void {
  samples = [];
}

export function onClockChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
