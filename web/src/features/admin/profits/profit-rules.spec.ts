import { profitOrderOf } from './profit-rules.js';

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const form = { coin: 'BTC', address: ` ${BITCOIN} `, amount: '10' } as const;

describe('a profit withdrawal', () => {
  it('is cents to an address of the coin', () => {
    expect(profitOrderOf(form, 1_000)).toEqual({
      order: { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents: 1_000 },
    });
  });

  it.each([
    [{ coin: null }, 'Invalid Form', 'Please fill in cryptocurrency type and wallet address', 'coin'],
    [{ address: '  ' }, 'Invalid Form', 'Please fill in cryptocurrency type and wallet address', 'address'],
    [{ coin: 'DOGE' as const }, 'Invalid Form', 'This is not a valid DOGE address', 'address'],
    [{ amount: '' }, 'Minimum Amount Required', 'Minimum withdrawal amount is $10.00', 'amount'],
    [{ amount: 'ten' }, 'Minimum Amount Required', 'Minimum withdrawal amount is $10.00', 'amount'],
    [{ amount: '9.99' }, 'Minimum Amount Required', 'Minimum withdrawal amount is $10.00', 'amount'],
    [{ amount: '1,204.67' }, 'Insufficient Funds', 'You only have $1,204.66 available for withdrawal', 'amount'],
  ])('is refused for %j', (change, title, text, field) => {
    expect(profitOrderOf({ ...form, ...change }, 120_466)).toEqual({ problem: { title, text, field } });
  });
});
