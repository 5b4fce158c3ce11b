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
  ['HistoryLost says another time of the event before it', lostBefore('GameReset', { laterMs: 1 })],
  ['and not by the system', lostBefore('GameReset', { actor: ADMIN })],
  ['RoundEnded ends in a time whose events were lost', lostBefore('RoundEnded')],
  ['LiveResumed resumes after another time than the lost one', lostBefore('LiveResumed')],
  ...(['WithdrawalCompleted', 'ProfitWithdrawalCompleted'] as const).map(
    (type): Forgery => [`${type} completes a payout before the gateway was asked`, lostBefore(type)],
  ),
  ...(['WithdrawalProcessing', 'PayoutOrdered', 'ProfitWithdrawalReturned', 'WithdrawalReturned'] as const).map(
    (type): Forgery => [`${type} changes a payout before the gateway was asked`, lostBefore(type)],
  ),
  [
    'PayoutsReleased is about a loss, and there was none',
    before('GameReset', { type: 'PayoutsReleased', data: { paymentCount: 0, payoutCount: 0, reason: null } }),
  ],
  [
    'PayoutSettled is about a loss, and there was none',
    before('GameReset', { type: 'PayoutSettled', data: { payoutId: '5001', adminNotes: 'paid' } }),
  ],
];
