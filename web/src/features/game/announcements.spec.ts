import { buyerNamableAtMs, mayNameBuyer, timeToSay } from './announcements.js';

describe('what screen readers hear', () => {
  it.each([
    [61, 60, '60 seconds left'],
    [31, 30, '30 seconds left'],
    [11, 10, '10 seconds left'],
    [6, 5, '5 seconds left'],
    [60, 59, null],
    [5, 4, null],
    [null, 60, null],
    [29, 59, null],
    [1, 0, null],
  ])('from %p to %p: %p', (from, to, said) => {
    expect(timeToSay(from, to)).toBe(said);
  });

  it('says the nearest mark when a sleeping tab jumps over several', () => {
    expect(timeToSay(90, 8)).toBe('10 seconds left');
  });

  it('names a buyer every ten seconds at most', () => {
    expect(mayNameBuyer(null, 0)).toBe(true);
    expect(mayNameBuyer(0, 9_999)).toBe(false);
    expect(mayNameBuyer(0, buyerNamableAtMs(0))).toBe(true);
  });
});
