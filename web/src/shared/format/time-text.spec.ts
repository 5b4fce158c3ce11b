import { agoText, daysLeft, dayText, momentText, shortDayText } from './time-text.js';

const at = Date.UTC(2025, 10, 2, 2, 21);

describe('time texts', () => {
  it('speaks of New York days', () => {
    expect(dayText(at)).toBe('Nov 01, 2025');
    expect(shortDayText(at)).toBe('Nov 01');
    expect(momentText(at)).toBe('Nov 01, 10:21 PM');
  });

  it.each([
    [0, 'Just now'],
    [59_999, 'Just now'],
    [-400, 'Just now'],
    [60_000, '1 minute ago'],
    [59 * 60_000, '59 minutes ago'],
    [3_600_000, '1 hour ago'],
    [23 * 3_600_000, '23 hours ago'],
    [24 * 3_600_000, 'Yesterday'],
    [3 * 24 * 3_600_000, 'Nov 01'],
  ])('says how long ago %d ms were', (age, text) => {
    expect(agoText(at, at + age)).toBe(text);
  });

  it('rounds days left up', () => {
    expect(daysLeft(at + 1, at)).toBe(1);
    expect(daysLeft(at + 17.2 * 86_400_000, at)).toBe(18);
    expect(daysLeft(at + 30 * 86_400_000 + 40, at)).toBe(30);
    expect(daysLeft(at, at)).toBe(0);
  });
});
