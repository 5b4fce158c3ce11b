import { clampedDeposit, depositOf } from './deposit-order.js';

describe('a deposit as typed', () => {
  it('adds the fee of 5% on top, in cents', () => {
    expect(depositOf('20')).toEqual({
      dollars: 20,
      amountCents: 2_000,
      feeCents: 100,
      totalCents: 2_100,
      problem: null,
    });
    expect(depositOf('7').totalCents).toBe(735);
  });

  it.each(['', '6', '0', '-7', '7.5', 'ten'])('is refused below $7 or when it is no whole dollars: %j', (text) => {
    expect(depositOf(text).problem).toBe('Deposit amount must be at least $7');
  });

  it('is refused above $100,000', () => {
    expect(depositOf('100000').problem).toBeNull();
    expect(depositOf('100001').problem).toBe('Deposits are whole dollars, at most $100,000');
  });
});

describe('the field once it is left', () => {
  it.each([
    ['', '7'],
    ['3', '7'],
    ['7', '7'],
    ['19.99', '19'],
    ['$1,200', '1200'],
    ['200000', '100000'],
    ['nonsense', '7'],
  ])('%j becomes %j', (text, clamped) => expect(clampedDeposit(text)).toBe(clamped));
});
