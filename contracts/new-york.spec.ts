import { countDays, dayAfter, dayInNewYork, daysUntil, isNewYorkDay, startOfNewYorkDay } from './new-york.js';
import { dayText, minuteText, newYorkTimeText } from './new-york-texts.js';

it('change at midnight in New York, in summer and in winter', () => {
  expect(dayInNewYork(Date.UTC(2025, 6, 2, 3, 59, 59, 999))).toBe('2025-07-01');
  expect(dayInNewYork(Date.UTC(2025, 6, 2, 4))).toBe('2025-07-02');
  expect(dayInNewYork(Date.UTC(2025, 11, 2, 4, 59, 59, 999))).toBe('2025-12-01');
  expect(dayInNewYork(Date.UTC(2025, 11, 2, 5))).toBe('2025-12-02');
});

it('follow one another without a gap, also when the clocks change', () => {
  expect(daysUntil('2025-11-03', 4)).toEqual(['2025-10-31', '2025-11-01', '2025-11-02', '2025-11-03']);
  expect(daysUntil('2025-03-10', 3)).toEqual(['2025-03-08', '2025-03-09', '2025-03-10']);
  expect(daysUntil('2024-03-01', 2)).toEqual(['2024-02-29', '2024-03-01']);
  expect(daysUntil('2025-01-01', 1)).toEqual(['2025-01-01']);
  expect(['2025-11-01', '2025-12-31', '2024-02-28'].map(dayAfter)).toEqual(['2025-11-02', '2026-01-01', '2024-02-29']);
});

it('start at midnight, also on the days when the clocks change', () => {
  for (const day of ['2025-03-09', '2025-07-02', '2025-11-02', '2025-12-02']) {
    expect(dayInNewYork(startOfNewYorkDay(day))).toBe(day);
    expect(dayInNewYork(startOfNewYorkDay(day) - 1)).not.toBe(day);
  }
});

it('are counted with both ends', () => {
  expect(countDays('2025-10-14', '2025-10-14')).toBe(1);
  expect(countDays('2025-10-14', '2025-11-14')).toBe(32);
  expect(countDays('2025-10-14', '2025-10-13')).toBe(0);
});

it('must exist in the calendar', () => {
  expect(isNewYorkDay('2024-02-29')).toBe(true);
  for (const text of ['2025-02-29', '2025-13-01', '2025-1-1', '20251014', '1999-01-01', '', '2025-10-14T00']) {
    expect(isNewYorkDay(text)).toBe(false);
  }
});

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
