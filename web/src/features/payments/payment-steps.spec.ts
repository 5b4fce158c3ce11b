import { coinText, isOver, paymentSteps } from './payment-steps.js';

const states = (...args: Parameters<typeof paymentSteps>) => paymentSteps(...args).map(({ state }) => state);

describe('the steps of a payment', () => {
  it('go from waiting to credited', () => {
    expect(states('deposit', 'waiting')).toEqual(['now', 'later', 'later']);
    expect(states('deposit', 'confirming')).toEqual(['done', 'now', 'later']);
    expect(states('deposit', 'settled')).toEqual(['done', 'done', 'done']);
  });

  it('stop where the payment stopped', () => {
    expect(states('tokens', 'expired')).toEqual(['now', 'later', 'later']);
    expect(states('tokens', 'review')).toEqual(['done', 'now', 'later']);
  });

  it('end in tokens or in the balance', () => {
    expect(paymentSteps('tokens', 'waiting')[2]?.text).toBe('Your tokens are bought');
    expect(paymentSteps('deposit', 'waiting')[2]?.text).toBe('Credited to your purchase balance');
  });

  it('are over when nothing more comes by itself; a review is not', () => {
    expect(['settled', 'expired'].map((status) => isOver(status as 'settled' | 'expired'))).toEqual([true, true]);
    expect(isOver('review')).toBe(false);
  });
});

describe('an amount of coins', () => {
  it.each([
    ['0.07740000', '0.0774 LTC'],
    ['12.0', '12 LTC'],
    ['100', '100 LTC'],
    ['0.1', '0.1 LTC'],
  ])('%s reads %s', (amount, text) => expect(coinText(amount, 'LTC')).toBe(text));
});
