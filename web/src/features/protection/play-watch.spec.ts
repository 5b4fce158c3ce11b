import { MINUTE_MS } from '../../../../contracts/durations.js';
import { isCheckShown, playedText } from './play-watch.js';

it.each([
  [0, '0 minutes'],
  [1, '1 minute'],
  [59, '59 minutes'],
  [60, '1 hour'],
  [125, '2 hours 5 minutes'],
  [24 * 60, '1 day'],
  [(3 * 24 + 4) * 60 + 59, '3 days 4 hours'],
])('says how long a login of %d minutes lasts', (minutes, text) => {
  expect(playedText(1_000_000, 1_000_000 + minutes * MINUTE_MS + 59_000)).toBe(text);
});

it('counts no time before the login, when the browser’s clock is behind', () => {
  expect(playedText(1_000_000, 0)).toBe('0 minutes');
});

it.each([
  [false, null, false],
  [true, null, true],
  [true, 11, true],
  [true, 10, false],
  [true, 0, false],
])('shows a check that is due (%s) with %s seconds left of a round that the gamer leads: %s', (isDue, left, shown) => {
  expect(isCheckShown(isDue, left)).toBe(shown);
});
