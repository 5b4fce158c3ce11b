import { msUntilNextDigit, secondsLeft } from './countdown.js';

describe('the countdown', () => {
  it('rounds up and stops at zero', () => {
    expect([120_000, 119_999, 1, 0, -5_000].map(secondsLeft)).toEqual([120, 120, 1, 0, 0]);
  });

  it('says when the digits change next', () => {
    expect(msUntilNextDigit(119_250)).toBe(250);
    expect(msUntilNextDigit(120_000)).toBe(1_000);
    expect(msUntilNextDigit(1)).toBe(1);
    expect(msUntilNextDigit(0)).toBeNull();
  });
});
