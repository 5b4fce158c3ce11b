import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { WithdrawRequest } from '../contracts/http/withdrawals.js';
import type { GamerId } from '../contracts/ids.js';
import { versionOf } from '../contracts/versions.js';
import type { WithdrawalUpdate } from './ledger/ledger-commands.js';
import {
  ADMIN,
  ALICE,
  BOB,
  enrolledGamers,
  funded,
  profitMade,
  profitRequested,
  setWithdrawal,
  withdrawalProcessing,
  withdrawalRequested,
  withdrawalSettled,
} from './testing/events.js';
import { given, itHappens, itRefuses, type Past } from './testing/scenario.js';

const inDoge = (amountCents: number): WithdrawRequest => ({ amountCents, cryptoType: 'DOGE', walletAddress: 'D7xN1' });
const fresh = { freshId: 'w1' };

const request = (gamerId: GamerId, amountCents: number) =>
  ({ type: 'RequestWithdrawal', gamerId, request: inDoge(amountCents) }) as const;
const cancel = (gamerId = BOB, withdrawalId = 'w1') => ({ type: 'CancelWithdrawal', gamerId, withdrawalId }) as const;
/** Bob has $25.00 of winnings, and a purchase balance, which cannot be withdrawn. */
const some: Past[] = [enrolledGamers(), funded(BOB, 9_999, 2_500)];
const pending: Past[] = [...some, withdrawalRequested('w1', 2_000)];
const inProcess: Past[] = [...pending, withdrawalProcessing('w1')];

describe('requesting winnings', () => {
  it('reserves them at once', () => {
    const { state } = given(some).when(request(BOB, 2_000), fresh).thenHappens(withdrawalRequested('w1', 2_000));
    const after = { 'gamer:bob:winnings': 500, 'payouts:pending': 2_000, 'gamer:bob:purchase': 9_999 };
    expect(Object.fromEntries(state.balances)).toMatchObject(after);
    const open = { gamerId: BOB, ...inDoge(2_000), status: 'pending', order: null, failedOrders: [] };
    expect(state.withdrawals.get('w1')).toEqual(open);
  });

  itHappens([
    ['accepts $10.00', some, request(BOB, 1_000), [withdrawalRequested('w1', 1_000)], fresh],
    ['accepts the whole amount', some, request(BOB, 2_500), [withdrawalRequested('w1', 2_500)], fresh],
  ]);

  it.each([0, -1_000, 1_000.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('is refused for %p cents', (cents) => {
    given(some).when(request(BOB, cents)).thenRefused('Please enter a valid withdrawal amount');
  });

  const BEYOND = 'Withdrawal amount exceeds available winnings';
  const transfer = { type: 'TransferWinnings', gamerId: BOB, amountCents: 501 } as const;
  const adjust = { type: 'AdjustBalance', gamerId: BOB, purchaseCents: 0, winningsCents: -501, reason: '' } as const;
  itRefuses([
    ['is refused below $10.00', some, request(BOB, 999), 'Minimum withdrawal amount is $10.00'],
    ['is refused beyond the winnings', some, request(BOB, 2_501), BEYOND],
    ['is refused without winnings', some, request(ALICE, 1_000), BEYOND],
    ['is refused for reserved cents', pending, request(BOB, 1_000), BEYOND],
    ['leaves none of them to a transfer', pending, transfer, 'Transfer amount exceeds available winnings'],
    ['leaves none of them to an adjustment', pending, adjust, 'The adjustment would take a balance below zero'],
    ['is refused to the admin', some, request(ADMIN, 1_000), 'Gamer not found'],
    ['is refused to an unknown gamer', some, request('nobody', 1_000), 'Gamer not found'],
  ]);
});

describe('the admin', () => {
  it('sets it processing, without postings, and again with other notes', () => {
    const { state } = given(pending)
      .when(setWithdrawal('processing', { adminNotes: 'today' }))
      .thenHappens(withdrawalProcessing('w1', 'today'))
      .when(setWithdrawal('processing', { adminNotes: 'tomorrow' }))
      .thenHappens(withdrawalProcessing('w1', 'tomorrow'));
    expect(state.balances.get('payouts:pending')).toBe(2_000);
    expect(state.withdrawals.get('w1')?.status).toBe('processing');
  });

  const returned = (expectedVersion: string) => ({
    ...setWithdrawal('returned'),
    expectedVersion: versionOf(expectedVersion),
  });
  const CHANGED = 'Somebody changed this after you had opened it. Nothing was saved.';
  itRefuses([
    [
      'returns none that was set processing meanwhile: coins may be on their way',
      inProcess,
      returned('pending'),
      CHANGED,
    ],
    ['cannot change an unknown withdrawal', pending, setWithdrawal('completed', {}, 'w2'), 'Withdrawal not found'],
  ]);
  itHappens([
    ['returns one in process', inProcess, returned('processing'), [withdrawalSettled('WithdrawalReturned', 2_000)]],
    [
      'completes one in process',
      inProcess,
      setWithdrawal('completed'),
      [withdrawalSettled('WithdrawalCompleted', 2_000)],
    ],
  ]);
});

describe('the gamer', () => {
  itHappens([['cancels a pending withdrawal', pending, cancel(), [withdrawalSettled('WithdrawalReturned', 2_000)]]]);

  const PROCESSED = 'This withdrawal is being processed and can no longer be cancelled';
  const SETTLED = 'This withdrawal is already returned and cannot be changed';
  itRefuses([
    ['cannot cancel one in process', inProcess, cancel(), PROCESSED],
    ['cannot cancel another gamer’s', pending, cancel(ALICE), 'Withdrawal not found'],
    ['cannot cancel an unknown one', pending, cancel(BOB, 'w2'), 'Withdrawal not found'],
    ['cannot cancel a settled one', [pending, withdrawalSettled('WithdrawalReturned', 2_000)], cancel(), SETTLED],
  ]);
});

const requestProfit = (amountCents: number) =>
  ({ type: 'RequestProfitWithdrawal', request: inDoge(amountCents) }) as const;
const setProfit = (status: WithdrawalUpdate['status'], more: Partial<WithdrawalUpdate> = {}) =>
  ({ ...setWithdrawal(status, more), type: 'UpdateProfitWithdrawal' }) as const;
const profitSettled = (
  type: 'ProfitWithdrawalCompleted' | 'ProfitWithdrawalReturned',
  words: { adminNotes?: string; txid?: string } = {},
): LedgerEvent => ({
  type,
  data: { withdrawalId: 'w1', amountCents: 1_500, adminNotes: null, txid: null, ...words },
});

const earned: Past[] = [enrolledGamers(), profitMade()];
const waiting: Past[] = [...earned, profitRequested('w1', 1_500)];

describe('requesting the profit', () => {
  it('reserves it by the same mechanism', () => {
    const { state } = given(earned).when(requestProfit(1_500), fresh).thenHappens(profitRequested('w1', 1_500));
    expect(state.balances.get('house:profit')).toBe(500);
    expect(state.balances.get('payouts:pending')).toBe(1_500);
    expect(state.withdrawals.get('w1')).toMatchObject({ gamerId: null, amountCents: 1_500, status: 'pending' });
  });

  itHappens([
    ['accepts $10.00', earned, requestProfit(1_000), [profitRequested('w1', 1_000)], fresh],
    ['accepts the whole amount', earned, requestProfit(2_000), [profitRequested('w1', 2_000)], fresh],
  ]);

  const beyond = (has: string) => `You only have ${has} available for withdrawal`;
  itRefuses([
    ['is refused below $10.00', earned, requestProfit(999), 'Minimum withdrawal amount is $10.00'],
    ['is refused for part of a cent', earned, requestProfit(1_000.5), 'Please enter a valid withdrawal amount'],
    ['is refused beyond the profit, without unclaimed cents', earned, requestProfit(2_001), beyond('$20.00')],
    ['is refused for reserved cents', waiting, requestProfit(1_000), beyond('$5.00')],
    ['is refused without profit', [enrolledGamers()], requestProfit(1_000), beyond('$0.00')],
  ]);
});

describe('the two kinds of withdrawals', () => {
  itRefuses([
    ['are separate: the profit belongs to no gamer', waiting, setWithdrawal('completed'), 'Withdrawal not found'],
    ['are separate: a gamer’s is not profit', pending, setProfit('completed'), 'Withdrawal not found'],
    ['have no unknown ones', earned, setProfit('completed'), 'Withdrawal not found'],
    [
      'are alike but for “processing”, which the profit lacks',
      waiting,
      setProfit('processing'),
      'Please choose a status',
    ],
  ]);
});

describe.each([
  {
    source: 'winnings',
    past: pending,
    cents: 2_000,
    reservedFrom: 'gamer:bob:winnings',
    set: setWithdrawal,
    completed: (words = {}) => withdrawalSettled('WithdrawalCompleted', 2_000, words),
    returned: (words = {}) => withdrawalSettled('WithdrawalReturned', 2_000, words),
  },
  {
    source: 'profit',
    past: waiting,
    cents: 1_500,
    reservedFrom: 'house:profit',
    set: setProfit,
    completed: (words = {}) => profitSettled('ProfitWithdrawalCompleted', words),
    returned: (words = {}) => profitSettled('ProfitWithdrawalReturned', words),
  },
] as const)(
  'a pending withdrawal of the $source',
  ({ source, past, cents, reservedFrom, set, completed, returned }) => {
    it('is completed: the cents leave', () => {
      const words = { adminNotes: 'paid', txid: 'ab12' };
      const { state } = given(past).when(set('completed', words)).thenHappens(completed(words));
      const after = { 'payouts:pending': 0, 'world:crypto': cents, [reservedFrom]: 500 };
      expect(Object.fromEntries(state.balances)).toMatchObject(after);
      expect(state.withdrawals.has('w1')).toBe(false);
      expect(state.settled.get('w1')).toEqual({ source, status: 'completed' });
    });

    it('is returned: the cents come back', () => {
      const words = { adminNotes: 'wrong address' };
      const { state } = given(past).when(set('returned', words)).thenHappens(returned(words));
      expect(state.balances.get('payouts:pending')).toBe(0);
      expect(state.balances.get(reservedFrom)).toBe(cents + 500);
      expect(state.balances.has('world:crypto')).toBe(false);
      expect(state.withdrawals.has('w1')).toBe(false);
      expect(state.settled.get('w1')).toEqual({ source, status: 'returned' });
    });

    it.each(['completed', 'returned'] as const)('is not settled again as %s', (status) => {
      for (const [event, before] of [
        [completed(), 'completed'],
        [returned(), 'returned'],
      ] as const)
        given(past, event)
          .when(set(status, { adminNotes: 'again' }))
          .thenRefused(`This withdrawal is already ${before} and cannot be changed`);
    });
  },
);
