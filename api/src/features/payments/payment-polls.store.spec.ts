import { HOUR_MS, MINUTE_MS } from '../../../../contracts/durations.js';
import { nextPollAtMs } from './payment-polls.store.js';

it.each([
  ['now', 0, 10_000],
  ['a minute ago', MINUTE_MS, 10_000],
  ['four minutes ago', 4 * MINUTE_MS, 30_000],
  ['an hour ago', HOUR_MS, 7.5 * MINUTE_MS],
  ['a day ago', 24 * HOUR_MS, 3 * HOUR_MS],
  ['ten days ago', 240 * HOUR_MS, 6 * HOUR_MS],
  ['a minute ahead of this clock', -MINUTE_MS, 10_000],
])('polls an invoice that changed %s after the right wait', (_, ageMs, waitMs) => {
  const now = 1_800_000_000_000;
  expect(nextPollAtMs(now - ageMs, now) - now).toBe(waitMs);
});
