import { bestOffsetMs, msUntilNextDigit, sampleOf, secondsLeft, usualRoundTripMs, withSample } from './clock.js';

describe('the clock offset', () => {
  it('assumes that the server answered halfway', () => {
    expect(sampleOf(1_000, 1_200, 51_100)).toEqual({ offsetMs: 50_000, roundTripMs: 200 });
  });

  it('is taken from the shortest round trip', () => {
    const slow = sampleOf(0, 900, 50_850);
    const quick = sampleOf(1_000, 1_040, 51_020);
    const third = sampleOf(2_000, 2_400, 52_390);
    expect(bestOffsetMs([slow, quick, third])).toBe(50_000);
  });

  it('is unknown without samples', () => {
    expect(bestOffsetMs([])).toBeNull();
    expect(usualRoundTripMs([])).toBeNull();
  });

  it('comes with the usual round trip, which one slow sample does not change', () => {
    const samples = [sampleOf(0, 40, 0), sampleOf(0, 5_000, 0), sampleOf(0, 60, 0)];
    expect(usualRoundTripMs(samples)).toBe(60);
  });

  it('forgets the samples from before a sleep, and the oldest above the limit', () => {
    const beforeSleep = sampleOf(0, 10, 50_005);
    const slow = sampleOf(1_000, 1_200, 51_190);
    const afterSleep = sampleOf(2_000, 2_010, 112_005);
    expect(withSample([beforeSleep], slow)).toEqual([beforeSleep, slow]);
    expect(withSample([beforeSleep, slow], afterSleep)).toEqual([afterSleep]);
    let samples = [afterSleep];
    for (let i = 1; i <= 80; i += 1) samples = withSample(samples, { ...afterSleep, roundTripMs: i });
    expect(samples).toHaveLength(60);
    expect(samples.at(-1)?.roundTripMs).toBe(80);
  });
});

describe('the countdown', () => {
  it('rounds up and stops at zero', () => {
    expect([120_000, 119_999, 1, 0, -5_000].map(secondsLeft)).toEqual([120, 120, 1, 0, 0]);
  });

  it('has a time of its next change', () => {
    expect(msUntilNextDigit(119_250)).toBe(250);
    expect(msUntilNextDigit(120_000)).toBe(1_000);
    expect(msUntilNextDigit(1)).toBe(1);
    expect(msUntilNextDigit(0)).toBeNull();
  });
});
