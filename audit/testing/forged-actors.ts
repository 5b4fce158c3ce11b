import type { LedgerEvent, LedgerEventType } from '../../contracts/events/ledger-events.js';
import { type Actor, SYSTEM } from '../../contracts/events/metadata.js';
import { NO_LIMITS, type PlayLimits } from '../../contracts/protection.js';
import { words } from '../../contracts/words.js';
import { ALICE, BOB, CAROL, DAY, SECOND, T0 } from '../../domain/testing/constants.js';
import { funded, powersSet, staffStatus } from '../../domain/testing/gamers.js';
import { before, data, edge, type Forgery, inTurn, metadata, replaced, set, twice, without } from './forgeries.js';

/** The operator limits deposits right before the nth event of this type. */
const operatorsLimit = (type: LedgerEventType, nth: number) => (day: number) => {
  const limits = { ...NO_LIMITS, deposits: { day, week: null, month: null } };
  const profile = { profile: 'standard', limits, mustChooseLimits: false } as const;
  return before(type, { type: 'ProtectionProfileSet', data: profile }, nth, SYSTEM);
};

const FRANK: Actor = { id: 'frank', role: 'operator' };

const none = { day: 0, week: 0, month: 0 };
const NOTHING = { spending: none, deposits: none, won: none };

/** Changes an event's limits of a kind. */
const limited =
  (kind: keyof PlayLimits, periods: Partial<PlayLimits['loss']>) =>
  (one: { limits: PlayLimits }): void => {
    one.limits = { ...one.limits, [kind]: { day: null, week: null, month: null, ...periods } };
  };

const operatorsLossLimit = (day: number) => data('ProtectionProfileSet', limited('loss', { day }));

/** Carol limits herself right before the nth event of this type. */
const limitOfCarol = (kind: keyof PlayLimits, type: LedgerEventType, nth: number) => (month: number) => {
  const limits = { ...NO_LIMITS, [kind]: { day: null, week: null, month } };
  return before(type, { type: 'LimitsSet', data: { gamerId: CAROL, limits, higher: null, used: NOTHING } }, nth);
};

const transferred = (gamerId: string): LedgerEvent => ({
  type: 'WinningsTransferred',
  data: { gamerId, amountCents: 1, purchaseBalanceCents: 1 },
});

const otherPowers = inTurn(
  data('PowersSet', { powers: ['money', 'game'] }),
  before('GameReset', powersSet('frank', ['money', 'support'])),
);
/** Carol's exclusion ends as she transfers. */
const atItsEnd = inTurn(
  data('GamerExcluded', { untilMs: T0 + 200 * DAY }),
  before('ExclusionLifted', transferred(CAROL)),
);

const ALICE_UNTIL = T0 + 185 * DAY + 7 * SECOND;

/** Types of events by the actors that the rule names, each with the number of the event that a stranger causes. */
const EVENTS_BY_ACTORS: Record<string, string> = {
  'the admin':
    'GamerEnrolled GamerRemoved StaffStatusSet PowersSet ProfitWithdrawalRequested ProfitWithdrawalReturned ProfitWithdrawalCompleted',
  'the gamer alice': 'GamerEnrolled:1 ExclusionLifted',
  'the gamer bob': 'TokenPurchased WithdrawalRequested WinningsTransferred LimitsSet LimitsConfirmed',
  'the gamer carol': 'GamerExcluded BalanceReleased',
  'the system':
    'LiveStarted TokenPurchased:2 PayoutFailed RoundEnded InvoiceCredited DepositRecorded LiveResumed ProtectionProfileSet',
  'the system or the gamer bob': 'TimeExtended',
  'the system or anyone with the power game': 'GameStarted GameScheduled',
  'the system or anyone with the power money': 'DepositApproved WithdrawalCompleted',
  'anyone with the power game': 'TimersChanged LiveStarted:1 GameReset ScheduleCancelled',
  'anyone with the power money':
    'BalanceAdjusted DepositorStatusSet DepositRejected WithdrawalProcessing PayoutOrdered',
  'anyone with the power money or the gamer bob': 'WithdrawalReturned',
};

const byStranger = (name: string): Forgery[1] => {
  const [type, nth = '0'] = name.split(':') as [LedgerEventType, string?];
  return metadata(type, { actor: { id: 'nobody', role: 'gamer' } }, Number(nth));
};

export const FORGED_ACTORS: readonly Forgery[] = [
  ...Object.entries(EVENTS_BY_ACTORS).flatMap(([due, events]) =>
    words(events).map((name): Forgery => [`by nobody as gamer, and not by ${due}\n`, byStranger(name)]),
  ),
  // Staff.
  ['bob is staff and may not buy', before('TokenPurchased', staffStatus(BOB, true))],
  ['pays $0.06 to alice at level 1, direct, and owes nothing', before('TokenPurchased', staffStatus(ALICE, true))],
  ['WithdrawalRequested is for bob, who is staff', before('WithdrawalRequested', staffStatus(BOB, true))],
  ['sets bob to what they are already', before('GameReset', staffStatus(BOB, false))],
  // Bob buys at the end of Alice's status as a depositor, and a millisecond later.
  ['pays $0.06 to alice', ...edge(set('DepositorStatusSet', 'untilMs'), T0 + 61 * SECOND - 1, T0 + 61 * SECOND)],
  ['is for carol, who bought last in the live round', before('RoundEnded', staffStatus(CAROL, true))],
  // Operators.
  ['Returned was caused by frank as operator', data('PowersSet', { powers: ['game', 'support', 'community'] })],
  ['Returned was caused by frank as operator, and not', before('WithdrawalReturned', powersSet('frank', []))],
  ['was caused by frank as gamer, and not', metadata('BalanceAdjusted', { actor: { ...FRANK, role: 'gamer' } }, 2)],
  ['BalanceAdjusted was caused by frank as operator, and not', before('GameReset', funded('frank', 1), 0, FRANK)],
  ['frank as operator, and not by the admin', before('GameReset', powersSet('frank', ['game', 'money']), 0, FRANK)],
  ['gives a power twice', data('PowersSet', { powers: ['money', 'money'] })],
  ['gives powers to bob, who is not staff', before('GameReset', powersSet(BOB, ['money']))],
  ['the powers that they have', before('GameReset', powersSet('frank', ['money'])), otherPowers],
  ['ends the status of frank, who has powers', before('GameReset', staffStatus('frank', false))],
  // Time-outs and self-exclusion.
  ['buys for carol, who is excluded', data('TokenPurchased', { buyerId: CAROL }, 5)],
  ['lifts a self-exclusion that carol does not have', data('ExclusionLifted', { gamerId: CAROL })],
  ['pays $0.03', data('TokenPurchased', { allocations: [{ gamerId: ALICE, level: 1, direct: true, cents: 3 }] }, 5)],
  ['transfers winnings for carol, who is excluded', replaced('BalanceReleased', transferred(CAROL)), atItsEnd],
  ['transfers winnings for alice, who is excluded', before('ExclusionLifted', transferred(ALICE))],
  ['releases less than the whole', data('BalanceReleased', (one) => (one.purchaseBalanceCents += 1))],
  ['which is not a length of a time-out', data('GamerExcluded', (one) => (one.untilMs -= SECOND))],
  ['shortens the exclusion of alice', data('GamerExcluded', { gamerId: ALICE, untilMs: T0 + 400 * DAY })],
  ['lifts a self-exclusion before its end', ...edge(set('ExclusionLifted', 'at'), ALICE_UNTIL - 1, ALICE_UNTIL)],
  ['does not wait a day', data('ExclusionLifted', (one) => (one.playsFromMs -= SECOND))],
  ['releases the balance of bob, who is not excluded', data('BalanceReleased', { gamerId: BOB })],
  // Limits.
  ['breaks the spending limit of $1500.59 a day', data('LimitsSet', limited('spending', { day: 150_059 }))],
  ['breaks the loss limit of $0.29 a month', data('LimitsSet', limited('loss', { month: 29 }))],
  // Carol spends $0.60 and wins $0.52 before the fourth purchase, and deposits $7.90 before the second approval.
  ['TokenPurchased breaks the loss limit', ...edge(limitOfCarol('loss', 'TokenPurchased', 3), 37, 38)],
  ['DepositApproved breaks the deposits limit', ...edge(limitOfCarol('deposits', 'DepositApproved', 1), 1_789, 1_790)],
  ['DepositApproved breaks the operator’s', ...edge(operatorsLimit('DepositApproved', 1), 1_789, 1_790)],
  ['TokenPurchased breaks the operator’s deposits limit', ...edge(operatorsLimit('TokenPurchased', 2), 729, 730)],
  ['parks a deposit that breaks no limit', data('DepositRecorded', { reason: 'over-limit' })],
  ['raises a limit of bob at once', data('LimitsSet', limited('spending', { day: 150_081 }), 1)],
  ['raises a limit', data('LimitsSet', (one) => Object.assign(one, { limits: one.higher?.limits, higher: null }), 1)],
  ['does not wait a day for higher limits', metadata('LimitsSet', (one) => (one.at += SECOND), 1)],
  ['confirms limits within a day', metadata('LimitsConfirmed', (one) => (one.at -= SECOND))],
  ['confirms limits that were not requested', data('LimitsConfirmed', limited('deposits', {}))],
  ['confirms limits that were not requested', data('LimitsConfirmed', { gamerId: CAROL })],
  ['says that bob played for other amounts than they did', data('LimitsSet', { used: NOTHING })],
  // The operator's profile.
  ['operator’s spending limit of $1500.59', data('ProtectionProfileSet', limited('spending', { day: 150_059 }))],
  ['buys for bob, who has to choose limits first', without('LimitsSet')],
  ['sets a limit above a million dollars', ...edge(operatorsLossLimit, 100_000_001, 100_000_000)],
  ['changes nothing', twice('ProtectionProfileSet', { commandId: 'again' })],
];
