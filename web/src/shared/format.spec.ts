import { words } from '../../../contracts/words.js';
import {
  addedText,
  agoText,
  centsFromInput,
  clockText,
  counted,
  dateTimeText,
  daysLeft,
  durationText,
  inputFromCents,
  netText,
  recentDayText,
  wholeFromInput,
} from './format.js';

describe('clock texts', () => {
  it('show hours only from one hour on', () => {
    expect([0, 7, 167, 3_599, 3_600, 14_292, 90_000, 1_282_752].map(clockText)).toEqual(
      words('00:00 00:07 02:47 59:59 01:00:00 03:58:12 25:00:00 356:19:12'),
    );
  });

  it('write the time that a purchase added', () => {
    expect([30, 60, 300, 5_000, 300_000].map(addedText)).toEqual(['+0:30', '+1:00', '+5:00', '+1:23:20', '+83:20:00']);
  });

  it('write durations in whole units', () => {
    const texts = ['2 minutes', '4 hours', '90 seconds', '1 second', '1 minute'];
    expect([120, 14_400, 90, 1, 60].map(durationText)).toEqual(texts);
  });

  it('write a number with its unit', () => {
    expect(counted(1, 'token')).toBe('1 token');
    expect(counted(12_408, 'gamer')).toBe('12,408 gamers');
  });
});

describe('typed amounts', () => {
  it.each([
    ['12', 1_200],
    ['12.5', 1_250],
    [' 12.34 ', 1_234],
    ['$1200.05', 120_005],
    ['.5', 50],
    ['0.29', 29],
    ['0,5', 50],
    ['10,00', 1_000],
    ['-3', -300],
    ['−3.01', -301],
    ['+3', 300],
    ['-0', 0],
  ])('reads %s', (text, cents) => {
    expect(centsFromInput(text)).toBe(cents);
  });

  it('refuses all others', () => {
    const others = ['', '.', '-', 'abc', '1.234', '1e5', '1,000', '1,000.5', '1,5,0', '1 000', '99999999999999999'];
    expect(others.map(centsFromInput)).toEqual(others.map(() => null));
  });

  it('are written into a field, and signed as a net amount, except nothing', () => {
    expect([17_652, 5, 100].map(inputFromCents)).toEqual(['176.52', '0.05', '1.00']);
    expect([500, -120, 0].map(netText)).toEqual(['+$5.00', '−$1.20', '$0.00']);
  });

  it('reads whole numbers of at least 1', () => {
    expect(['1', ' 30 ', '14400'].map(wholeFromInput)).toEqual([1, 30, 14_400]);
    expect(['0', '-1', '1.5', '', 'x', '1e3', '9999999999999999'].map(wholeFromInput)).toEqual(Array(7).fill(null));
  });
});

const atMs = Date.UTC(2025, 10, 2, 2, 21);

describe('time texts', () => {
  it('use New York days, and name the year of a recent day when it is not this one', () => {
    expect(dateTimeText(atMs)).toBe('Nov 01, 2025, 10:21 PM');
    const newYear = Date.UTC(2026, 0, 1, 5);
    expect(recentDayText(atMs, newYear - 1)).toBe('Nov 01');
    expect(recentDayText(atMs, newYear)).toBe('Nov 01, 2025');
    expect(agoText(atMs, newYear)).toBe('Nov 01, 2025');
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
  ])('write how long ago %d ms were', (age, text) => {
    expect(agoText(atMs, atMs + age)).toBe(text);
  });

  it('round days left up', () => {
    const untilMs = [1, 17.2 * 86_400_000, 30 * 86_400_000 + 40, 0];
    expect(untilMs.map((ms) => daysLeft(atMs + ms, atMs))).toEqual([1, 18, 30, 0]);
  });
});
