import { changeText, deltaOf } from './adjustment.js';

describe('an adjustment', () => {
  it('is signed dollars, sent as cents', () => {
    expect(deltaOf('-3.00', 2_460)).toEqual({ cents: -300, problem: null });
    expect(deltaOf('0.29', 0)).toEqual({ cents: 29, problem: null });
    expect(deltaOf('', 2_460)).toEqual({ cents: 0, problem: null });
  });

  it('takes no balance below zero', () => {
    expect(deltaOf('-24.61', 2_460).problem).toBe('The adjustment would take a balance below zero');
  });

  it('is an amount, and not too large', () => {
    expect(deltaOf('x', 0).problem).toBe('Dollars and cents, such as -3.00');
    expect(deltaOf('1000000.01', 0).problem).toBe('At most $1,000,000.00 at once');
  });

  it('says what it comes to', () => {
    expect(changeText(2_460, deltaOf('-3', 2_460))).toBe('$24.60 to $21.60');
    expect(changeText(17_652, deltaOf('', 17_652))).toBe('$176.52 stays');
  });
});
