import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import { lossHoldingPayouts } from './history-loss.js';
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
import { given, itHappens, itRefuses, type Past } from './testing/scenario.js';

const acceptLoss = { type: 'AcceptLoss', signed: SIGNED, acceptedBy: ' Ada ', reason: ' a lost disk ' } as const;
const WAITS = 'The log lost events, so payouts are on hold until the gateway is asked what it paid';
const owing: Past[] = [enrolledGamers(), funded(BOB, 0, 2_500), withdrawalRequested('w1', 2_000)];

describe('a loss of history', () => {
  it('is accepted with the signed head that the log lacks, by name and with a reason', () => {
    const { state } = given(owing)
      .when(acceptLoss, { atMs: T0 + 9 * SECOND })
      .thenHappens(historyLost());
    expect(state.losses).toEqual([{ ...historyLost().data, atMs: T0 + 9 * SECOND, revision: 6 }]);
    expect(lossHoldingPayouts(state)).toBe(state.losses[0]);
    expect(lossHoldingPayouts({ ...state, arePayoutsHeld: false })).toBeNull();
  });

  const WHO_AND_WHY = 'Please say who accepts the loss, and why';
  itRefuses([
    ['is refused without a name', owing, { ...acceptLoss, acceptedBy: ' ' }, WHO_AND_WHY],
    ['is refused without a reason', owing, { ...acceptLoss, reason: ' ' }, WHO_AND_WHY],
    ['is refused a second time', [owing, historyLost()], acceptLoss, 'This loss is accepted already'],
  ]);
});

describe('payouts after a loss', () => {
  const waiting: Past[] = [owing, historyLost()];
  const profitWaits: Past[] = [enrolledGamers(), profitMade(), profitRequested('w1', 1_000), historyLost()];
  const ofProfit = { ...setWithdrawal('completed'), type: 'UpdateProfitWithdrawal' } as const;
  const cancel = { type: 'CancelWithdrawal', gamerId: BOB, withdrawalId: 'w1' } as const;
  const paid = { txid: 'tx1' };
  const release = (reason: string | null) =>
    ({ type: 'ReleasePayouts', paymentCount: 3, payoutCount: 1, reason }) as const;
  const released = (reason: string | null): LedgerEvent => ({
    type: 'PayoutsReleased',
    data: { paymentCount: 3, payoutCount: 1, reason },
  });
  /** Of a payout without a withdrawal. */
  const settle = (adminNotes: string) => ({ type: 'SettlePayout', payoutId: '77', adminNotes }) as const;
  const settled: LedgerEvent = { type: 'PayoutSettled', data: { payoutId: '77', adminNotes: 'taken from alice' } };
  const completed = withdrawalSettled('WithdrawalCompleted', 2_000, paid);

  const UNKNOWN = 'Please say what you found out';
  const NOT_WAITING = 'Payouts are not on hold';
  // The money may have left.
  itRefuses([
    ['wait: none becomes processing', waiting, setWithdrawal('processing', paid), WAITS],
    ['wait: none becomes returned', waiting, setWithdrawal('returned', paid), WAITS],
    ['wait: none becomes completed without its transaction', waiting, setWithdrawal('completed'), WAITS],
    ['are not cancelled by their gamers', waiting, cancel, WAITS],
    ['wait also when they are of the profit', profitWaits, ofProfit, WAITS],
    ['are not released without a reason', waiting, release(' '), UNKNOWN],
    ['are not released twice', owing, release(null), NOT_WAITING],
    ['are not settled without notes', waiting, settle(' '), UNKNOWN],
    ['are not settled while they do not wait', owing, settle('taken'), NOT_WAITING],
  ]);

  itHappens([
    ['are completed with the transaction that paid them', waiting, setWithdrawal('completed', paid), [completed]],
    ['are released once the gateway was asked', waiting, release(null), [released(null)]],
    ['are released when the admin says why not', waiting, release(' the wallet '), [released('the wallet')]],
    ['go on then', [waiting, released(null)], setWithdrawal('processing'), [withdrawalProcessing('w1')]],
    ['are settled with notes', waiting, settle(' taken from alice '), [settled]],
    ['are settled once', [waiting, settled], settle('taken from alice'), []],
  ]);
});

describe('a countdown that reached zero in the lost time', () => {
  it('resumes with the time that was left: a lost purchase may have been the last', () => {
    const atMs = T0 + 500 * SECOND;
    const began = T0 + 10 * SECOND;
    given(enrolledGamers(), roundLive(T0 + 60 * SECOND), atMs, historyLost({ lastKeptAtMs: began }))
      .when({ type: 'AdvanceClock', lastAliveAtMs: atMs }, { atMs: atMs + 2 * SECOND })
      .thenHappens({
        type: 'LiveResumed',
        data: { roundId: 1, outageSeconds: 492, endsAtEpochMs: atMs + 52 * SECOND, lastAliveAtMs: began },
      });
  });

  it.each([
    ['ends when it was over as the last kept event came', T0 + 10 * SECOND, 'RoundEnded'],
    ['resumes when it was over as the loss was accepted', T0 + 500 * SECOND, 'LiveResumed'],
    ['ends when it was over after that', T0 + 501 * SECOND, 'RoundEnded'],
  ])('%s', (_, zero, type) => {
    const accepted = T0 + 500 * SECOND;
    const atMs = accepted + 2 * SECOND;
    const { events } = given(enrolledGamers(), roundLive(zero), accepted)
      .and(historyLost({ lastKeptAtMs: T0 + 10 * SECOND }))
      .when({ type: 'AdvanceClock', lastAliveAtMs: atMs }, { atMs });
    expect(events).toMatchObject([{ type }]);
  });
});
