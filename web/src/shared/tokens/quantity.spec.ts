import { affordable, closeCallText, lastSafeText, orderOf } from './quantity.js';

describe('an order of tokens', () => {
  it('costs 30 cents a token', () => {
    expect(orderOf('4', 30, 2_460)).toEqual({ quantity: 4, costCents: 120, problem: null, missingCents: 0 });
  });

  it.each(['', '0', '-2', '1.5', 'ten'])('refuses %j', (text) => {
    expect(orderOf(text, 30, 2_460)).toMatchObject({
      quantity: null,
      problem: 'Please enter a valid quantity (minimum 1)',
    });
  });

  it('states what the balance lacks', () => {
    expect(orderOf('100', 30, 2_460)).toMatchObject({
      problem: 'Insufficient balance. You need $5.40 more.',
      missingCents: 540,
    });
    expect(orderOf('82', 30, 2_460).problem).toBeNull();
  });

  it('has at most 10,000 tokens', () => {
    expect(orderOf('10001', 30, 10_000_000).problem).toBe('A purchase has at most 10,000 tokens');
  });

  it('has a largest quantity that the balance pays for', () => {
    expect([0, 29, 30, 2_460, 99_999_999].map((balanceCents) => affordable(balanceCents, 30))).toEqual([
      0, 0, 1, 82, 10_000,
    ]);
  });
});

describe('a receipt', () => {
  it('states its margin before zero when that was small', () => {
    expect(closeCallText(100_000, 101_400)).toBe('1.4 seconds before zero');
    expect(closeCallText(100_000, 100_080)).toBe('80 milliseconds before zero');
    expect(closeCallText(100_000, 110_001)).toBeNull();
  });
});

it.each([
  [4, 'about 0.1 s before zero'],
  [204, 'about 0.3 s before zero'],
  [1_900, 'about 1.9 s before zero'],
])('after a round trip of %i ms the last safe time to buy is %s', (roundTripMs, text) => {
  expect(lastSafeText(roundTripMs)).toBe(text);
});
