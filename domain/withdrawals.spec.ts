import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { WithdrawRequest } from '../contracts/http/withdrawals.js';
import type { GamerId } from '../contracts/ids.js';
import { versionOf } from '../contracts/versions.js';
import type { WithdrawalUpdate } from './ledger/ledger-commands.js';
import { ADMIN, ALICE, BOB } from './testing/constants.js';
import { enrolledGamers, funded } from './testing/gamers.js';
import {
  profitRequested,
  setWithdrawal,
  withdrawalProcessing,
  withdrawalRequested,
  withdrawalSettled,
} from './testing/money.js';
import { profitMade } from './testing/rounds.js';
import { given, itHappens, itRefuses, type Past } from './testing/scenario.js';

const inDoge = (amountCents: number): WithdrawRequest => ({ amountCents, cryptoType: 'DOGE', walletAddress: 'D7xN1' });
const fresh = { freshId: 'w1' };

const request = (amountCents: number, gamerId: GamerId = BOB) =>
  ({ type: 'RequestWithdrawal', gamerId, request: inDoge(amountCents) }) as const;
const cancel = (gamerId = BOB, withdrawalId = 'w1') => ({ type: 'CancelWithdrawal', gamerId, withdrawalId }) as const;
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

/** Bob has $25.00 of winnings, and a purchase balance, which cannot be withdrawn. */
const some: Past[] = [enrolledGamers(), funded(BOB, 9_999, 2_500)];
const pending: Past[] = [...some, withdrawalRequested('w1', 2_000)];
const inProcess: Past[] = [...pending, withdrawalProcessing('w1')];
/** The profit is $20.00, beside unclaimed cents, which are no profit. */
const earned: Past[] = [enrolledGamers(), profitMade()];
const waiting: Past[] = [...earned, profitRequested('w1', 1_500)];

const EXCEEDS = 'Withdrawal amount exceeds available winnings';
const onlyHas = (has: string) => `You only have ${has} available for withdrawal`;

describe.each([
  {
    source: 'winnings',
    owner: BOB,
    before: some,
    request,
    requested: (cents: number) => withdrawalRequested('w1', cents),
    past: pending,
    cents: 2_000,
    beyond: [EXCEEDS, EXCEEDS, EXCEEDS],
    reservedFrom: 'gamer:bob:winnings',
    set: setWithdrawal,
    completed: (words = {}) => withdrawalSettled('WithdrawalCompleted', 2_000, words),
    returned: (words = {}) => withdrawalSettled('WithdrawalReturned', 2_000, words),
  },
  {
    source: 'profit',
    owner: null,
    before: earned,
    request: requestProfit,
    requested: (cents: number) => profitRequested('w1', cents),
    past: waiting,
    cents: 1_500,
    beyond: [onlyHas('$20.00'), onlyHas('$5.00'), onlyHas('$0.00')],
    reservedFrom: 'house:profit',
    set: setProfit,
    completed: (words = {}) => profitSettled('ProfitWithdrawalCompleted', words),
    returned: (words = {}) => profitSettled('ProfitWithdrawalReturned', words),
  },
] as const)('a withdrawal of the $source', (kind) => {
  const { source, owner, before, requested, past, cents, beyond, reservedFrom, set, completed, returned } = kind;
  const whole = cents + 500;

  it('reserves them at once', () => {
    const { state } = given(before).when(kind.request(cents), fresh).thenHappens(requested(cents));
    const after = { [reservedFrom]: 500, 'payouts:pending': cents };
    expect(Object.fromEntries(state.balances)).toMatchObject(after);
    const open = { gamerId: owner, ...inDoge(cents), status: 'pending', payout: null, failedPayouts: [] };
    expect(state.withdrawals.get('w1')).toEqual(open);
  });

  itHappens([
    ['accepts $10.00', before, kind.request(1_000), [requested(1_000)], fresh],
    ['accepts the whole amount', before, kind.request(whole), [requested(whole)], fresh],
  ]);

  it.each([0, -1_000, 1_000.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('is refused for %p cents', (wrong) => {
    given(before).when(kind.request(wrong)).thenRefused('Please enter a valid withdrawal amount');
  });

  itRefuses([
    ['is refused below $10.00', before, kind.request(999), 'Minimum withdrawal amount is $10.00'],
    ['is refused beyond what there is', before, kind.request(whole + 1), beyond[0]],
    ['is refused for reserved cents', past, kind.request(1_000), beyond[1]],
    ['is refused without any', [enrolledGamers()], kind.request(1_000), beyond[2]],
  ]);

  it('is completed: the cents leave', () => {
    const words = { adminNotes: 'paid', txid: 'ab12' };
    const { state } = given(past).when(set('completed', words)).thenHappens(completed(words));
    const after = { 'payouts:pending': 0, 'world:crypto': cents, [reservedFrom]: 500 };
    expect(Object.fromEntries(state.balances)).toMatchObject(after);
    expect(state.withdrawals.has('w1')).toBe(false);
    expect(state.settlements.get('w1')).toEqual({ source, status: 'completed' });
  });

  it('is returned: the cents come back', () => {
    const words = { adminNotes: 'wrong address' };
    const { state } = given(past).when(set('returned', words)).thenHappens(returned(words));
    expect(state.balances.get('payouts:pending')).toBe(0);
    expect(state.balances.get(reservedFrom)).toBe(whole);
    expect(state.balances.has('world:crypto')).toBe(false);
    expect(state.withdrawals.has('w1')).toBe(false);
    expect(state.settlements.get('w1')).toEqual({ source, status: 'returned' });
  });

  const settledAs = (status: string) => `This withdrawal is already ${status} and cannot be changed`;
  itRefuses(
    (['completed', 'returned'] as const).flatMap((status) => [
      [`is not ${status} once it is completed`, [past, completed()], set(status), settledAs('completed')],
      [`is not ${status} once it is returned`, [past, returned()], set(status), settledAs('returned')],
    ]),
  );
});

describe('a withdrawal of winnings', () => {
  it('is set processing by the admin, without postings, and again with other notes', () => {
    const { state } = given(pending)
      .when(setWithdrawal('processing', { adminNotes: 'today' }))
      .thenHappens(withdrawalProcessing('w1', 'today'))
      .when(setWithdrawal('processing', { adminNotes: 'tomorrow' }))
      .thenHappens(withdrawalProcessing('w1', 'tomorrow'));
    expect(state.balances.get('payouts:pending')).toBe(2_000);
    expect(state.withdrawals.get('w1')?.status).toBe('processing');
  });

  const returnedFrom = (status: string) => ({ ...setWithdrawal('returned'), expectedVersion: versionOf(status) });
  const completed = [withdrawalSettled('WithdrawalCompleted', 2_000)];
  const returned = [withdrawalSettled('WithdrawalReturned', 2_000)];
  itHappens([
    ['is returned while in process', inProcess, returnedFrom('processing'), returned],
    ['is completed while in process', inProcess, setWithdrawal('completed'), completed],
    ['is cancelled by its gamer while pending', pending, cancel(), returned],
  ]);

  const CHANGED = 'Somebody changed this after you had opened it. Nothing was saved.';
  const PROCESSED = 'This withdrawal is being processed and can no longer be cancelled';
  const SETTLED = 'This withdrawal is already returned and cannot be changed';
  const transfer = { type: 'TransferWinnings', gamerId: BOB, amountCents: 501 } as const;
  const adjust = { type: 'AdjustBalance', gamerId: BOB, purchaseCents: 0, winningsCents: -501, reason: '' } as const;
  itRefuses([
    ['leaves none of them to a transfer', pending, transfer, 'Transfer amount exceeds available winnings'],
    ['leaves none of them to an adjustment', pending, adjust, 'The adjustment would take a balance below zero'],
    ['is refused to the admin', some, request(1_000, ADMIN), 'Gamer not found'],
    ['is refused to an unknown gamer', some, request(1_000, 'nobody'), 'Gamer not found'],
    // Coins may be on their way.
    ['is not returned when it was set processing meanwhile', inProcess, returnedFrom('pending'), CHANGED],
    ['cannot be changed when it is unknown', pending, setWithdrawal('completed', {}, 'w2'), 'Withdrawal not found'],
    ['cannot be cancelled in process', inProcess, cancel(), PROCESSED],
    ['cannot be cancelled by another gamer', pending, cancel(ALICE), 'Withdrawal not found'],
    ['cannot be cancelled when it is unknown', pending, cancel(BOB, 'w2'), 'Withdrawal not found'],
    ['cannot be cancelled once settled', [pending, returned], cancel(), SETTLED],
    ['is not set as one of the profit', pending, setProfit('completed'), 'Withdrawal not found'],
  ]);
});

describe('a withdrawal of the profit', () => {
  itRefuses([
    [
      'is not set as one of winnings: it belongs to no gamer',
      waiting,
      setWithdrawal('completed'),
      'Withdrawal not found',
    ],
    ['cannot be changed when it is unknown', earned, setProfit('completed'), 'Withdrawal not found'],
    ['is never set processing', waiting, setProfit('processing'), 'Please choose a status'],
  ]);
});
