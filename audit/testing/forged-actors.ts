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
  ['a purchase by staff', before('TokenPurchased', staffStatus(BOB, true)), 'bob is staff and may not buy'],
  [
    'a share of the matrix for staff',
    before('TokenPurchased', staffStatus(ALICE, true)),
    'pays $0.06 to alice at level 1, direct, and owes nothing',
  ],
  [
    'a withdrawal by staff',
    before('WithdrawalRequested', staffStatus(BOB, true)),
    'WithdrawalRequested is for bob, who is staff',
  ],
  ['staff who become staff', before('GameReset', staffStatus(BOB, false)), 'sets bob to what they are already'],
  [
    'staff set by a gamer',
    before('GameReset', staffStatus(BOB, true), 0, { id: BOB, role: 'gamer' }),
    'was caused by bob as gamer, and not by the admin',
  ],
  [
    'staff ended by the system',
    before('GameReset', staffStatus(BOB, false), 0, SYSTEM),
    'was caused by system as system, and not by the admin',
  ],
  [
    'a leader who becomes staff',
    before('RoundEnded', staffStatus(CAROL, true)),
    'is for carol, who bought last in the live round',
  ],
  // Operators.
  [
    'an act of an operator without the power',
    data('PowersSet', (one) => (one.powers = ['game', 'support', 'community'])),
    'WithdrawalReturned was caused by frank as operator, and not by anyone with the power money',
  ],
  [
    'an act of an operator whose powers ended',
    before('WithdrawalReturned', powersSet('frank', [])),
    'WithdrawalReturned was caused by frank as operator, and not by anyone with the power money',
  ],
  [
    'an act of a gamer who calls himself an operator',
    metadata('BalanceAdjusted', (one) => (one.actor = { id: BOB, role: 'operator' })),
    'BalanceAdjusted was caused by bob as operator, and not by anyone with the power money',
  ],
  [
    'an adjustment of an operator’s own balance',
    before('GameReset', funded('frank', 1), 0, { id: 'frank', role: 'operator' }),
    'BalanceAdjusted was caused by frank as operator, and not by anyone with the power money',
  ],
  [
    'an operator who takes the operator’s profit',
    metadata('ProfitWithdrawalCompleted', (one) => (one.actor = { id: 'frank', role: 'operator' })),
    'was caused by frank as operator, and not by the admin',
  ],
  [
    'powers given by an operator',
    before('GameReset', powersSet('frank', ['game', 'money']), 0, { id: 'frank', role: 'operator' }),
    'was caused by frank as operator, and not by the admin',
  ],
  [
    'powers of a gamer who plays',
    before('GameReset', powersSet(BOB, ['money'])),
    'gives powers to bob, who is not staff',
  ],
  ['powers that were given before', before('GameReset', powersSet('frank', ['money'])), 'the powers that they have'],
  [
    'powers that outlive the staff status',
    before('GameReset', staffStatus('frank', false)),
    'ends the status of frank, who has powers',
  ],
  // Time-outs and self-exclusion.
  [
    'a purchase by an excluded gamer',
    data('TokenPurchased', (one) => (one.buyerId = CAROL), 5),
    'buys for carol, who is excluded',
  ],
  [
    'a lifted exclusion that never began',
    replaced('GamerExcluded', { type: 'ExclusionLifted', data: { gamerId: CAROL, playsFromEpochMs: 0 } }),
    'lifts a self-exclusion that carol does not have',
  ],
  [
    'matrix cents for an excluded gamer',
    data('TokenPurchased', (one) => one.allocations.push({ gamerId: ALICE, level: 1, direct: true, cents: 3 }), 5),
    'pays $0.03 to alice at level 1, direct, and owes nothing',
  ],
  [
    'a transfer by an excluded gamer',
    replaced('BalanceReleased', {
      type: 'WinningsTransferred',
      data: { gamerId: CAROL, amountCents: 1, purchaseBalanceCents: 1 },
    }),
    'transfers winnings for carol, who is excluded',
  ],
  [
    'a time-out of another length',
    data('GamerExcluded', (one) => (one.untilEpochMs -= SECOND)),
    'which is no length of a time-out',
  ],
  [
    'a shortened exclusion',
    data('GamerExcluded', (one) => Object.assign(one, { gamerId: ALICE, untilEpochMs: T0 + 400 * DAY }), 0),
    'shortens the exclusion of alice',
  ],
  [
    'a self-exclusion that is lifted too early',
    metadata('ExclusionLifted', (one) => (one.at = T0 + 100 * DAY)),
    'lifts a self-exclusion before its end',
  ],
  [
    'a lifted self-exclusion without the day after it',
    data('ExclusionLifted', (one) => (one.playsFromEpochMs -= SECOND)),
    'does not wait a day',
  ],
  [
    'an exclusion by the admin',
    metadata('GamerExcluded', (one) => (one.actor = { id: 'admin', role: 'admin' })),
    'was caused by admin as admin, and not by the gamer carol',
  ],
  [
    'a release by a gamer who is not excluded',
    data('BalanceReleased', (one) => (one.gamerId = BOB)),
    'releases the balance of bob, who is not excluded',
  ],
  // Limits.
  [
    'a purchase beyond the spending limit of a day',
    data('LimitsSet', limited('spending', { day: 150_059 })),
    'breaks the spending limit of $1500.59 a day',
  ],
  [
    'a purchase beyond the loss limit of a month',
    data('LimitsSet', limited('loss', { month: 29 })),
    'breaks the loss limit of $0.29 a month',
  ],
  ['a deposit beyond its limit', approvedBeyondLimits, 'breaks the deposits limit of $7.00 a month'],
  [
    'a purchase by an invoice beyond the operator’s deposit limit',
    before('TokenPurchased', depositLimitADay(729), 2, SYSTEM),
    'TokenPurchased breaks the operator’s deposits limit of $7.29 a day',
  ],
  [
    'a deposit that is held back without a limit',
    data('DepositRecorded', (one) => (one.reason = 'over-limit')),
    'parks a deposit that breaks no limit',
  ],
  [
    'a limit that is raised at once',
    data('LimitsSet', limited('spending', { day: 150_081 }), 1),
    'raises a limit of bob at once',
  ],
  [
    'a limit that is removed at once',
    data('LimitsSet', (one) => Object.assign(one, { limits: one.wanted?.limits, wanted: null }), 1),
    'raises a limit of bob at once',
  ],
  [
    'higher limits that hold within a day',
    data(
      'LimitsSet',
      (one) => (one.wanted = { ...(one.wanted as WantedLimits), confirmableFromEpochMs: T0 + 2 * DAY }),
      1,
    ),
    'does not wait a day for higher limits',
  ],
  [
    'limits that are confirmed within a day',
    metadata('LimitsConfirmed', (one) => (one.at -= SECOND)),
    'confirms limits within a day',
  ],
  [
    'other limits than those wanted',
    data('LimitsConfirmed', limited('deposits', {})),
    'confirms limits that were not wanted',
  ],
  [
    'limits that the admin loosens',
    metadata('LimitsConfirmed', (one) => (one.actor = { id: 'admin', role: 'admin' })),
    'was caused by admin as admin, and not by the gamer bob',
  ],
  [
    'sums that are not those of the day',
    data('LimitsSet', (one) => (one.used = { ...one.used!, spending: { day: 30, week: 30, month: 30 } })),
    'says that bob played for other amounts than they did',
  ],
  // The operator's profile.
  [
    'a purchase beyond the operator’s spending limit',
    data('ProtectionProfileSet', limited('spending', { day: 150_059 })),
    'breaks the operator’s spending limit of $1500.59 a day',
  ],
  [
    'a deposit beyond the operator’s limit',
    approvedBeyondLimits,
    'breaks the operator’s deposits limit of $7.20 a month',
  ],
  [
    'a purchase of a gamer who had to choose limits first',
    without('LimitsSet'),
    'buys for bob, who has to choose limits first',
  ],
  [
    'a profile that the admin sets',
    metadata('ProtectionProfileSet', (one) => (one.actor = { id: 'admin', role: 'admin' })),
    'was caused by admin as admin, and not by the system',
  ],
  [
    'a profile with a limit above the highest',
    data('ProtectionProfileSet', limited('loss', { day: 100_000_001 })),
    'sets a limit above a million dollars',
  ],
  ['a profile that is set twice', twice('ProtectionProfileSet', { commandId: 'again' }), 'changes nothing'],
];
