import type { LedgerEvent, LedgerEventType } from '../../contracts/events/ledger-events.js';
import { type Actor, SYSTEM } from '../../contracts/events/metadata.js';
import { SECOND, T0 } from '../../domain/testing/constants.js';
import { historyLost } from '../../domain/testing/money.js';
import { before, data, type Events, type Forgery, inTurn, metadata } from './forgeries.js';
import { OUTAGE_AT } from './scenario.js';

const END = T0 + 300 * SECOND;
const BOB_HIMSELF: Actor = { id: 'bob', role: 'gamer' };

const PAYOUTS_RELEASED: LedgerEvent = {
  type: 'PayoutsReleased',
  data: { paymentCount: 0, payoutCount: 0, reason: null },
};

const PAYOUT_SETTLED: LedgerEvent = { type: 'PayoutSettled', data: { payoutId: '5001', adminNotes: 'paid' } };

/** The operator accepts a loss right before an event of this type: the first, or the nth from 0 on. */
export const lostBefore =
  (type: LedgerEventType, { nth = 0, actor = SYSTEM, laterMs = 0, atMs = 0 } = {}) =>
  (events: Events): Events => {
    const inserted = before(type, historyLost(), nth, actor)(events);
    const last = inserted[inserted.findIndex(({ event }) => event.type === 'HistoryLost') - 1];
    if (atMs > 0) metadata('HistoryLost', { at: atMs })(inserted);
    return data('HistoryLost', { lastKeptAtMs: (last?.metadata.at ?? 0) + laterMs })(inserted);
  };

const resumedThen = inTurn(lostBefore('LiveResumed'), data('LiveResumed', { lastAliveAtMs: OUTAGE_AT }));
const releasedBefore = inTurn(
  lostBefore('ProfitWithdrawalCompleted'),
  before('ProfitWithdrawalCompleted', PAYOUTS_RELEASED),
);

export const FORGED_LOSSES: readonly Forgery[] = [
  ['HistoryLost says another time of the event before it', lostBefore('GameReset', { laterMs: 1 })],
  ['and not by the system', lostBefore('GameReset', { actor: BOB_HIMSELF })],
  ['whose events were lost', lostBefore('RoundEnded', { atMs: END }), lostBefore('WinningsTransferred')],
  ['LiveResumed resumes after another time than the lost one', lostBefore('LiveResumed'), resumedThen],
  // A withdrawal that was paid before may be completed.
  ['\nWithdrawalCompleted completes', lostBefore('WithdrawalCompleted'), lostBefore('WithdrawalCompleted', { nth: 1 })],
  ['\nProfitWithdrawalCompleted completes a payout', lostBefore('ProfitWithdrawalCompleted'), releasedBefore],
  ...(['WithdrawalProcessing', 'PayoutOrdered', 'ProfitWithdrawalReturned', 'WithdrawalReturned'] as const).map(
    (type): Forgery => [`\n${type} changes a payout before the gateway was asked`, lostBefore(type)],
  ),
  ['system or anyone with the power money\nPayoutsReleased is', before('GameReset', PAYOUTS_RELEASED, 0, BOB_HIMSELF)],
  [
    'by anyone with the power money\nPayoutSettled is about a loss',
    before('GameReset', PAYOUT_SETTLED, 0, BOB_HIMSELF),
  ],
];
