/*
 * Forged logs, one for each rule. Each is an honest history with one forgery and a correctly recomputed chain, as a person
 * with write access to the log could make it: only the rules find it, and each finding names the forgery.
 */
import { ALICE, BOB, CAROL, DAY, funded, powersSet, SECOND, staffStatus, T0 } from '../domain/testing/events.js';
import {
  before,
  data,
  type Events,
  findingsIn,
  honest,
  metadata,
  removedLeader,
  replaced,
  stored,
  twice,
  without,
} from './testing/forgeries.js';

it('finds nothing in the honest scenario, which has every event', () => {
  expect(findingsIn(honest())).toEqual([]);
  expect(new Set(honest().map(({ event }) => event.type)).size).toBe(35);
});

/** Bob's deposit of $7.00, which was held back, is credited. */
const approvedBeyondLimits = replaced(
  'DepositRecorded',
  {
    type: 'DepositApproved',
    data: {
      ...{ depositId: 'd8', paymentId: 'pay8', purpose: 'deposit', gamerId: BOB, amountCents: 700, feeCents: 35 },
      ...{ cryptoType: 'BTC', depositorUntilEpochMs: null, purchaseBalanceCents: 0 },
    },
  },
  2,
);

/** Bob's limits as version 1 of the event has them, with this one for the spending of a day. */
const limitsOfVersion1 = (day: number) => (events: Events) => {
  for (const nth of [0, 1]) {
    metadata('LimitsSet', (one) => (one.schema = 1), nth)(events);
    data(
      'LimitsSet',
      (one) => {
        one.limits = { ...one.limits, spending: { day, week: null, month: null } };
        delete one.used;
      },
      nth,
    )(events);
  }
  return events;
};

it.each<[rule: string, forge: (events: Events) => Events, says: string]>([
  // One effect for each command id, and its hash.
  ['a second effect of a command, right after it', twice('BalanceAdjusted'), 'is a second effect of the command'],
  [
    'a second effect of a command, later',
    twice('WinningsTransferred', { atEnd: true }),
    'is a second effect of the command',
  ],
  [
    'another hash in one command',
    metadata('TimeExtended', (one) => (one.commandHash = 'f'.repeat(64))),
    'has another hash of the command',
  ],
  ['another time in one command', metadata('TimeExtended', (one) => (one.at += 1)), 'has another time or role'],
  // Quantity.
  ['a purchase of no tokens', data('TokenPurchased', (one) => (one.quantity = 0)), 'is of 0 tokens'],
  ['a purchase of 10,001 tokens', data('TokenPurchased', (one) => (one.quantity = 10_001)), 'is of 10001 tokens'],
  // Exactly one extension for each purchase.
  ['a purchase without its extension', without('TimeExtended'), 'follows a purchase that has no extension'],
  ['a second extension of a purchase', twice('TimeExtended'), 'is a second effect of the command'],
  [
    'a second extension by another command',
    twice('TimeExtended', { commandId: 'new' }),
    'is of another command than a purchase',
  ],
  ['an extension by another buyer', data('TimeExtended', (one) => (one.buyerId = CAROL)), 'extends for carol'],
  // No reset between zero and the end.
  [
    'a reset at zero',
    replaced('RoundEnded', { type: 'GameReset', data: { roundId: 1, carriedCents: 52, reason: 'mine' } }),
    'resets a round at zero, when its last buyer had won',
  ],
  ['a reset that hides its purchases', data('GameReset', (one) => (one.purchaseCount = 0)), 'voids 0 purchases of 1'],
  [
    'a reset of purchases without a reason',
    data('GameReset', (one) => (one.reason = ' ')),
    'voids 1 purchases without a reason',
  ],
  ['a reset of an idle game', twice('GameReset', { commandId: 'new' }), 'resets a game that was idle'],
  // Outages.
  ['a longer outage', data('LiveResumed', (one) => (one.outageSeconds += 1)), 'of an outage of 25 s'],
  [
    'an outage that began after zero',
    data('LiveResumed', (one) => ((one.lastAliveAtEpochMs as number) += 10 * SECOND)),
    'began after zero',
  ],
  ['more time after an outage', data('LiveResumed', (one) => (one.endsAtEpochMs += 1)), 'leaves 30001 ms of 30000 ms'],
  [
    'an outage that hides its beginning',
    data('LiveResumed', (one) => delete one.lastAliveAtEpochMs),
    'has undefined as lastAliveAtEpochMs',
  ],
  // Phase lengths and the timers in force.
  [
    'a longer pregame',
    data('GameStarted', (one) => (one.pregameEndsAtEpochMs += SECOND)),
    'has a pregame of 61000 ms, and 60 s are in force',
  ],
  [
    'a longer countdown',
    data('LiveStarted', (one) => (one.endsAtEpochMs += SECOND)),
    'has a live of 121000 ms, and 120 s are in force',
  ],
  [
    'a forced countdown of another length',
    data('LiveStarted', (one) => (one.endsAtEpochMs -= SECOND), 1),
    'has a live of 299000 ms, and 300 s are in force',
  ],
  [
    'a shorter downtime',
    data('RoundEnded', (one) => (one.nextRoundAtEpochMs -= SECOND)),
    'has a downtime of 14399000 ms',
  ],
  [
    'timers that nobody set',
    data('GameStarted', (one) => (one.timers.tokenExtensionSeconds = 31)),
    'has other timers than those in force',
  ],
  [
    'timers beyond their limits',
    data('TimersChanged', (one) => (one.tokenExtensionSeconds = 86_401)),
    'sets an extension over a day',
  ],
  [
    'a round that the system starts from idle',
    metadata('GameStarted', (one) => (one.actor = { id: 'system', role: 'system' })),
    'starts by the system in idle, which is not over',
  ],
  // Withdrawals: owner, kind and minimum.
  [
    'a withdrawal below the minimum',
    data('WithdrawalRequested', (one) => (one.amountCents = 999)),
    'is of $9.99, and $10.00 is the least',
  ],
  [
    'a payout to another gamer',
    data('WithdrawalReturned', (one) => (one.gamerId = CAROL)),
    'is for carol, and bob requested it',
  ],
  [
    'a payout of more than was requested',
    data('WithdrawalReturned', (one) => (one.amountCents += 1)),
    'settles $10.01 of $10.00',
  ],
  [
    'winnings returned as the operator’s profit',
    replaced('WithdrawalReturned', {
      type: 'ProfitWithdrawalReturned',
      data: { withdrawalId: 'w2', amountCents: 1_000, adminNotes: null, txid: null },
    }),
    'is for the operator, and bob requested it',
  ],
  [
    'a withdrawal that is completed twice',
    twice('WithdrawalCompleted', { commandId: 'new' }),
    'withdrawal w1 is not open',
  ],
  [
    'a completed withdrawal that goes on',
    twice('WithdrawalProcessing', { commandId: 'new', atEnd: true }),
    'withdrawal w1 is not open',
  ],
  [
    'a payout in the waiting time',
    data('WithdrawalRequested', (one) => (one.heldUntilEpochMs = (one.heldUntilEpochMs as number) + 2_000)),
    'WithdrawalCompleted is 1000 ms before the end of the gamer’s time to stop it',
  ],
  [
    'a payout that begins in the waiting time',
    data('WithdrawalRequested', (one) => (one.heldUntilEpochMs = (one.heldUntilEpochMs as number) + 1)),
    'WithdrawalProcessing is 1 ms before the end of the gamer’s time to stop it',
  ],
  [
    'a wait for an address that was paid before',
    data('WithdrawalRequested', (one) => (one.heldUntilEpochMs = T0 + DAY), 1),
    'waits, and its address was paid before',
  ],
  [
    'a wait that is over at once',
    data('WithdrawalRequested', (one) => (one.heldUntilEpochMs = 1)),
    'waits until a time that is over',
  ],
  [
    'a gamer who stops a withdrawal after its waiting time',
    data('WithdrawalRequested', (one) => (one.heldUntilEpochMs = (one.heldUntilEpochMs as number) - 1), 2),
    'is of a gamer who could not stop it any more',
  ],
  [
    'a withdrawal that its gamer stops with a transaction',
    data('WithdrawalReturned', (one) => (one.txid = 'ab12'), 1),
    'is of a gamer, with words of the admin',
  ],
  [
    'a withdrawal that another gamer stops',
    metadata('WithdrawalReturned', (one) => (one.actor = { id: CAROL, role: 'gamer' }), 1),
    'was caused by carol as gamer, and not by anyone with the power money or the gamer bob',
  ],
  // Sealed texts.
  [
    'an address under the key of another gamer',
    data('WithdrawalRequested', (one) => (one.walletAddress = `sealed:1:${CAROL}:AAAA`)),
    'has a walletAddress that is sealed for carol, and is about bob',
  ],
  [
    'a reason that nobody can open',
    data('BalanceAdjusted', (one) => (one.reason = 'sealed:2:other')),
    'has a reason that is not sealed in any known way',
  ],
  // Deposits: fee, 30 days, amount and record.
  ['a smaller fee', data('DepositApproved', (one) => (one.feeCents -= 1)), 'credits $7.00 of $7.34'],
  [
    'a depositor for 31 days',
    data('DepositApproved', (one) => ((one.depositorUntilEpochMs as number) += DAY)),
    'is not of 30 days from now',
  ],
  [
    'a depositor by the admin for 31 days',
    data('DepositorStatusSet', (one) => ((one.untilEpochMs as number) += DAY)),
    'is not of 30 days from now',
  ],
  [
    'another amount than was recorded',
    data('DepositApproved', (one) => (one.amountCents += 1), 1),
    'approves $10.01 and a fee of $0.50',
  ],
  [
    'another payment than was recorded',
    data('DepositApproved', (one) => (one.paymentId = 'pay9'), 1),
    'approves another payment',
  ],
  [
    'a payment taken from its gamer without a reason',
    data('DepositApproved', (one) => (one.gamerId = BOB), 1),
    'with a payment of carol, without a reason',
  ],
  ['an approval without a record', without('DepositRecorded'), 'approves a deposit that was never recorded'],
  ['a rejection without a record', without('DepositRecorded', 1), 'rejects a deposit that is not waiting'],
  [
    'a payment that is credited twice',
    data('DepositRecorded', (one) => (one.paymentId = 'pay1')),
    'payment pay1 was recorded before',
  ],
  // Breadth-first placement, and moves.
  [
    'a better place than the first free one',
    data('GamerEnrolled', (one) => (one.slot = 2), 2),
    'bob stands in slot 2 of alice, and slot 0 of alice was the first free one',
  ],
  [
    'a place outside the sponsor’s subtree',
    data('GamerEnrolled', (one) => (one.parentId = 'admin'), 2),
    'bob stands in slot 0 of admin',
  ],
  [
    'a child that moves to another slot',
    data('GamerRemoved', (one) => ((one.moved[1] as { slot: number }).slot = 0)),
    'frank stands in slot 0',
  ],
  ['a child that is left behind', data('GamerRemoved', (one) => one.moved.pop()), 'frank did not move'],
  // Invoice credits.
  [
    'a credit that is no price of its tokens',
    data('InvoiceCredited', (one) => (one.amountCents += 1)),
    'credits $0.61 for 2 tokens',
  ],
  [
    'a credit of a payment that bought tokens',
    data('InvoiceCredited', (one) => (one.paymentId = 'pay2')),
    'payment pay2 was recorded before',
  ],
  [
    'a purchase by an invoice without a payment',
    data('TokenPurchased', (one) => delete one.paymentId, 2),
    'is paid by no payment',
  ],
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
    'was caused by bob as gamer, and not by the system or the admin',
  ],
  [
    'staff ended by the system',
    before('GameReset', staffStatus(BOB, false), 0, { id: 'system', role: 'system' }),
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
  // The second person.
  [
    'a large adjustment that one person made alone',
    without('AdjustmentRequested'),
    'moves $3000.00, which no second person requested within a day',
  ],
  [
    'a large adjustment that its requester confirms',
    metadata('BalanceAdjusted', (one) => (one.actor = { id: 'admin', role: 'admin' }), 2),
    'moves $3000.00, and admin had requested it alone',
  ],
  [
    'a large adjustment that was requested too long ago',
    metadata('AdjustmentRequested', (one) => (one.at = T0 - SECOND)),
    'moves $3000.00, which no second person requested within a day',
  ],
  [
    'another adjustment than the one requested',
    data('AdjustmentRequested', (one) => (one.purchaseCents -= 1)),
    'moves $3000.00, which no second person requested within a day',
  ],
  [
    'a large payout that one person made alone',
    (events) =>
      replaced('WithdrawalReturned', {
        type: 'WithdrawalCompleted',
        data: { withdrawalId: 'w2', gamerId: BOB, amountCents: 1_000, adminNotes: null, txid: null },
      })(data('SecondPersonLimitSet', (one) => (one.aboveCents = 999), 1)(without('PayoutRequested')(events))),
    'moves $10.00, which no second person requested within a day',
  ],
  [
    'a request that needs nobody',
    data('SecondPersonLimitSet', (one) => (one.aboveCents = null)),
    'PayoutRequested asks for a second person without need',
  ],
  [
    'a limit that an operator sets',
    metadata('SecondPersonLimitSet', (one) => (one.actor = { id: 'frank', role: 'operator' })),
    'was caused by frank as operator, and not by the admin',
  ],
  // Removals.
  [
    'a removed gamer whose money stays',
    data('GamerRemoved', (one) => (one.forfeitedPurchaseCents -= 1)),
    'forfeits $0.39 of $0.40',
  ],
  ['the removal of the admin', data('GamerRemoved', (one) => (one.gamerId = 'admin')), 'admin cannot be removed'],
  [
    'the removal of a gamer with an open withdrawal',
    data('GamerRemoved', (one) => (one.gamerId = BOB)),
    'removes bob, who has an open withdrawal',
  ],
  ['the removal of the leader', removedLeader, 'removes bob, who bought last in the live round'],
  // Actor and role of every event.
  [
    'a purchase by another gamer',
    metadata('TokenPurchased', (one) => (one.actor = { id: CAROL, role: 'gamer' })),
    'was caused by carol as gamer, and not by the gamer bob',
  ],
  [
    'an adjustment by a gamer',
    metadata('BalanceAdjusted', (one) => (one.actor = { id: BOB, role: 'gamer' })),
    'was caused by bob as gamer, and not by anyone with the power money',
  ],
  [
    'an adjustment by a second admin',
    metadata('BalanceAdjusted', (one) => (one.actor = { id: BOB, role: 'admin' })),
    'was caused by bob, who is not the admin',
  ],
  [
    'an end of a round by the admin',
    metadata('RoundEnded', (one) => (one.actor = { id: 'admin', role: 'admin' })),
    'was caused by admin as admin, and not by the system',
  ],
  [
    'a withdrawal by the admin',
    metadata('WithdrawalRequested', (one) => (one.actor = { id: 'admin', role: 'admin' })),
    'and not by the gamer bob',
  ],
  [
    'a system that is a gamer',
    metadata('RoundEnded', (one) => (one.actor = { id: BOB, role: 'system' })),
    'was caused by bob as system',
  ],
  // Schema.
  [
    'an unknown field',
    data('TokenPurchased', (one) => Object.assign(one, { bonusCents: 1 })),
    'has a field that it must not have',
  ],
  [
    'a field of a later version',
    metadata('TokenPurchased', (one) => (one.schema = 1)),
    'as receivedAtEpochMs, which version 1 does not allow',
  ],
  ['an unknown version', metadata('TokenPurchased', (one) => (one.schema = 9)), 'is of the unknown version 9'],
  ['half a cent', data('WinningsTransferred', (one) => (one.amountCents = 0.5)), 'has 0.5 as amountCents'],
  ['a negative transfer', data('WinningsTransferred', (one) => (one.amountCents = -100)), 'has -100 as amountCents'],
  [
    'an unknown event',
    replaced('TimersChanged', { type: 'PrizeGiven' as never, data: {} as never }),
    'is of a type that this auditor does not know',
  ],
  // Ledger time and the store's own clock.
  ['an event that was dated back', stored(61_000), 'was recorded by the store 61 s after its ledger time'],
  ['an event from the future', stored(-61_000), 'has a ledger time 61 s after the store recorded it'],
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
    data('LimitsSet', (one) => (one.limits = { ...one.limits, spending: { day: 150_059, week: null, month: null } })),
    'breaks the spending limit of $1500.59 a day',
  ],
  [
    'a purchase beyond the loss limit of a month',
    data('LimitsSet', (one) => (one.limits = { ...one.limits, loss: { day: null, week: null, month: 29 } })),
    'breaks the loss limit of $0.29 a month',
  ],
  ['a deposit beyond its limit', approvedBeyondLimits, 'breaks the deposits limit of $7.00 a month'],
  [
    'a deposit that is held back without a limit',
    data('DepositRecorded', (one) => (one.reason = 'over-limit')),
    'parks a deposit that breaks no limit',
  ],
  [
    'a limit that is raised at once',
    data(
      'LimitsSet',
      (one) => (one.limits = { ...one.limits, spending: { day: 150_081, week: null, month: null } }),
      1,
    ),
    'raises a limit of bob at once',
  ],
  [
    'a limit that is removed at once',
    data(
      'LimitsSet',
      (one) => Object.assign(one, { limits: one.wanted, wanted: null, confirmableFromEpochMs: null }),
      1,
    ),
    'raises a limit of bob at once',
  ],
  [
    'higher limits that hold within a day',
    data('LimitsSet', (one) => ((one.confirmableFromEpochMs as number) -= SECOND), 1),
    'does not wait a day for higher limits',
  ],
  [
    'limits that are confirmed within a day',
    metadata('LimitsConfirmed', (one) => (one.at -= SECOND)),
    'confirms limits within a day',
  ],
  [
    'other limits than those wanted',
    data(
      'LimitsConfirmed',
      (one) => (one.limits = { ...one.limits, deposits: { day: null, week: null, month: null } }),
    ),
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
    data(
      'ProtectionProfileSet',
      (one) => (one.limits = { ...one.limits, spending: { day: 150_059, week: null, month: null } }),
    ),
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
    data(
      'ProtectionProfileSet',
      (one) => (one.limits = { ...one.limits, loss: { day: 100_000_001, week: null, month: null } }),
    ),
    'sets a limit above a million dollars',
  ],
  ['a profile that is set twice', twice('ProtectionProfileSet', { commandId: 'again' }), 'changes nothing'],
  // Amounts.
  ['a transfer of nothing', data('WinningsTransferred', (one) => (one.amountCents = 0)), 'transfers $0.00'],
  [
    'an adjustment above its limit',
    data('BalanceAdjusted', (one) => (one.purchaseCents = 100_000_001)),
    'adjusts by more than a million dollars',
  ],
  [
    'an adjustment of nobody',
    data('BalanceAdjusted', (one) => (one.gamerId = 'nobody')),
    'is for nobody, who is no gamer',
  ],
])('finds %s', (_rule, forge, says) => {
  expect(findingsIn(forge(honest())).join('\n')).toContain(says);
});

it('counts limits of version 1 from the first one on', () => {
  expect(findingsIn(limitsOfVersion1(50)(honest()))).toEqual([]);
  expect(findingsIn(limitsOfVersion1(29)(honest()))).toContainEqual(
    'TokenPurchased breaks the spending limit of $0.29 a day',
  );
});
