import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { CommandOf, OrderedPayout } from './ledger/ledger-commands.js';
import { BOB, enrolledGamers, funded, profitMade, profitRequested } from './testing/events.js';
import { given } from './testing/scenario.js';

const order = (batchId: string, ...payouts: OrderedPayout[]) => ({ type: 'OrderPayouts', batchId, payouts }) as const;
const payout = (withdrawalId: string, attempt = 0, amount = '0.02') => ({
  withdrawalId,
  payoutId: `${withdrawalId}-${attempt}`,
  amount,
});
const ordered = (batchId: string, one: OrderedPayout): LedgerEvent => ({
  type: 'PayoutOrdered',
  data: { gamerId: BOB, batchId, ...one },
});
const answered = (more: Partial<CommandOf<'RecordPayoutOutcome'>> = {}) =>
  ({
    ...{ type: 'RecordPayoutOutcome', withdrawalId: 'w1', payoutId: 'w1-0', status: 'finished' },
    ...{ paidAmount: '0.020', txid: 'ab12', ...more },
  }) as CommandOf<'RecordPayoutOutcome'>;
const failed = (more: object): LedgerEvent => ({
  type: 'PayoutFailed',
  data: {
    withdrawalId: 'w1',
    gamerId: BOB,
    payoutId: 'w1-0',
    outcome: 'failed',
    paidAmount: null,
    txid: null,
    ...more,
  },
});
const completed: LedgerEvent = {
  type: 'WithdrawalCompleted',
  data: { withdrawalId: 'w1', gamerId: BOB, amountCents: 1_000, adminNotes: null, txid: 'ab12' },
};
const requested = (withdrawalId: string): LedgerEvent => ({
  type: 'WithdrawalRequested',
  data: { withdrawalId, gamerId: BOB, amountCents: 1_000, cryptoType: 'BTC', walletAddress: 'bc1q' },
});
const processing = (withdrawalId: string): LedgerEvent => ({
  type: 'WithdrawalProcessing',
  data: { withdrawalId, gamerId: BOB, adminNotes: null },
});
const byHand = (status: 'processing' | 'completed' | 'returned') =>
  ({ type: 'UpdateWithdrawal', withdrawalId: 'w1', update: { status, adminNotes: null, txid: null } }) as const;

const lost: LedgerEvent = {
  type: 'HistoryLost',
  data: {
    signedOrigin: 'log',
    signedSize: 9,
    signedRoot: 'r',
    lastKeptAtEpochMs: 0,
    acceptedBy: 'Ada',
    reason: 'disk',
  },
};
const two = () =>
  given(enrolledGamers(), funded(BOB, 0, 2_500), requested('w1'), requested('w2'), processing('w1'), processing('w2'));
const underWay = () => two().and(ordered('77', payout('w1')));
const UNDER_WAY = 'This payout is with the gateway: it can be decided once the gateway has answered';

describe('ordering payouts from the gateway', () => {
  it('records each, without moving money', () => {
    const { state } = two()
      .when(order('77', payout('w1'), payout('w2')))
      .thenHappens(ordered('77', payout('w1')), ordered('77', payout('w2')));
    expect(state.balances.get('payouts:pending')).toBe(2_000);
    expect(state.withdrawals.get('w1')?.order).toEqual({ batchId: '77', payoutId: 'w1-0', amount: '0.02' });
  });

  it('orders none when one is pending, ordered in another batch, ordered twice, or settled', () => {
    given(enrolledGamers(), funded(BOB, 0, 2_500), requested('w1'))
      .when(order('77', payout('w1')))
      .thenRefused(UNDER_WAY);
    underWay()
      .when(order('78', payout('w2'), payout('w1')))
      .thenRefused(UNDER_WAY);
    two()
      .when(order('77', payout('w1'), payout('w1')))
      .thenRefused(UNDER_WAY);
    underWay()
      .and(completed)
      .when(order('78', payout('w2'), payout('w1')))
      .thenRefused('This withdrawal is already completed and cannot be changed');
    underWay()
      .when(order('77', payout('w1', 1)))
      .thenRefused(UNDER_WAY);
    for (const scenario of [two(), two().and(profitMade(), profitRequested('w3', 1_000))])
      scenario.when(order('77', payout('w3'))).thenRefused('Withdrawal not found');
  });

  it('needs no event for an order that is in the log, unless payouts wait after a loss', () => {
    underWay()
      .when(order('77', payout('w1')))
      .thenNothing();
    for (const scenario of [two().and(lost), underWay().and(lost)])
      scenario
        .when(order('77', payout('w1')))
        .thenRefused('The log lost events, so payouts wait until the gateway was asked what it paid');
  });

  it('leaves no decision to the admin until the gateway has answered', () => {
    for (const status of ['processing', 'completed', 'returned'] as const)
      underWay().when(byHand(status)).thenRefused(UNDER_WAY);
  });
});

describe('the gateway’s answer', () => {
  it('completes the withdrawal when the ordered amount was paid', () => {
    const { state } = underWay().when(answered()).thenHappens(completed);
    expect(state.balances.get('world:crypto')).toBe(1_000);
  });

  it('brings a payout that failed or was rejected back to the admin: it can be ordered again, paid or returned', () => {
    const back = underWay()
      .when(answered({ status: 'rejected', paidAmount: null, txid: null }))
      .thenHappens(failed({ outcome: 'rejected' }));
    expect(back.state.balances.get('payouts:pending')).toBe(2_000);
    back.when(order('78', payout('w1', 1))).thenHappens(ordered('78', payout('w1', 1)));
    for (const type of ['WithdrawalCompleted', 'WithdrawalReturned'] as const) {
      const status = type === 'WithdrawalCompleted' ? 'completed' : 'returned';
      const settled = { ...completed, type, data: { ...completed.data, txid: null } } as LedgerEvent;
      underWay().and(failed({})).when(byHand(status)).thenHappens(settled);
    }
  });

  it.each([
    ['finished', '0.019'],
    ['finished', '0.02000001'],
    ['finished', null],
    ['failed', null],
  ] as const)('parks a payout that is %s with a transaction of %p: it is not ordered again', (status, paidAmount) => {
    underWay()
      .when(answered({ status, paidAmount }))
      .thenHappens(failed({ outcome: 'other-amount', paidAmount, txid: 'ab12' }))
      .when(order('78', payout('w1', 1)))
      .thenRefused('The gateway may have paid this withdrawal: decide it by hand');
  });

  it('changes nothing when it comes twice, or is about another order', () => {
    underWay().and(completed).when(answered()).thenNothing();
    underWay().and(failed({})).when(answered()).thenNothing();
    underWay()
      .when(answered({ payoutId: 'w1-1' }))
      .thenNothing();
  });

  it('is recorded after a loss too, if it names a transaction', () => {
    underWay().and(lost).when(answered()).thenHappens(completed);
    underWay()
      .and(lost)
      .when(answered({ txid: null }))
      .thenRefused('The log lost events, so payouts wait until the gateway was asked what it paid');
  });
});
