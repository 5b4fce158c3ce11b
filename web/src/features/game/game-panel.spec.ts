import { buyerPauseMs, timeSentence } from './game-panel.js';

it.each([
  [61, 60, '60 seconds left'],
  [6, 5, '5 seconds left'],
  [60, 59, null],
  [null, 60, null],
  [29, 59, null],
  [1, 0, null],
  // A sleeping tab jumps over several marks.
  [90, 8, '10 seconds left'],
])('a clock that goes from %p to %p says %p', (from, to, said) => expect(timeSentence(from, to)).toBe(said));

it('a buyer is named at most every ten seconds', () => {
  expect([buyerPauseMs(null, 0), buyerPauseMs(0, 9_999), buyerPauseMs(0, 10_000)]).toEqual([0, 1, 0]);
});
