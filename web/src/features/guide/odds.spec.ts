import { oddsOf } from './honest-odds.js';

it('follows from the split of 30 cents: 13 to the jackpot, 15 to the matrix, 2 to the operator', () => {
  expect(oddsOf(1_000)).toEqual({
    jackpotPercent: 43,
    matrixPercent: 50,
    lossOfHundredDollarsCents: 5_667,
    losingPercent: 99.9,
  });
});
