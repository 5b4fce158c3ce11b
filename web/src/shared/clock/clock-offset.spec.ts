import { bestOffsetMs, sampleOf, withSample } from './clock-offset.js';

describe('the clock offset', () => {
  it('assumes the server answered halfway', () => {
    expect(sampleOf(1_000, 1_200, 51_100)).toEqual({ offsetMs: 50_000, roundTripMs: 200, takenAtMs: 1_200 });
  });

  it('believes the shortest round trip', () => {
    const slow = sampleOf(0, 900, 50_850);
    const quick = sampleOf(1_000, 1_040, 51_020);
    const late = sampleOf(2_000, 2_400, 52_390);
    expect(bestOffsetMs([slow, quick, late])).toBe(50_000);
  });

  it('knows nothing without samples', () => {
    expect(bestOffsetMs([])).toBeNull();
  });

  it('forgets samples too old to trust, and the oldest of too many', () => {
    const old = sampleOf(0, 10, 5);
    const fresh = sampleOf(11 * 60_000, 11 * 60_000 + 50, 0);
    expect(withSample([old], fresh)).toEqual([fresh]);
    let samples = [fresh];
    for (let i = 1; i <= 20; i += 1) samples = withSample(samples, { ...fresh, takenAtMs: fresh.takenAtMs + i });
    expect(samples).toHaveLength(12);
    expect(samples.at(-1)?.takenAtMs).toBe(fresh.takenAtMs + 20);
  });
});
