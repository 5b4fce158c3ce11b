/** One answer to "what time is it?". All in milliseconds; local times are monotonic, server times epoch. */
export interface ClockSample {
  offsetMs: number;
  roundTripMs: number;
  takenAtMs: number;
}

const SAMPLES_KEPT = 12;
/** A crystal drifts by up to 50 ms in this time. */
const SAMPLE_LIFE_MS = 10 * 60_000;

/** Assumes the answer was made halfway: wrong by half the round trip at most. */
export function sampleOf(sentAtMs: number, receivedAtMs: number, serverTimeEpochMs: number): ClockSample {
  const roundTripMs = receivedAtMs - sentAtMs;
  return { offsetMs: serverTimeEpochMs - (sentAtMs + roundTripMs / 2), roundTripMs, takenAtMs: receivedAtMs };
}

export function withSample(samples: readonly ClockSample[], sample: ClockSample): ClockSample[] {
  const young = samples.filter((s) => sample.takenAtMs - s.takenAtMs <= SAMPLE_LIFE_MS);
  return [...young, sample].slice(-SAMPLES_KEPT);
}

/** The offset of the sample with the shortest round trip: the one that can be least wrong. Null without samples. */
export function bestOffsetMs(samples: readonly ClockSample[]): number | null {
  let best: ClockSample | null = null;
  for (const sample of samples) if (best === null || sample.roundTripMs < best.roundTripMs) best = sample;
  return best?.offsetMs ?? null;
}
