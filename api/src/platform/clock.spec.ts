import { Clock } from './clock.js';

const SECOND = 1_000;
const START_MS = Date.UTC(2026, 0, 1);

beforeEach(() => {
  jest.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Compares with a clock that is `aheadMs` ahead of the true time and answers after `roundTripMs`. */
async function compare(clock: Clock, { roundTripMs = 2, aheadMs = 0, trueMs = () => Date.now() } = {}): Promise<void> {
  const comparing = clock.compareWith(async () => {
    await new Promise((resolve) => setTimeout(resolve, roundTripMs / 2));
    const answer = trueMs() + aheadMs;
    await new Promise((resolve) => setTimeout(resolve, roundTripMs / 2));
    return answer;
  });
  await jest.advanceTimersByTimeAsync(roundTripMs);
  await comparing;
}

describe('the clock of a node', () => {
  it('has a fault until it was compared with Postgres’ clock', async () => {
    const clock = new Clock(Date.now);
    expect(clock.fault).toBe('the clock could not be compared with Postgres’ clock');
    await compare(clock);
    expect(clock.fault).toBeNull();
    expect(clock.offsetMs).toBe(0);
  });

  it.each([
    [60 * SECOND, 'the clock is 60000 ms ahead of Postgres’ clock'],
    [-251, 'the clock is 251 ms behind Postgres’ clock'],
    [250, null],
    [-250, null],
  ])('that is %i ms ahead: %s', async (aheadMs, fault) => {
    const clock = new Clock(() => Date.now() + aheadMs);
    await compare(clock);
    expect(clock.offsetMs).toBe(aheadMs);
    expect(clock.fault).toBe(fault);
  });

  it('has a fault when the last comparison is older than five seconds', async () => {
    const clock = new Clock(Date.now);
    await compare(clock);
    jest.advanceTimersByTime(5 * SECOND);
    expect(clock.fault).toBeNull();
    jest.advanceTimersByTime(1);
    expect(clock.fault).toBe('the clock could not be compared with Postgres’ clock');
  });

  it('ignores a comparison with a round trip above half a second, and takes half of a shorter one off', async () => {
    const clock = new Clock(Date.now);
    await compare(clock, { roundTripMs: 502 });
    expect(clock.offsetMs).toBeNull();
    await compare(clock, { roundTripMs: 400 });
    expect(clock.offsetMs).toBe(0);
  });

  it('does not follow a step of the wall clock', async () => {
    let stepMs = 0;
    const clock = new Clock(() => Date.now() + stepMs);
    await compare(clock);
    stepMs = 3_600 * SECOND;
    expect(clock.now()).toBe(Date.now());
    await compare(clock);
    expect(clock.fault).toBeNull();
  });

  it('takes the wall clock’s time after the monotonic clock stood still', async () => {
    // A suspended machine: the true time and the wall clock go on, the monotonic clock does not.
    let suspendedMs = 0;
    const trueMs = () => Date.now() + suspendedMs;
    const clock = new Clock(trueMs);
    await compare(clock, { trueMs });
    suspendedMs = 90 * SECOND;
    expect(clock.now()).toBe(Date.now());
    await compare(clock, { trueMs });
    expect(clock.fault).toBeNull();
    expect(clock.now()).toBe(trueMs());
  });
});
