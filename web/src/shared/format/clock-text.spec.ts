import { addedText, clockText, counted, durationText } from './clock-text.js';

describe('clock texts', () => {
  it('shows hours only when there are any', () => {
    expect([0, 7, 167, 3_599, 3_600, 14_292, 90_000].map(clockText)).toEqual([
      '00:00',
      '00:07',
      '02:47',
      '59:59',
      '01:00:00',
      '03:58:12',
      '25:00:00',
    ]);
  });

  it('says what a purchase added', () => {
    expect([30, 60, 300, 5_000].map(addedText)).toEqual(['+0:30', '+1:00', '+5:00', '+1:23:20']);
  });

  it('says durations in whole units', () => {
    expect([120, 180, 14_400, 90, 1, 60].map(durationText)).toEqual([
      '2 minutes',
      '3 minutes',
      '4 hours',
      '90 seconds',
      '1 second',
      '1 minute',
    ]);
  });

  it('counts', () => {
    expect(counted(1, 'token')).toBe('1 token');
    expect(counted(12_408, 'gamer')).toBe('12,408 gamers');
  });
});
