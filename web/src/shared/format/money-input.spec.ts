import { centsFromInput, inputFromCents, wholeFromInput } from './money-input.js';

describe('amounts as typed', () => {
  it.each([
    ['12', 1_200],
    ['12.5', 1_250],
    [' 12.34 ', 1_234],
    ['$1,200.05', 120_005],
    ['.5', 50],
    ['0.29', 29],
    ['1.15', 115],
    ['-3', -300],
    ['−3.01', -301],
    ['+3', 300],
    ['-0', 0],
  ])('reads %s', (text, cents) => {
    expect(centsFromInput(text)).toBe(cents);
  });

  it.each(['', '.', '-', 'abc', '1.234', '1e5', '12,34', '1 000', '99999999999999999'])('refuses %j', (text) => {
    expect(centsFromInput(text)).toBeNull();
  });

  it('writes cents into a field', () => {
    expect([17_652, 5, 100].map(inputFromCents)).toEqual(['176.52', '0.05', '1.00']);
  });

  it('reads whole numbers of at least 1', () => {
    expect(['1', ' 30 ', '14400'].map(wholeFromInput)).toEqual([1, 30, 14_400]);
    expect(['0', '-1', '1.5', '', 'x', '1e3', '9999999999999999'].map(wholeFromInput)).toEqual(Array(7).fill(null));
  });
});
