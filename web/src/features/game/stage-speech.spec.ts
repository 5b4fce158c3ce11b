import { buyerPauseMs, timeSentence } from './stage-speech.js';

describe('the announcements to screen readers', () => {
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
    expect(timeSentence(from, to)).toBe(said);
  });

  it('name the nearest mark when a sleeping tab jumps over several', () => {
    expect(timeSentence(90, 8)).toBe('10 seconds left');
  });

  it('name a buyer at most every ten seconds', () => {
    expect(buyerPauseMs(null, 0)).toBe(0);
    expect(buyerPauseMs(0, 9_999)).toBe(1);
    expect(buyerPauseMs(0, 10_000)).toBe(0);
  });
});
