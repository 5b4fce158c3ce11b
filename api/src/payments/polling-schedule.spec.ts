import { nextLookAtMs } from './polling-schedule.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

it.each([
  ['just opened', 0, 10_000],
  ['a minute old', MINUTE_MS, 10_000],
  ['four minutes old', 4 * MINUTE_MS, 30_000],
  ['an hour old', HOUR_MS, 7.5 * MINUTE_MS],
  ['a day old', 24 * HOUR_MS, 3 * HOUR_MS],
  ['ten days old', 240 * HOUR_MS, 6 * HOUR_MS],
  ['of a clock that is ahead', -MINUTE_MS, 10_000],
])('news %s are looked after in time', (_, ageMs, waitMs) => {
  const now = 1_800_000_000_000;
  expect(nextLookAtMs(now - ageMs, now) - now).toBe(waitMs);
});
