import { dayText, minuteText, newYorkTimeText } from './new-york-texts.js';

it('writes a day with two digits, and the time with a plain space', () => {
  const at = Date.UTC(2026, 10, 3, 7, 58);
  expect(dayText(at)).toBe('Nov 03, 2026');
  expect(minuteText(at)).toBe('2:58 AM');
  expect(newYorkTimeText(at)).toBe('Nov 03, 2026, 2:58 AM in New York');
});

it('uses the day in New York, in summer and in winter', () => {
  expect(newYorkTimeText(Date.UTC(2026, 6, 1, 3, 59))).toBe('Jun 30, 2026, 11:59 PM in New York');
  expect(newYorkTimeText(Date.UTC(2026, 0, 1, 5))).toBe('Jan 01, 2026, 12:00 AM in New York');
});
