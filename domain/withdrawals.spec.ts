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
  gameStarted,
  liveStarted,
  T0,
  tokenPurchased,
} from './testing/events.js';
import { given } from './testing/scenario.js';

const ADDRESS = 'D7xN1';
const inDoge = (amountCents: number): WithdrawRequest => ({ amountCents, cryptoType: 'DOGE', walletAddress: ADDRESS });
const fresh = { freshId: 'w1' };

const request = (gamerId: GamerId, amountCents: number) =>
  ({ type: 'RequestWithdrawal', gamerId, request: inDoge(amountCents) }) as const;
const cancel = (gamerId = BOB, withdrawalId = 'w1') => ({ type: 'CancelWithdrawal', gamerId, withdrawalId }) as const;
const set = (status: WithdrawalUpdate['status'], more: Partial<WithdrawalUpdate> = {}, withdrawalId = 'w1') =>
  ({ type: 'UpdateWithdrawal', withdrawalId, update: { status, adminNotes: null, txid: null, ...more } }) as const;

const requested = (gamerId: GamerId, amountCents: number): LedgerEvent => ({
  type: 'WithdrawalRequested',
  data: { withdrawalId: 'w1', gamerId, ...inDoge(amountCents) },
});
const processing = (adminNotes: string | null = null): LedgerEvent => ({
  type: 'WithdrawalProcessing',
  data: { withdrawalId: 'w1', gamerId: BOB, adminNotes },
});
const settled = (
  type: 'WithdrawalCompleted' | 'WithdrawalReturned',
  amountCents: number,
  words: { adminNotes?: string; txid?: string } = {},
): LedgerEvent => {
  return { type, data: { withdrawalId: 'w1', gamerId: BOB, amountCents, adminNotes: null, txid: null, ...words } };
};

/** Bob has $25.00 of winnings, and a purchase balance, which cannot be withdrawn. */
const some = () => given(enrolledGamers(), funded(BOB, 9_999, 2_500));
const pending = () => some().and(requested(BOB, 2_000));

describe('requesting winnings', () => {
  it('reserves them at once', () => {
    const { state } = some().when(request(BOB, 2_000), fresh).thenHappens(requested(BOB, 2_000));
    expect(state.balances.get('gamer:bob:winnings')).toBe(500);
    expect(state.balances.get('payouts:pending')).toBe(2_000);
    expect(state.balances.get('gamer:bob:purchase')).toBe(9_999);
    expect(state.withdrawals.get('w1')).toEqual({
      ...{ gamerId: BOB, amountCents: 2_000, cryptoType: 'DOGE', walletAddress: ADDRESS, status: 'pending' },
      ...{ order: null, failedOrders: [] },
    });
  });

  it('accepts $10.00, and the whole amount', () => {
    some().when(request(BOB, 1_000), fresh).thenHappens(requested(BOB, 1_000));
    const { state } = some().when(request(BOB, 2_500), fresh).thenHappens(requested(BOB, 2_500));
    expect(state.balances.get('gamer:bob:winnings')).toBe(0);
  });

  it('is refused below $10.00', () => {
    for (const amountCents of [1, 999]) {
      some().when(request(BOB, amountCents)).thenRefused('Minimum withdrawal amount is $10.00');
    }
  });

  it.each([0, -1_000, 1_000.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('is refused for %p cents', (cents) => {
    some().when(request(BOB, cents)).thenRefused('Please enter a valid withdrawal amount');
  });

  it('is refused beyond the winnings, and reserved cents cannot be requested again', () => {
    const text = 'Withdrawal amount exceeds available winnings';
    some().when(request(BOB, 2_501)).thenRefused(text);
    some().when(request(ALICE, 1_000)).thenRefused(text);
    pending().when(request(BOB, 1_000)).thenRefused(text);
  });

  it('cannot be transferred or adjusted while it is reserved', () => {
    pending()
      .when({ type: 'TransferWinnings', gamerId: BOB, amountCents: 501 })
      .thenRefused('Transfer amount exceeds available winnings')
      .when({ type: 'AdjustBalance', gamerId: BOB, purchaseCents: 0, winningsCents: -501, reason: '' })
      .thenRefused('The adjustment would take a balance below zero');
  });

  it('is refused to the admin and to an unknown gamer', () => {
    some().when(request(ADMIN, 1_000)).thenRefused('Gamer not found');
    some().when(request('nobody', 1_000)).thenRefused('Gamer not found');
  });
});

describe('the admin', () => {
  it('sets it processing, without postings, and again with other notes', () => {
    const { state } = pending()
      .when(set('processing', { adminNotes: 'today' }))
      .thenHappens(processing('today'))
      .when(set('processing', { adminNotes: 'tomorrow' }))
      .thenHappens(processing('tomorrow'));
    expect(state.balances.get('payouts:pending')).toBe(2_000);
    expect(state.withdrawals.get('w1')?.status).toBe('processing');
  });

  it('returns none that was set processing after the admin saw it pending, because coins may be on their way', () => {
    const returned = (readAs: string) =>
      pending()
        .and(processing())
        .when({ ...set('returned'), readAs });
    returned(versionOf('pending')).thenRefused('Somebody changed this after you had opened it. Nothing was saved.');
    returned(versionOf('processing')).thenHappens(settled('WithdrawalReturned', 2_000));
  });

  it.each(['pending', 'processing'])('completes a %s withdrawal: the cents leave', (status) => {
    const words = { adminNotes: 'paid', txid: 'ab12' };
    const { state } = pending()
      .and(status === 'processing' ? [processing()] : [])
      .when(set('completed', words))
      .thenHappens(settled('WithdrawalCompleted', 2_000, words));
    expect(state.balances.get('payouts:pending')).toBe(0);
    expect(state.balances.get('world:crypto')).toBe(2_000);
    expect(state.balances.get('gamer:bob:winnings')).toBe(500);
    expect(state.withdrawals.has('w1')).toBe(false);
    expect(state.settled.get('w1')).toEqual({ of: 'winnings', status: 'completed' });
  });

  it.each(['pending', 'processing'])('returns a %s withdrawal: the cents come back', (status) => {
    const words = { adminNotes: 'wrong address' };
    const { state } = pending()
      .and(status === 'processing' ? [processing()] : [])
      .when(set('returned', words))
      .thenHappens(settled('WithdrawalReturned', 2_000, words));
    expect(state.balances.get('payouts:pending')).toBe(0);
    expect(state.balances.get('gamer:bob:winnings')).toBe(2_500);
    expect(state.balances.has('world:crypto')).toBe(false);
    expect(state.withdrawals.has('w1')).toBe(false);
    expect(state.settled.get('w1')).toEqual({ of: 'winnings', status: 'returned' });
  });

  it.each(['processing', 'completed', 'returned'] as const)('cannot make a settled one %s', (status) => {
    pending()
      .and(settled('WithdrawalCompleted', 2_000))
      .when(set(status, { adminNotes: 'again' }))
      .thenRefused('This withdrawal is already completed and cannot be changed');
    pending()
      .and(settled('WithdrawalReturned', 2_000))
      .when(set(status, { adminNotes: 'again' }))
      .thenRefused('This withdrawal is already returned and cannot be changed');
  });

  it('cannot change an unknown withdrawal', () => {
    pending()
      .when(set('completed', {}, 'w2'))
      .thenRefused('Withdrawal not found');
  });
});

describe('the gamer', () => {
  it('cancels a pending withdrawal, and gets the cents back', () => {
    const { state } = pending().when(cancel()).thenHappens(settled('WithdrawalReturned', 2_000));
    expect(state.balances.get('payouts:pending')).toBe(0);
    expect(state.balances.get('gamer:bob:winnings')).toBe(2_500);
    expect(state.settled.get('w1')).toEqual({ of: 'winnings', status: 'returned' });
  });

  it('cannot cancel one that is processed or settled, or another gamer’s', () => {
    pending()
      .and(processing())
      .when(cancel())
      .thenRefused('This withdrawal is being processed and can no longer be cancelled');
    pending().when(cancel(ALICE)).thenRefused('Withdrawal not found');
    pending().when(cancel(BOB, 'w2')).thenRefused('Withdrawal not found');
    pending()
      .and(settled('WithdrawalReturned', 2_000))
      .when(cancel())
      .thenRefused('This withdrawal is already returned and cannot be changed');
  });
});

describe('the admin’s own profit', () => {
  const requestProfit = (amountCents: number) =>
    ({ type: 'RequestProfitWithdrawal', request: inDoge(amountCents) }) as const;
  const setProfit = (status: WithdrawalUpdate['status'], more: Partial<WithdrawalUpdate> = {}, withdrawalId = 'w1') =>
    ({ ...set(status, more, withdrawalId), type: 'UpdateProfitWithdrawal' }) as const;
  const profitRequested = (amountCents: number): LedgerEvent => ({
    type: 'ProfitWithdrawalRequested',
    data: { withdrawalId: 'w1', amountCents, cryptoType: 'DOGE', walletAddress: ADDRESS },
  });
  const profitSettled = (
    type: 'ProfitWithdrawalCompleted' | 'ProfitWithdrawalReturned',
    words: { adminNotes?: string; txid?: string } = {},
  ) =>
    ({
      type,
      data: { withdrawalId: 'w1', amountCents: 1_500, adminNotes: null, txid: null, ...words },
    }) satisfies LedgerEvent;

  /** 1,000 tokens: $20.00 of profit, $150.00 unclaimed. */
  const earned = () =>
    given(
      enrolledGamers(),
      funded(BOB, 30_000),
      gameStarted(1, T0),
      liveStarted(1, T0 + 1),
      tokenPurchased({
        purchaseId: 'p1',
        buyerId: BOB,
        quantity: 1_000,
        jackpotCents: 13_000,
        purchaseBalanceCents: 0,
      }),
    );
  const waiting = () => earned().and(profitRequested(1_500));

  it('is reserved by the same mechanism', () => {
    const { state } = earned().when(requestProfit(1_500), fresh).thenHappens(profitRequested(1_500));
    expect(state.balances.get('house:profit')).toBe(500);
    expect(state.balances.get('payouts:pending')).toBe(1_500);
    expect(state.withdrawals.get('w1')).toMatchObject({ gamerId: null, amountCents: 1_500, status: 'pending' });
  });

  it('accepts $10.00, and the whole amount', () => {
    earned().when(requestProfit(1_000), fresh).thenHappens(profitRequested(1_000));
    earned().when(requestProfit(2_000), fresh).thenHappens(profitRequested(2_000));
  });

  it('is refused below $10.00, and for invalid amounts', () => {
    earned().when(requestProfit(999)).thenRefused('Minimum withdrawal amount is $10.00');
    for (const cents of [0, -1_000, 1_000.5, Number.NaN]) {
      earned().when(requestProfit(cents)).thenRefused('Please enter a valid withdrawal amount');
    }
  });

  it('is refused beyond the profit, which excludes unclaimed cents, fees and forfeits', () => {
    earned().when(requestProfit(2_001)).thenRefused('You only have $20.00 available for withdrawal');
    waiting().when(requestProfit(1_000)).thenRefused('You only have $5.00 available for withdrawal');
    given(enrolledGamers()).when(requestProfit(1_000)).thenRefused('You only have $0.00 available for withdrawal');
  });

  it('is completed: the cents leave', () => {
    const words = { adminNotes: 'rent', txid: 'cd34' };
    const { state } = waiting()
      .when(setProfit('completed', words))
      .thenHappens(profitSettled('ProfitWithdrawalCompleted', words));
    expect(state.balances.get('payouts:pending')).toBe(0);
    expect(state.balances.get('house:profit')).toBe(500);
    expect(state.balances.get('world:crypto')).toBe(1_500);
    expect(state.withdrawals.has('w1')).toBe(false);
    expect(state.settled.get('w1')).toEqual({ of: 'profit', status: 'completed' });
  });

  it('is returned: the cents come back', () => {
    const { state } = waiting().when(setProfit('returned')).thenHappens(profitSettled('ProfitWithdrawalReturned'));
    expect(state.balances.get('payouts:pending')).toBe(0);
    expect(state.balances.get('house:profit')).toBe(2_000);
    expect(state.withdrawals.has('w1')).toBe(false);
    expect(state.settled.get('w1')).toEqual({ of: 'profit', status: 'returned' });
  });

  it('cannot be set processing', () => {
    waiting().when(setProfit('processing')).thenRefused('Please choose a status');
  });

  it('cannot be settled again', () => {
    for (const status of ['completed', 'returned'] as const) {
      waiting()
        .and(profitSettled('ProfitWithdrawalCompleted'))
        .when(setProfit(status))
        .thenRefused('This withdrawal is already completed and cannot be changed');
      waiting()
        .and(profitSettled('ProfitWithdrawalReturned'))
        .when(setProfit(status))
        .thenRefused('This withdrawal is already returned and cannot be changed');
    }
  });

  it('is separate from gamers’ withdrawals', () => {
    waiting().when(set('completed')).thenRefused('Withdrawal not found');
    pending().when(setProfit('completed')).thenRefused('Withdrawal not found');
    earned()
      .when(setProfit('completed', {}, 'w9'))
      .thenRefused('Withdrawal not found');
  });
});
