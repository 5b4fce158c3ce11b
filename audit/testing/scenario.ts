import { type Actor, SYSTEM } from '../../contracts/events/metadata.js';
import { NO_LIMITS, NO_PROFILE } from '../../contracts/protection.js';
import type { CommandOf, LedgerCommand, PayoutOutcome } from '../../domain/ledger/ledger-commands.js';
import { ALICE, BOB, CAROL, DAY, SECOND, T0, TIMERS } from '../../domain/testing/constants.js';
import { type HistoryEntry, historyOf } from './histories.js';

/** An outage from five seconds before the end of the second round. */
export const OUTAGE_AT = T0 + 15_000 * SECOND;

/** 18:00 in Berlin. */
export const PLANNED_AT = T0 + 18_000 * SECOND;
const BERLIN = { timeZone: 'Europe/Berlin', repeat: 'daily' } as const;

const FRANK: Actor = { id: 'frank', role: 'operator' };

/** A day limit of 5,001 tokens plus one: one more purchase fits, two do not. */
const spending = { day: 150_080, week: null, month: null };
const higher = { ...spending, day: 150_110 };
const deposits = { day: null, week: null, month: 700 };
const limits = { ...NO_LIMITS, spending: { ...spending, day: 160_000 }, deposits: { ...deposits, month: 720 } };
const btc = { cryptoType: 'BTC' as const };
const enrol = (gamerId: string, sponsorId: string | null = null) =>
  ({ type: 'EnrolGamer', gamerId, sponsorId }) satisfies LedgerCommand;
const request = { ...btc, amountCents: 1_000, walletAddress: 'bc1q' };
const updated = <T extends 'UpdateWithdrawal' | 'UpdateProfitWithdrawal'>(
  type: T,
  withdrawalId: string,
  status: 'processing' | 'returned' | 'completed',
) => ({ type, withdrawalId, update: { adminNotes: null, txid: null, status } });
const gift = (gamerId: string, purchaseCents: number, winningsCents: number) =>
  ({ type: 'AdjustBalance', gamerId, purchaseCents, winningsCents, reason: 'a gift' }) satisfies LedgerCommand;
const deposit = (paymentId: string, gamerId: string) =>
  ({ type: 'CreditDeposit', paymentId, gamerId, money: { ...btc, ...money(700, 35) } }) satisfies LedgerCommand;

/** An honest history with every event: two rounds, an outage, money in and out, and a removed gamer whose children move. */
export const scenario = (): HistoryEntry[] =>
  historyOf([
    [T0, { type: 'EnrolAdmin', gamerId: 'admin' }],
    [T0, enrol(ALICE)],
    [T0, enrol(BOB, ALICE)],
    [T0, enrol(CAROL)],
    [T0, enrol('dan', ALICE)],
    [T0, enrol('erin', 'dan')],
    [T0, enrol('frank', 'dan')],
    [T0, gift(BOB, 1_000, 2_500)],
    [T0, gift('dan', 40, 2)],
    [T0, { type: 'SetDepositorStatus', gamerId: ALICE, isDepositor: true }],
    [T0, { type: 'ChangeTimers', timers: { ...TIMERS, pregameDurationSeconds: 60 } }],
    [T0, { type: 'StartGame' }],
    [T0 + 60 * SECOND, { type: 'AdvanceClock', lastAliveAtMs: T0 + 60 * SECOND }],
    [T0 + 61 * SECOND, { type: 'BuyTokens', buyerId: BOB, quantity: 2 }, 'p1'],
    [T0 + 62 * SECOND, deposit('pay1', CAROL), 'd1'],
    [T0 + 63 * SECOND, { type: 'BuyTokens', buyerId: CAROL, quantity: 1 }, 'p2'],
    [T0 + 64 * SECOND, invoice('pay2', 1), 'p3'],
    [T0 + 65 * SECOND, { type: 'RequestWithdrawal', gamerId: BOB, request }, 'w1'],
    [T0 + 66 * SECOND, updated('UpdateWithdrawal', 'w1', 'processing')],
    // The gateway is ordered to pay it, and rejects the payout twice.
    ...[0, 1].flatMap((attempt) => [
      [T0 + (66 + attempt / 2) * SECOND, orderPayout('w1', attempt)] as const,
      [T0 + (66 + attempt / 2) * SECOND, payoutOutcome('w1', attempt, 'rejected', null)] as const,
    ]),
    [T0 + 67 * SECOND, updated('UpdateWithdrawal', 'w1', 'completed')],
    [T0 + 68 * SECOND, { type: 'RequestWithdrawal', gamerId: BOB, request }, 'w2'],
    [T0 + 69 * SECOND, { type: 'TransferWinnings', gamerId: BOB, amountCents: 100 }],
    [T0 + 400 * SECOND, { type: 'AdvanceClock', lastAliveAtMs: T0 + 400 * SECOND }],
    [T0 + 500 * SECOND, invoice('pay3', 2)],
    [T0 + 510 * SECOND, { type: 'RecordDeposit', ...parked('pay4'), gamerId: CAROL }, 'd4'],
    [T0 + 511 * SECOND, { type: 'ApproveDeposit', depositId: 'd4', gamerId: null }],
    [T0 + 512 * SECOND, { type: 'RecordDeposit', ...parked('pay5'), gamerId: null }, 'd5'],
    [T0 + 513 * SECOND, { type: 'RejectDeposit', depositId: 'd5', adminNotes: null }],
    [T0 + 514 * SECOND, { type: 'RemoveGamer', gamerId: 'dan' }],
    // Frank becomes an operator, and settles the withdrawal.
    [T0 + 515 * SECOND, { type: 'SetStaffStatus', gamerId: 'frank', isStaff: true, powers: ['money'] }],
    [T0 + 520 * SECOND, updated('UpdateWithdrawal', 'w2', 'returned'), undefined, FRANK],
    [T0 + 521 * SECOND, { type: 'RequestWithdrawal', gamerId: BOB, request }, 'w5'],
    [T0 + 521 * SECOND + 999, { type: 'CancelWithdrawal', gamerId: BOB, withdrawalId: 'w5' }],
    [T0 + 522 * SECOND, { type: 'RequestWithdrawal', gamerId: BOB, request }, 'w6'],
    [T0 + 523 * SECOND, updated('UpdateWithdrawal', 'w6', 'processing')],
    [T0 + 524 * SECOND, orderPayout('w6', 0)],
    [T0 + 525 * SECOND, payoutOutcome('w6', 0, 'finished', 'ab12')],
    [T0 + 15_000 * SECOND - 120 * SECOND, { type: 'ForceStartLive' }],
    [T0 + 15_000 * SECOND, { type: 'BuyTokens', buyerId: CAROL, quantity: 1 }, 'p4'],
    // The countdown ends 210 seconds after p4; no node was alive from 205 seconds after it to 230 seconds after it.
    [OUTAGE_AT + 230 * SECOND, { type: 'AdvanceClock', lastAliveAtMs: OUTAGE_AT + 205 * SECOND }],
    [OUTAGE_AT + 231 * SECOND, { type: 'ResetGame', reason: 'a test' }],
    // A start is planned daily for 18:00 in Berlin, begins then, and is cancelled for the next day.
    [OUTAGE_AT + 232 * SECOND, { type: 'ScheduleGame', localTime: '2026-01-01T18:00', ...BERLIN }],
    [PLANNED_AT, { type: 'AdvanceClock', lastAliveAtMs: PLANNED_AT }, undefined, SYSTEM],
    [PLANNED_AT + SECOND, { type: 'ResetGame', reason: 'a test' }],
    [PLANNED_AT + SECOND, { type: 'CancelSchedule', startsAtMs: PLANNED_AT + DAY }],
    [T0 + DAY, gift(BOB, 300_000, 0), undefined, FRANK],
    [T0 + DAY, { type: 'ForceStartLive' }],
    [T0 + DAY + SECOND, { type: 'BuyTokens', buyerId: BOB, quantity: 5_000 }, 'p5'],
    [T0 + DAY + 2 * SECOND, { type: 'RequestProfitWithdrawal', request }, 'w3'],
    [T0 + DAY + 3 * SECOND, updated('UpdateProfitWithdrawal', 'w3', 'returned')],
    [T0 + DAY + 4 * SECOND, { type: 'RequestProfitWithdrawal', request }, 'w4'],
    [T0 + DAY + 5 * SECOND, updated('UpdateProfitWithdrawal', 'w4', 'completed')],
    [T0 + DAY + 6 * SECOND, { type: 'ExcludeGamer', gamerId: CAROL, kind: 'time-out', days: 7 }],
    [T0 + DAY + 7 * SECOND, { type: 'ExcludeGamer', gamerId: ALICE, kind: 'self-exclusion', days: 184 }],
    [T0 + DAY + 8 * SECOND, { type: 'ShareExclusion', gamerId: 'erin', from: ALICE }],
    // Alice, the upline of Bob, is a depositor and is not paid.
    [T0 + DAY + 8 * SECOND, { type: 'SetDepositorStatus', gamerId: ALICE, isDepositor: true }],
    [T0 + DAY + 9 * SECOND, { type: 'BuyTokens', buyerId: BOB, quantity: 1 }, 'p6'],
    [T0 + DAY + 10 * SECOND, { ...invoice('pay6', 1), roundId: 4 }],
    [T0 + DAY + 11 * SECOND, { type: 'ReleaseBalance', gamerId: CAROL }],
    [T0 + DAY + 11 * SECOND, { type: 'SetProtectionProfile', profile: 'strict', limits, mustChooseLimits: true }],
    // Bob's limit counts the whole day: one more token of $0.30 fits into it, and the invoice does not.
    [T0 + DAY + 12 * SECOND, { type: 'SetLimits', gamerId: BOB, limits: { ...NO_LIMITS, spending, deposits } }],
    [T0 + DAY + 13 * SECOND, { type: 'BuyTokens', buyerId: BOB, quantity: 1 }, 'p7'],
    [T0 + DAY + 14 * SECOND, { ...invoice('pay7', 1), gamerId: BOB, roundId: 4 }],
    [T0 + DAY + 15 * SECOND, deposit('pay8', BOB), 'd8'],
    [T0 + DAY + 15 * SECOND, { type: 'SetProtectionProfile', ...NO_PROFILE }],
    [T0 + DAY + 16 * SECOND, { type: 'SetLimits', gamerId: BOB, limits: { ...NO_LIMITS, spending: higher, deposits } }],
    [T0 + 2 * DAY + 16 * SECOND, { type: 'ConfirmLimits', gamerId: BOB }],
    [T0 + 200 * DAY, { type: 'LiftExclusion', gamerId: ALICE }],
  ]);

const orderPayout = (withdrawalId: string, attempt: number): CommandOf<'OrderPayouts'> => {
  const payout = { withdrawalId, payoutId: `${withdrawalId}-${attempt}`, amount: '0.0002' };
  return { type: 'OrderPayouts', batchId: '77', payouts: [payout] };
};

const payoutOutcome = (withdrawalId: string, attempt: number, status: PayoutOutcome['status'], txid: string | null) =>
  ({
    type: 'RecordPayoutOutcome',
    withdrawalId,
    payoutId: `${withdrawalId}-${attempt}`,
    status,
    txid,
    paidAmount: '0.0002',
  }) satisfies LedgerCommand;

const money = (amountCents: number, feeCents: number) => ({ amountCents, feeCents });

const parked = (paymentId: string) =>
  ({ paymentId, purpose: 'deposit', money: { ...btc, ...money(1_000, 50) }, reason: 'late' }) as const;

const invoice = (paymentId: string, quantity: number): CommandOf<'SettleInvoice'> => {
  const amountCents = quantity * 30;
  return { type: 'SettleInvoice', paymentId, gamerId: CAROL, quantity, amountCents, roundId: 1, ...btc };
};
