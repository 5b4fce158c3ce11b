import type { Actor } from '../../contracts/events/metadata.js';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { NO_LIMITS } from '../../contracts/protection.js';
import type { LedgerCommand } from '../../domain/ledger/ledger-commands.js';
import { ALICE, BOB, SECOND, T0 } from '../../domain/testing/events.js';
import { decided, recorded } from './histories.js';

const timers = (liveDurationSeconds: number) =>
  ({
    type: 'ChangeTimers',
    timers: { pregameDurationSeconds: 60, liveDurationSeconds, downtimeDurationSeconds: 60, tokenExtensionSeconds: 30 },
  }) satisfies LedgerCommand;
const money = { amountCents: 10_000, feeCents: 500, cryptoType: 'BTC' } as const;
const request = { amountCents: 1_000, cryptoType: 'BTC', walletAddress: 'bc1q' } as const;
const signed = { signedOrigin: 'play.example/ledger', signedSize: 400, signedRoot: 'ab'.repeat(32) };
const completed = { status: 'completed', adminNotes: null, txid: null } as const;
const operator: Actor = { id: 'frank', role: 'operator' };
type Step = readonly [LedgerCommand, freshId?: string, actor?: Actor];

const STEPS: Step[] = [
  [{ type: 'EnrolAdmin', gamerId: 'admin' }],
  ...[ALICE, BOB, 'carol', 'dan', 'frank'].map((gamerId): Step => [{ type: 'EnrolGamer', gamerId, sponsorId: null }]),
  [{ type: 'AdjustBalance', gamerId: BOB, purchaseCents: 5_000, winningsCents: 9_000, reason: 'a gift' }],
  [{ type: 'RequestWithdrawal', gamerId: BOB, request }, 'w1'],
  [timers(110)],
  [{ type: 'UpdateWithdrawal', withdrawalId: 'w1', update: completed }],
  [{ type: 'RequestWithdrawal', gamerId: BOB, request }, 'w2'],
  [{ type: 'RequestWithdrawal', gamerId: BOB, request }, 'w3'],
  [{ type: 'UpdateWithdrawal', withdrawalId: 'w3', update: { ...completed, status: 'processing' } }],
  [{ type: 'OrderPayouts', batchId: '77', payouts: [{ withdrawalId: 'w3', payoutId: 'w3-0', amount: '0.0002' }] }],
  [{ type: 'CreditDeposit', paymentId: 'pay1', gamerId: BOB, money }, 'd1'],
  [{ type: 'RecordDeposit', paymentId: 'pay2', purpose: 'deposit', gamerId: BOB, money, reason: 'late' }, 'd2'],
  [{ type: 'RecordDeposit', paymentId: 'pay3', purpose: 'deposit', gamerId: null, money, reason: 'late' }, 'd3'],
  [{ type: 'RejectDeposit', depositId: 'd2', adminNotes: null }],
  [{ type: 'ForceStartLive' }],
  [{ type: 'BuyTokens', buyerId: BOB, quantity: 2 }, 'p1'],
  [{ type: 'AdvanceClock', lastAliveAtMs: 0 }],
  [{ type: 'AdvanceClock', lastAliveAtMs: 0 }],
  [{ type: 'ForceStartLive' }],
  ...Array.from({ length: 27 }, (_, index): Step => [{ type: 'BuyTokens', buyerId: BOB, quantity: 1 }, `q${index}`]),
  [{ type: 'ExcludeGamer', gamerId: ALICE, kind: 'time-out', days: 7 }],
  [{ type: 'SetLimits', gamerId: 'carol', limits: { ...NO_LIMITS, loss: { day: 100, week: null, month: null } } }],
  [{ type: 'SetLimits', gamerId: 'carol', limits: NO_LIMITS }],
  [{ type: 'SetStaffStatus', gamerId: 'frank', isStaff: true, powers: ['money'] }],
  ...[true, false].map(
    (isStaff): Step => [{ type: 'SetStaffStatus', gamerId: 'dan', isStaff, powers: isStaff ? ['game'] : [] }],
  ),
  [{ type: 'AcceptLoss', signed, acceptedBy: 'Ada', reason: 'a lost disk' }],
  [{ type: 'SettlePayout', payoutId: '5001', adminNotes: 'paid by hand' }],
  [{ type: 'AdjustBalance', gamerId: 'dan', purchaseCents: 60_000, winningsCents: 0, reason: 'large' }, 'a1', operator],
];

/** A history after which every part of the state has entries. */
export function fullHistory(): RecordedLedgerEvent[] {
  let at = T0;
  return recorded(
    decided(
      STEPS.map(([command, freshId, actor]) => {
        at += command.type === 'AdvanceClock' ? 10_000 * SECOND : 2 * SECOND;
        const advanced = command.type === 'AdvanceClock' ? { ...command, lastAliveAtMs: at } : command;
        return [at, advanced, freshId, actor] as const;
      }),
    ),
  );
}
