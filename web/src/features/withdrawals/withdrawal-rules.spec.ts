import type { WithdrawalStatus } from '../../../../contracts/http/withdrawals.js';
import {
  describeSettlement,
  type NewStatus,
  nextStatuses,
  settlementAction,
  updateBody,
  type WithdrawalDraft,
  withdrawalField,
  withdrawalOf,
} from './withdrawal-rules.js';

const DOGE = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L';
const draft = (parts: Partial<WithdrawalDraft> = {}): WithdrawalDraft => ({
  coin: 'DOGE',
  address: DOGE,
  amount: '25.50',
  ...parts,
});

describe('a typed withdrawal', () => {
  it.each(['winnings', 'profit'] as const)('of %s is sent in cents with a trimmed address', (source) => {
    const request = { cryptoType: 'DOGE', walletAddress: DOGE, amountCents: 2_550 };
    expect(withdrawalOf(draft({ address: ` ${DOGE} ` }), 2_550, source)).toEqual({ request });
  });

  const REQUIRED = 'Please fill in all required fields';
  const MINIMUM = 'Minimum withdrawal amount is $10.00';
  it.each([
    [{ coin: null }, { coin: REQUIRED }, 'Invalid Form'],
    [{ address: ' ' }, { address: REQUIRED }, 'Invalid Form'],
    [{ amount: '' }, { amount: REQUIRED }, 'Invalid Form'],
    [{ amount: '0' }, { amount: 'Please enter a valid withdrawal amount' }, 'Invalid Form'],
    [{ amount: 'lots' }, { amount: 'Please enter a valid withdrawal amount' }, 'Invalid Form'],
    [{ amount: '9.99' }, { amount: MINIMUM }, 'Minimum Amount Required'],
    [{ amount: '100.01' }, { amount: 'Withdrawal amount exceeds available winnings' }, 'Insufficient Funds'],
    [{ coin: 'BTC' }, { address: 'This is not a valid BTC address' }, 'Invalid Form'],
    [
      { coin: 'BTC', amount: '3' },
      { address: 'This is not a valid BTC address', amount: MINIMUM },
      'Minimum Amount Required',
    ],
  ] as const)('is refused for %j', (change, problems, title) => {
    expect(withdrawalOf(draft(change), 10_000)).toEqual({ problems, title });
  });

  it('accepts the minimum and all of the winnings', () => {
    expect(withdrawalOf(draft({ amount: '10' }), 10_000)).toHaveProperty('request.amountCents', 1_000);
    expect(withdrawalOf(draft({ amount: '100' }), 10_000)).toHaveProperty('request.amountCents', 10_000);
  });
});

it('shows a refusal of the server at the field that its code belongs to', () => {
  expect(withdrawalField('invalid-wallet-address')).toBe('address');
  expect(withdrawalField('withdrawal-exceeds-winnings')).toBe('amount');
  expect(withdrawalField(null)).toBe('amount');
});

const payout = (status: WithdrawalStatus, gamerTag: string | null = 'Mirela-88') =>
  ({ amountCents: 11_240, status, gamerTag, payoutBatchId: null }) as const;

describe('settling a withdrawal', () => {
  it.each([
    ['one of winnings', payout('pending'), ['processing', 'completed', 'returned']],
    ['one in process', payout('processing'), ['completed', 'returned']],
    ['a completed one', payout('completed'), []],
    ['a returned one', payout('returned'), []],
    ['one of the profit', payout('pending', null), ['completed', 'returned']],
  ])('%s may get the next statuses', (_, withdrawal, next) => expect(nextStatuses(withdrawal)).toEqual(next));

  it('is described by where the money goes', () => {
    expect(describeSettlement('completed', payout('pending'))).toBe(
      'Final: $112.40 counts as paid to Mirela-88. This sends nothing. Mark it as processing and send the coins first, because a pending withdrawal can be cancelled.',
    );
    expect(describeSettlement('returned', payout('pending'))).toBe(
      'Final: $112.40 goes back to the winnings of Mirela-88, to the cent. Nothing is sent.',
    );
    expect(describeSettlement('processing', payout('pending'))).toContain('stays reserved');
    expect(describeSettlement('returned', payout('pending', null))).toContain('goes back to the profit available');
    expect(describeSettlement('completed', payout('pending', null))).toContain('counts as withdrawn profit');
  });

  it('names its effect on the submit button', () => {
    const action = (status: NewStatus) => settlementAction(status, '$112.40');
    expect(action('processing')).toBe('Mark $112.40 as processing');
    expect(action('completed')).toBe('Mark $112.40 as paid');
    expect(action('returned')).toBe('Return $112.40');
  });

  it('sends trimmed notes, and a transaction id only for a completed withdrawal', () => {
    expect(updateBody('completed', ' Sent 9:20 PM ', ' 6b0e ')).toEqual({
      status: 'completed',
      adminNotes: 'Sent 9:20 PM',
      txid: '6b0e',
    });
    expect(updateBody('returned', '  ', '6b0e')).toEqual({ status: 'returned' });
  });
});

it.each([
  [{ coin: null }, 'Invalid Form', 'Please fill in cryptocurrency type and wallet address', 'coin'],
  [{ address: '  ' }, 'Invalid Form', 'Please fill in cryptocurrency type and wallet address', 'address'],
  [{ coin: 'BTC' as const }, 'Invalid Form', 'This is not a valid BTC address', 'address'],
  [{ amount: '' }, 'Minimum Amount Required', 'Minimum withdrawal amount is $10.00', 'amount'],
  [{ amount: 'ten' }, 'Minimum Amount Required', 'Minimum withdrawal amount is $10.00', 'amount'],
  [{ amount: '9.99' }, 'Minimum Amount Required', 'Minimum withdrawal amount is $10.00', 'amount'],
  [{ amount: '1204.67' }, 'Insufficient Funds', 'You only have $1,204.66 available for withdrawal', 'amount'],
])('a profit withdrawal is refused for %j', (change, title, text, field) => {
  expect(withdrawalOf(draft(change), 120_466, 'profit')).toEqual({ title, problems: { [field]: text } });
});
