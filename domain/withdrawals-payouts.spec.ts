import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { BatchPayout, CommandOf } from './ledger/ledger-commands.js';
import { BOB } from './testing/constants.js';
import { enrolledGamers, funded } from './testing/gamers.js';
import {
  historyLost,
  profitRequested,
  setWithdrawal,
  withdrawalProcessing,
  withdrawalRequested,
  withdrawalSettled,
} from './testing/money.js';
import { profitMade } from './testing/rounds.js';
import { given, itHappens, itRefuses, type Past } from './testing/scenario.js';

const order = (batchId: string, ...payouts: BatchPayout[]) => ({ type: 'OrderPayouts', batchId, payouts }) as const;
const payout = (withdrawalId: string, attempt = 0, amount = '0.02') => ({
  withdrawalId,
  payoutId: `${withdrawalId}-${attempt}`,
  amount,
});
const ordered = (batchId: string, one: BatchPayout): LedgerEvent => ({
  type: 'PayoutOrdered',
  data: { gamerId: BOB, batchId, ...one },
});
const paid = { withdrawalId: 'w1', payoutId: 'w1-0', status: 'finished', paidAmount: '0.020', txid: 'ab12' } as const;
const answered = (more: Partial<CommandOf<'RecordPayoutOutcome'>> = {}) =>
  ({ type: 'RecordPayoutOutcome', ...paid, ...more }) as const;
const failure = { withdrawalId: 'w1', gamerId: BOB, payoutId: 'w1-0', paidAmount: null, txid: null } as const;
const failed = (more: object = {}): LedgerEvent => ({
  type: 'PayoutFailed',
  data: { ...failure, outcome: 'failed', ...more },
});
const completed = withdrawalSettled('WithdrawalCompleted', 1_000, { txid: 'ab12' });

const lost = historyLost();
const onlyRequested: Past[] = [enrolledGamers(), funded(BOB, 0, 2_500), withdrawalRequested('w1', 1_000)];
const second = [withdrawalRequested('w2', 1_000), withdrawalProcessing('w2')];
const two: Past[] = [onlyRequested, withdrawalProcessing('w1'), second];
const underWay: Past[] = [two, ordered('77', payout('w1'))];
const UNDER_WAY = 'This payout is with the gateway: it can be decided once the gateway has answered';
const LOST = 'The log lost events, so payouts are on hold until the gateway is asked what it paid';

describe('ordering payouts from the gateway', () => {
  it('records each, without moving money', () => {
    const { state } = given(two)
      .when(order('77', payout('w1'), payout('w2')))
      .thenHappens(ordered('77', payout('w1')), ordered('77', payout('w2')));
    expect(state.balances.get('payouts:pending')).toBe(2_000);
    expect(state.withdrawals.get('w1')?.payout).toEqual({ batchId: '77', payoutId: 'w1-0', amount: '0.02' });
  });

  const isPaid: Past[] = [underWay, completed];
  const ofProfit: Past[] = [two, profitMade(), profitRequested('w3', 1_000)];
  const both = order('78', payout('w2'), payout('w1'));
  itRefuses([
    ['orders none when one is pending', onlyRequested, order('77', payout('w1')), UNDER_WAY],
    ['orders none when one is of another batch', underWay, both, UNDER_WAY],
    ['refuses one that comes twice', two, order('77', payout('w1'), payout('w1')), UNDER_WAY],
    ['refuses one under another id', underWay, order('77', payout('w1', 1)), UNDER_WAY],
    ['orders none when one is settled', isPaid, both, 'This withdrawal is already completed and cannot be changed'],
    ['refuses an unknown one', two, order('77', payout('w3')), 'Withdrawal not found'],
    ['refuses one of the profit', ofProfit, order('77', payout('w3')), 'Withdrawal not found'],
    ['waits after a loss', [two, lost], order('77', payout('w1')), LOST],
    ['waits after a loss with an order that is in the log', [underWay, lost], order('77', payout('w1')), LOST],
    ['keeps the admin from setting it processing meanwhile', underWay, setWithdrawal('processing'), UNDER_WAY],
    ['keeps the admin from completing it meanwhile', underWay, setWithdrawal('completed'), UNDER_WAY],
    ['keeps the admin from returning it meanwhile', underWay, setWithdrawal('returned'), UNDER_WAY],
  ]);

  itHappens([['needs no event for an order that is in the log', underWay, order('77', payout('w1')), []]]);
});

describe('the outcome of a payout', () => {
  it('completes the withdrawal when the ordered amount was paid', () => {
    const { state } = given(underWay).when(answered()).thenHappens(completed);
    expect(state.balances.get('world:crypto')).toBe(1_000);
  });

  it('brings a payout that failed or was rejected back to the admin: it can be ordered again, paid or returned', () => {
    const back = given(underWay)
      .when(answered({ status: 'rejected', paidAmount: null, txid: null }))
      .thenHappens(failed({ outcome: 'rejected' }));
    expect(back.state.balances.get('payouts:pending')).toBe(2_000);
    back.when(order('78', payout('w1', 1))).thenHappens(ordered('78', payout('w1', 1)));
    const again = () => given(underWay, failed());
    again().when(setWithdrawal('completed')).thenHappens(withdrawalSettled('WithdrawalCompleted', 1_000));
    again().when(setWithdrawal('returned')).thenHappens(withdrawalSettled('WithdrawalReturned', 1_000));
  });

  it.each([
    ['finished', '0.019'],
    ['finished', '0.02000001'],
    ['finished', null],
    ['failed', null],
  ] as const)('parks a payout that is %s with a transaction of %p: it is not ordered again', (status, paidAmount) => {
    given(underWay)
      .when(answered({ status, paidAmount }))
      .thenHappens(failed({ outcome: 'uncertain', paidAmount, txid: 'ab12' }))
      .when(order('78', payout('w1', 1)))
      .thenRefused('The gateway may have paid this withdrawal: decide it by hand');
  });

  itHappens([
    ['changes nothing when it comes twice', [underWay, completed], answered(), []],
    ['changes nothing when it comes after a failure', [underWay, failed()], answered(), []],
    ['changes nothing when it is about another order', underWay, answered({ payoutId: 'w1-1' }), []],
    ['is recorded after a loss too, if it names a transaction', [underWay, lost], answered(), [completed]],
  ]);
  itRefuses([['waits after a loss without a transaction', [underWay, lost], answered({ txid: null }), LOST]]);
});
