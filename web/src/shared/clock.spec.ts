import {
  addClockSample,
  bestOffsetMs,
  forgetClockSamples,
  isClockKnown,
  msUntilNextDigit,
  sampleOf,
  secondsLeft,
  serverNow,
  usualRoundTripMs,
  withSample,
} from './clock.js';

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

  it('comes with the usual round trip, which one slow sample does not change; both are unknown without samples', () => {
    expect([bestOffsetMs([]), usualRoundTripMs([])]).toEqual([null, null]);
    const samples = [sampleOf(0, 40, 0), sampleOf(0, 5_000, 0), sampleOf(0, 60, 0)];
    expect(usualRoundTripMs(samples)).toBe(60);
  });

  it('forgets the samples that a new one contradicts, and the oldest above the limit', () => {
    const older = sampleOf(0, 10, 50_005);
    const slow = sampleOf(1_000, 1_200, 51_190);
    const newer = sampleOf(2_000, 2_010, 112_005);
    expect(withSample([older], slow)).toEqual([older, slow]);
    expect(withSample([older, slow], newer)).toEqual([newer]);
    let samples = [newer];
    for (let i = 1; i <= 80; i += 1) samples = withSample(samples, { ...newer, roundTripMs: i });
    expect(samples).toHaveLength(60);
    expect(samples.at(-1)?.roundTripMs).toBe(80);
  });
});

describe('the clock that the page shows', () => {
  const monotonic = { stoodStillMs: 0 };
  const realNow = performance.now.bind(performance);
  beforeAll(() => jest.spyOn(performance, 'now').mockImplementation(() => realNow() - monotonic.stoodStillMs));
  afterAll(() => jest.restoreAllMocks());

  it('is unknown after a lost connection until a request that began later is answered', () => {
    const sentAtMs = performance.now();
    addClockSample(sentAtMs, sentAtMs, 50_000);
    expect(isClockKnown.get()).toBe(true);
    forgetClockSamples();
    expect(isClockKnown.get()).toBe(false);
    addClockSample(sentAtMs - 1, performance.now(), 50_000);
    expect(isClockKnown.get()).toBe(false);
    addClockSample(performance.now(), performance.now(), 90_000);
    expect(isClockKnown.get()).toBe(true);
    expect(Math.round(serverNow() / 1000)).toBe(90);
  });

  it('is unknown after a sleep, also when an older request is answered first', () => {
    const beforeSleepMs = performance.now();
    addClockSample(beforeSleepMs, beforeSleepMs, 100_000);
    monotonic.stoodStillMs = 71_000;
    addClockSample(beforeSleepMs - 71_001, performance.now(), 100_000);
    expect(isClockKnown.get()).toBe(false);
  });
});

it('the countdown rounds up, stops at zero, and knows the time until its next change', () => {
  expect([120_000, 119_999, 1, 0, -5_000].map(secondsLeft)).toEqual([120, 120, 1, 0, 0]);
  expect([119_250, 120_000, 1, 0].map(msUntilNextDigit)).toEqual([250, 1_000, 1, null]);
});
