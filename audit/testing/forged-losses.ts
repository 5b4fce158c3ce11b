import type { LedgerEventType } from '../../contracts/events/ledger-events.js';
import type { Actor } from '../../contracts/events/metadata.js';
import { SYSTEM } from '../../contracts/events/metadata.js';
import { before, data, type Events, type Forgery } from './forgeries.js';

const ADMIN: Actor = { id: 'admin', role: 'admin' };
const LOST = {
  signedOrigin: 'play.example/ledger',
  signedSize: 400,
  signedRoot: 'ab'.repeat(32),
  lastKeptAtEpochMs: 0,
  acceptedBy: 'Ada',
  reason: 'a lost disk',
};

/** The operator accepts a loss right before an event of this type: the first, or the nth from 0 on. */
const lostBefore =
  (type: LedgerEventType, { nth = 0, actor = SYSTEM, laterMs = 0 } = {}) =>
  (events: Events): Events => {
    const inserted = before(type, { type: 'HistoryLost', data: { ...LOST } }, nth, actor)(events);
    const last = inserted[inserted.findIndex(({ event }) => event.type === 'HistoryLost') - 1];
    const lastKeptAtEpochMs = (last?.metadata.at ?? 0) + laterMs;
    return data('HistoryLost', (lost) => Object.assign(lost, { lastKeptAtEpochMs }))(inserted);
  };

export const FORGED_LOSSES: readonly Forgery[] = [
  [
    'a loss of less than was lost',
    lostBefore('GameReset', { laterMs: 1 }),
    'HistoryLost says another time of the event before it',
  ],
  ['a loss that the admin accepts', lostBefore('GameReset', { actor: ADMIN }), 'and not by the system'],
  [
    'a round that ends in a time whose events were lost',
    lostBefore('RoundEnded'),
    'RoundEnded ends in a time whose events were lost',
  ],
  [
    'a round that goes on with less time than was lost',
    lostBefore('LiveResumed'),
    'LiveResumed resumes after another time than the lost one',
  ],
  ...(['WithdrawalCompleted', 'ProfitWithdrawalCompleted'] as const).map(
    (type): Forgery => [
      `${type} without a transaction before the gateway was asked`,
      lostBefore(type),
      `${type} completes a payout before the gateway was asked`,
    ],
  ),
  ...(['WithdrawalProcessing', 'WithdrawalReturned', 'ProfitWithdrawalReturned'] as const).map(
    (type): Forgery => [
      `${type} before the gateway was asked`,
      lostBefore(type),
      `${type} changes a payout before the gateway was asked`,
    ],
  ),
  [
    'payouts that are released without a loss',
    before('GameReset', { type: 'PayoutsReleased', data: { paymentCount: 0, payoutCount: 0, reason: null } }),
    'PayoutsReleased is about a loss, and there was none',
  ],
  [
    'a payout that is settled without a loss',
    before('GameReset', { type: 'PayoutSettled', data: { payoutId: '5001', adminNotes: 'paid' } }),
    'PayoutSettled is about a loss, and there was none',
  ],
];
