import { fieldOfRefusal, isNewWallet, type WithdrawalDraft, withdrawalOf } from './withdrawal-rules.js';

const DOGE = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L';
const draft = (parts: Partial<WithdrawalDraft> = {}): WithdrawalDraft => ({
  coin: 'DOGE',
  address: DOGE,
  amount: '25.50',
  ...parts,
});

describe('a withdrawal as typed', () => {
  it('is sent in cents, with the address trimmed', () => {
    expect(withdrawalOf(draft({ address: ` ${DOGE} ` }), 10_000)).toEqual({
      request: { cryptoType: 'DOGE', walletAddress: DOGE, amountCents: 2_550 },
    });
  });

  it.each([
    [draft({ coin: null }), 'coin'],
    [draft({ address: ' ' }), 'address'],
    [draft({ amount: '' }), 'amount'],
  ] as const)('needs coin, address and amount', (typed, field) => {
    expect(withdrawalOf(typed, 10_000)).toEqual({
      problems: { [field]: 'Please fill in all required fields' },
      title: 'Invalid Form',
      text: 'Please fill in all required fields',
    });
  });

  it.each([
    ['0', 'Please enter a valid withdrawal amount', 'Invalid Form'],
    ['-20', 'Please enter a valid withdrawal amount', 'Invalid Form'],
    ['lots', 'Please enter a valid withdrawal amount', 'Invalid Form'],
    ['9.99', 'Minimum withdrawal amount is $10.00', 'Minimum Amount Required'],
    ['100.01', 'Withdrawal amount exceeds available winnings', 'Insufficient Funds'],
  ])('refuses %s: %s', (amount, text, title) => {
    expect(withdrawalOf(draft({ amount }), 10_000)).toEqual({ problems: { amount: text }, title, text });
  });

  it('takes the minimum and all of the winnings', () => {
    expect(withdrawalOf(draft({ amount: '10' }), 10_000)).toHaveProperty('request.amountCents', 1_000);
    expect(withdrawalOf(draft({ amount: '100' }), 10_000)).toHaveProperty('request.amountCents', 10_000);
  });

  it('refuses an address of another coin', () => {
    expect(withdrawalOf(draft({ coin: 'BTC' }), 10_000)).toMatchObject({
      problems: { address: 'This is not a valid BTC address' },
    });
  });
});

it('a refusal of the server stands beside its field', () => {
  expect(fieldOfRefusal('This is not a valid DOGE address')).toBe('address');
  expect(fieldOfRefusal('Withdrawal amount exceeds available winnings')).toBe('amount');
});

it('a wallet is saved when it is new or changed', () => {
  expect(isNewWallet({}, 'DOGE', DOGE)).toBe(true);
  expect(isNewWallet({ DOGE: 'other' }, 'DOGE', DOGE)).toBe(true);
  expect(isNewWallet({ DOGE }, 'DOGE', DOGE)).toBe(false);
});
