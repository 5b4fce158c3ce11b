import { dayOf, depositsByDay } from './deposits-by-day.js';

/** Late on November 3 in New York, after the night in which the clocks went back. */
const now = Date.UTC(2025, 10, 4, 4, 30);
const credited = (amountCents: number, ...utc: [number, number, number, number]) => ({
  amountCents,
  approvedAt: Date.UTC(...utc),
});

describe('deposits by day', () => {
  it('are days in New York, empty ones too, today last', () => {
    const deposits = [credited(700, 2025, 10, 4, 4), credited(2_000, 2025, 10, 2, 3), credited(500, 2025, 10, 2, 12)];
    expect(depositsByDay(deposits, { isWhole: true, days: 4, nowEpochMs: now })).toEqual([
      { day: '2025-10-31', cents: 0, count: 0 },
      { day: '2025-11-01', cents: 2_000, count: 1 },
      { day: '2025-11-02', cents: 500, count: 1 },
      { day: '2025-11-03', cents: 700, count: 1 },
    ]);
  });

  it('add up, and leave out what is older', () => {
    const deposits = [credited(700, 2025, 10, 3, 12), credited(701, 2025, 10, 3, 13), credited(9, 2025, 9, 1, 12)];
    expect(depositsByDay(deposits, { isWhole: true, days: 2, nowEpochMs: now })).toEqual([
      { day: '2025-11-02', cents: 0, count: 0 },
      { day: '2025-11-03', cents: 1_401, count: 2 },
    ]);
  });

  it('tell nothing of days that the list may hold in part', () => {
    const deposits = [credited(700, 2025, 10, 3, 12), credited(100, 2025, 10, 2, 12)];
    expect(depositsByDay(deposits, { isWhole: false, days: 7, nowEpochMs: now })).toEqual([
      { day: '2025-11-03', cents: 700, count: 1 },
    ]);
  });

  it('begin at midnight in New York, in summer and in winter', () => {
    expect(dayOf(Date.UTC(2025, 6, 2, 3, 59))).toBe('2025-07-01');
    expect(dayOf(Date.UTC(2025, 6, 2, 4))).toBe('2025-07-02');
    expect(dayOf(Date.UTC(2025, 11, 2, 4, 59))).toBe('2025-12-01');
  });
});
