import { affordableTokens, closeCallText, orderOf } from './quantity.js';

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

  it('has at most 10,000 tokens, and what the balance pays for', () => {
    expect(orderOf('10001', 30, 10_000_000).problem).toBe('A purchase has at most 10,000 tokens');
    const balances = [0, 29, 30, 2_460, 99_999_999];
    expect(balances.map((balanceCents) => affordableTokens(balanceCents, 30))).toEqual([0, 0, 1, 82, 10_000]);
  });
});

it('a receipt states its margin before zero when that was small', () => {
  expect([1_400, 80, 0, 10_001].map(closeCallText)).toEqual(['1.4 seconds', '80 ms', null, null]);
});
