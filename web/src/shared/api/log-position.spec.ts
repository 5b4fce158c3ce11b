import { laterPosition } from './log-position.js';

describe('the latest log position', () => {
  it('compares as numbers, beyond what a double can hold', () => {
    expect(laterPosition('9', '10')).toBe('10');
    expect(laterPosition('10', '9')).toBe('10');
    expect(laterPosition('9007199254740992', '9007199254740993')).toBe('9007199254740993');
  });

  it('keeps what it knows when there is nothing to learn', () => {
    expect(laterPosition('7', null)).toBe('7');
    expect(laterPosition('7', undefined)).toBe('7');
    expect(laterPosition('7', '-1')).toBe('7');
    expect(laterPosition(null, 'x')).toBeNull();
  });
});
