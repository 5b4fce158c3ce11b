import { type WithdrawalDraft, withdrawalField, withdrawalOf } from './withdrawal-rules.js';

const DOGE = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L';
const draft = (parts: Partial<WithdrawalDraft> = {}): WithdrawalDraft => ({
  coin: 'DOGE',
  address: DOGE,
  amount: '25.50',
  ...parts,
});

describe('a typed withdrawal', () => {
  it('is sent in cents with a trimmed address', () => {
    expect(withdrawalOf(draft({ address: ` ${DOGE} ` }), 10_000)).toEqual({
      request: { cryptoType: 'DOGE', walletAddress: DOGE, amountCents: 2_550 },
    });
  });

  it.each([
    [draft({ coin: null }), 'coin'],
    [draft({ address: ' ' }), 'address'],
    [draft({ amount: '' }), 'amount'],
  ] as const)('requires coin, address and amount', (typed, field) => {
    expect(withdrawalOf(typed, 10_000)).toEqual({
      problems: { [field]: 'Please fill in all required fields' },
      title: 'Invalid Form',
    });
  });

  it.each([
    ['0', 'Please enter a valid withdrawal amount', 'Invalid Form'],
    ['-20', 'Please enter a valid withdrawal amount', 'Invalid Form'],
    ['lots', 'Please enter a valid withdrawal amount', 'Invalid Form'],
    ['9.99', 'Minimum withdrawal amount is $10.00', 'Minimum Amount Required'],
    ['100.01', 'Withdrawal amount exceeds available winnings', 'Insufficient Funds'],
  ])('refuses %s: %s', (amount, text, title) => {
    expect(withdrawalOf(draft({ amount }), 10_000)).toEqual({ problems: { amount: text }, title });
  });

  it('accepts the minimum and all of the winnings', () => {
    expect(withdrawalOf(draft({ amount: '10' }), 10_000)).toHaveProperty('request.amountCents', 1_000);
    expect(withdrawalOf(draft({ amount: '100' }), 10_000)).toHaveProperty('request.amountCents', 10_000);
  });

  it('refuses an address of another coin', () => {
    expect(withdrawalOf(draft({ coin: 'BTC' }), 10_000)).toMatchObject({
      problems: { address: 'This is not a valid BTC address' },
    });
  });
});

it('shows a refusal of the server at the field that its code belongs to', () => {
  expect(withdrawalField('invalid-wallet-address')).toBe('address');
  expect(withdrawalField('withdrawal-exceeds-winnings')).toBe('amount');
  expect(withdrawalField(null)).toBe('amount');
});
