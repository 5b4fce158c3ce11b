import { Clock } from './clock.js';

const SECOND = 1_000;
const START_MS = Date.UTC(2026, 0, 1);

beforeEach(() => {
  jest.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Compares with a right clock that answers after `roundTripMs`. */
async function compare(clock: Clock, { roundTripMs = 2 } = {}): Promise<void> {
  const comparing = clock.compareWith(async () => {
    await new Promise((resolve) => setTimeout(resolve, roundTripMs / 2));
    const timeMs = Date.now();
    await new Promise((resolve) => setTimeout(resolve, roundTripMs / 2));
    return timeMs;
  });
  await jest.advanceTimersByTimeAsync(roundTripMs);
  await comparing;
}

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

it('ignores a comparison with a round trip above half a second, and subtracts half of a shorter one', async () => {
  const clock = new Clock(Date.now);
  await compare(clock, { roundTripMs: 502 });
  expect(clock.offsetMs).toBeNull();
  await compare(clock, { roundTripMs: 400 });
  expect(clock.offsetMs).toBe(0);
});
