import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import { SYSTEM } from '../../contracts/events/metadata.js';
import { NO_LIMITS, type PlayLimits, type WantedLimits } from '../../contracts/limits.js';
import { ALICE, BOB, CAROL, DAY, funded, powersSet, SECOND, staffStatus, T0 } from '../../domain/testing/events.js';
import { before, data, type Forgery, metadata, replaced, twice, without } from './forgeries.js';

/** Bob's deposit of $7.00, which was held back, is credited. */
const approvedBeyondLimits = replaced(
  'DepositRecorded',
  {
    type: 'DepositApproved',
    data: {
      ...{ depositId: 'd8', paymentId: 'pay8', purpose: 'deposit', gamerId: BOB, amountCents: 700, feeCents: 35 },
      ...{ cryptoType: 'BTC', depositorUntilEpochMs: null, purchaseBalanceCents: 0, reassignmentReason: null },
    },
  },
  2,
);

/** Carol deposited $7.00 that day, and buys one token by an invoice. */
const depositLimitADay = (day: number): LedgerEvent => ({
  type: 'ProtectionProfileSet',
  data: {
    profile: 'standard',
    limits: { ...NO_LIMITS, deposits: { day, week: null, month: null } },
    mustChooseLimits: false,
  },
});

/** Changes an event's limits of a kind. */
const limited =
  (kind: keyof PlayLimits, periods: Partial<PlayLimits['loss']>) =>
  (one: { limits: PlayLimits }): void => {
    one.limits = { ...one.limits, [kind]: { day: null, week: null, month: null, ...periods } };
  };

export const FORGED_ACTORS: readonly Forgery[] = [
  // Staff.
  ['bob is staff and may not buy', before('TokenPurchased', staffStatus(BOB, true))],
  ['pays $0.06 to alice at level 1, direct, and owes nothing', before('TokenPurchased', staffStatus(ALICE, true))],
  ['WithdrawalRequested is for bob, who is staff', before('WithdrawalRequested', staffStatus(BOB, true))],
  ['sets bob to what they are already', before('GameReset', staffStatus(BOB, false))],
  [
    'was caused by bob as gamer, and not by the admin',
    before('GameReset', staffStatus(BOB, true), 0, { id: BOB, role: 'gamer' }),
  ],
  ['was caused by system as system, and not by the admin', before('GameReset', staffStatus(BOB, false), 0, SYSTEM)],
  ['is for carol, who bought last in the live round', before('RoundEnded', staffStatus(CAROL, true))],
  // Operators.
  [
    'WithdrawalReturned was caused by frank as operator, and not by anyone with the power money',
    data('PowersSet', (one) => (one.powers = ['game', 'support', 'community'])),
  ],
  [
    'WithdrawalReturned was caused by frank as operator, and not by anyone with the power money',
    before('WithdrawalReturned', powersSet('frank', [])),
  ],
  [
    'BalanceAdjusted was caused by bob as operator, and not by anyone with the power money',
    metadata('BalanceAdjusted', (one) => (one.actor = { id: BOB, role: 'operator' })),
  ],
  [
    'BalanceAdjusted was caused by frank as operator, and not by anyone with the power money',
    before('GameReset', funded('frank', 1), 0, { id: 'frank', role: 'operator' }),
  ],
  [
    'was caused by frank as operator, and not by the admin',
    metadata('ProfitWithdrawalCompleted', (one) => (one.actor = { id: 'frank', role: 'operator' })),
  ],
  [
    'was caused by frank as operator, and not by the admin',
    before('GameReset', powersSet('frank', ['game', 'money']), 0, { id: 'frank', role: 'operator' }),
  ],
  ['gives powers to bob, who is not staff', before('GameReset', powersSet(BOB, ['money']))],
  ['the powers that they have', before('GameReset', powersSet('frank', ['money']))],
  ['ends the status of frank, who has powers', before('GameReset', staffStatus('frank', false))],
  // Time-outs and self-exclusion.
  ['buys for carol, who is excluded', data('TokenPurchased', (one) => (one.buyerId = CAROL), 5)],
  [
    'lifts a self-exclusion that carol does not have',
    replaced('GamerExcluded', { type: 'ExclusionLifted', data: { gamerId: CAROL, playsFromEpochMs: 0 } }),
  ],
  [
    'pays $0.03 to alice at level 1, direct, and owes nothing',
    data('TokenPurchased', (one) => one.allocations.push({ gamerId: ALICE, level: 1, direct: true, cents: 3 }), 5),
  ],
  [
    'transfers winnings for carol, who is excluded',
    replaced('BalanceReleased', {
      type: 'WinningsTransferred',
      data: { gamerId: CAROL, amountCents: 1, purchaseBalanceCents: 1 },
    }),
  ],
  ['which is no length of a time-out', data('GamerExcluded', (one) => (one.untilEpochMs -= SECOND))],
  [
    'shortens the exclusion of alice',
    data('GamerExcluded', (one) => Object.assign(one, { gamerId: ALICE, untilEpochMs: T0 + 400 * DAY }), 0),
  ],
  ['lifts a self-exclusion before its end', metadata('ExclusionLifted', (one) => (one.at = T0 + 100 * DAY))],
  ['does not wait a day', data('ExclusionLifted', (one) => (one.playsFromEpochMs -= SECOND))],
  [
    'was caused by admin as admin, and not by the gamer carol',
    metadata('GamerExcluded', (one) => (one.actor = { id: 'admin', role: 'admin' })),
  ],
  ['releases the balance of bob, who is not excluded', data('BalanceReleased', (one) => (one.gamerId = BOB))],
  // Limits.
  ['breaks the spending limit of $1500.59 a day', data('LimitsSet', limited('spending', { day: 150_059 }))],
  ['breaks the loss limit of $0.29 a month', data('LimitsSet', limited('loss', { month: 29 }))],
  ['breaks the deposits limit of $7.00 a month', approvedBeyondLimits],
  [
    'TokenPurchased breaks the operator’s deposits limit of $7.29 a day',
    before('TokenPurchased', depositLimitADay(729), 2, SYSTEM),
  ],
  ['parks a deposit that breaks no limit', data('DepositRecorded', (one) => (one.reason = 'over-limit'))],
  ['raises a limit of bob at once', data('LimitsSet', limited('spending', { day: 150_081 }), 1)],
  [
    'raises a limit of bob at once',
    data('LimitsSet', (one) => Object.assign(one, { limits: one.wanted?.limits, wanted: null }), 1),
  ],
  [
    'does not wait a day for higher limits',
    data(
      'LimitsSet',
      (one) => (one.wanted = { ...(one.wanted as WantedLimits), confirmableFromEpochMs: T0 + 2 * DAY }),
      1,
    ),
  ],
  ['confirms limits within a day', metadata('LimitsConfirmed', (one) => (one.at -= SECOND))],
  ['confirms limits that were not wanted', data('LimitsConfirmed', limited('deposits', {}))],
  [
    'was caused by admin as admin, and not by the gamer bob',
    metadata('LimitsConfirmed', (one) => (one.actor = { id: 'admin', role: 'admin' })),
  ],
  [
    'says that bob played for other amounts than they did',
    data('LimitsSet', (one) => (one.used = { ...one.used!, spending: { day: 30, week: 30, month: 30 } })),
  ],
  // The operator's profile.
  [
    'breaks the operator’s spending limit of $1500.59 a day',
    data('ProtectionProfileSet', limited('spending', { day: 150_059 })),
  ],
  ['breaks the operator’s deposits limit of $7.20 a month', approvedBeyondLimits],
  ['buys for bob, who has to choose limits first', without('LimitsSet')],
  [
    'was caused by admin as admin, and not by the system',
    metadata('ProtectionProfileSet', (one) => (one.actor = { id: 'admin', role: 'admin' })),
  ],
  ['sets a limit above a million dollars', data('ProtectionProfileSet', limited('loss', { day: 100_000_001 }))],
  ['changes nothing', twice('ProtectionProfileSet', { commandId: 'again' })],
];
