import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import { BOB, SECOND, T0 } from './testing/constants.js';
import { enrolledGamers, funded } from './testing/gamers.js';
import {
  historyLost,
  profitRequested,
  SIGNED,
  setWithdrawal,
  withdrawalProcessing,
  withdrawalRequested,
  withdrawalSettled,
} from './testing/money.js';
import { profitMade, roundLive } from './testing/rounds.js';
import { given } from './testing/scenario.js';

const acceptLoss = { type: 'AcceptLoss', signed: SIGNED, acceptedBy: ' Ada ', reason: ' a lost disk ' } as const;
const released = { type: 'PayoutsReleased', data: { paymentCount: 3, payoutCount: 1, reason: null } } as const;
const WAITS = 'The log lost events, so payouts wait until the gateway was asked what it paid';
const owing = () => given(enrolledGamers(), funded(BOB, 0, 2_500), withdrawalRequested('w1', 2_000));

describe('a loss of history', () => {
  it('is accepted with the signed head that the log lacks, by name and with a reason', () => {
    const { state } = owing()
      .when(acceptLoss, { at: T0 + 9 * SECOND })
      .thenHappens(historyLost());
    expect(state.losses).toEqual([{ ...historyLost().data, atMs: T0 + 9 * SECOND, revision: 6 }]);
  });

  it('is refused without a name or a reason, and a second time', () => {
    for (const missing of [{ acceptedBy: ' ' }, { reason: ' ' }])
      owing()
        .when({ ...acceptLoss, ...missing })
        .thenRefused('Please say who accepts the loss, and why');
    owing().and(historyLost()).when(acceptLoss).thenRefused('This loss is accepted already');
  });
});

describe('payouts after a loss', () => {
  const waiting = () => owing().and(historyLost());

  it.each(['processing', 'completed', 'returned'] as const)('wait: a withdrawal does not become %s', (status) => {
    waiting().when(setWithdrawal(status)).thenRefused(WAITS);
    if (status !== 'completed')
      waiting()
        .when(setWithdrawal(status, { txid: 'tx1' }))
        .thenRefused(WAITS);
  });

  it('are not cancelled by their gamers, and the profit waits too: the money may have left', () => {
    waiting().when({ type: 'CancelWithdrawal', gamerId: BOB, withdrawalId: 'w1' }).thenRefused(WAITS);
    given(enrolledGamers(), profitMade(), profitRequested('w1', 1_000), historyLost())
      .when({ ...setWithdrawal('completed'), type: 'UpdateProfitWithdrawal' })
      .thenRefused(WAITS);
  });

  it('are completed with the transaction that paid them before', () => {
    waiting()
      .when(setWithdrawal('completed', { txid: 'tx1' }))
      .thenHappens(withdrawalSettled('WithdrawalCompleted', 2_000, { txid: 'tx1' }));
  });

  it('go on once the gateway was asked, or when the admin says why it was not', () => {
    const release = { type: 'ReleasePayouts', paymentCount: 3, payoutCount: 1 } as const;
    waiting()
      .when({ ...release, reason: null })
      .thenHappens(released);
    waiting()
      .when({ ...release, reason: ' the wallet ' })
      .thenHappens({ ...released, data: { ...released.data, reason: 'the wallet' } });
    waiting()
      .when({ ...release, reason: ' ' })
      .thenRefused('Please say what you found out');
    owing()
      .when({ ...release, reason: null })
      .thenRefused('Payouts do not wait: the gateway was asked');
    const { state } = waiting().and(released);
    expect(state.arePayoutsHeld).toBe(false);
    waiting().and(released).when(setWithdrawal('processing')).thenHappens(withdrawalProcessing('w1'));
  });

  it('without a withdrawal are settled once each, with notes', () => {
    const settle = { type: 'SettlePayout', payoutId: '77', adminNotes: ' taken from alice ' } as const;
    const settled: LedgerEvent = { type: 'PayoutSettled', data: { payoutId: '77', adminNotes: 'taken from alice' } };
    waiting().when(settle).thenHappens(settled);
    waiting().and(settled).when(settle).thenHappens();
    waiting()
      .when({ ...settle, adminNotes: ' ' })
      .thenRefused('Please say what you found out');
    owing().when(settle).thenRefused('Payouts do not wait: the gateway was asked');
  });
});

describe('a countdown that reached zero in the lost time', () => {
  it('resumes with the time that was left: a lost purchase may have been the last', () => {
    const at = T0 + 500 * SECOND;
    const began = T0 + 10 * SECOND;
    given(enrolledGamers(), roundLive(T0 + 60 * SECOND), at, historyLost({ lastKeptAtMs: began }))
      .when({ type: 'AdvanceClock', lastAliveAtMs: at }, { at: at + 2 * SECOND })
      .thenHappens({
        type: 'LiveResumed',
        data: { roundId: 1, outageSeconds: 492, endsAtEpochMs: at + 52 * SECOND, lastAliveAtMs: began },
      });
  });

  it.each([
    ['ends when it was over as the last kept event came', T0 + 10 * SECOND, 'RoundEnded'],
    ['resumes when it was over as the loss was accepted', T0 + 500 * SECOND, 'LiveResumed'],
    ['ends when it was over after that', T0 + 501 * SECOND, 'RoundEnded'],
  ])('%s', (_, zero, type) => {
    const accepted = T0 + 500 * SECOND;
    const at = accepted + 2 * SECOND;
    const { events } = given(enrolledGamers(), roundLive(zero), accepted)
      .and(historyLost({ lastKeptAtMs: T0 + 10 * SECOND }))
      .when({ type: 'AdvanceClock', lastAliveAtMs: at }, { at });
    expect(events).toMatchObject([{ type }]);
  });
});
