import { formatCents, formatSignedCents, groupDigits } from './money.js';

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

it('writes amounts as en-US does', () => {
  const amounts = [0, 1, 9, 10, 99, 100, 101, 99_999, 100_000, 123_456_789, 100_000_000_000, 9_007_199_254_740_900];
  for (const cents of [...amounts, ...amounts.slice(1).map((amount) => -amount)])
    expect(formatCents(cents)).toBe(dollars.format(cents / 100));
  expect([formatSignedCents(-123_456), formatSignedCents(5)]).toEqual(['−$1,234.56', '+$0.05']);
});

it('groups the digits of whole numbers as en-US does', () => {
  for (const whole of [0, 7, 999, 1_000, 12_408, 999_999, 1_000_000, 1_234_567_890, -1, -999, -1_000, -1_234_567])
    expect(groupDigits(whole)).toBe(whole.toLocaleString('en-US'));
});
