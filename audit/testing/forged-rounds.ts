import type { LedgerEvent, LedgerEvents, LedgerEventType } from '../../contracts/events/ledger-events.js';
import { type Actor, SYSTEM } from '../../contracts/events/metadata.js';
import { type RoundTerms, TERMS_OF_NEW_ROUNDS } from '../../contracts/limits.js';
import { BOB, CAROL, DAY, SECOND, T0 } from '../../domain/testing/constants.js';
import { enrolled, powersSet, staffStatus } from '../../domain/testing/gamers.js';
import {
  before,
  data,
  edge,
  type Forgery,
  inTurn,
  metadata,
  replaced,
  set,
  stored,
  twice,
  without,
} from './forgeries.js';
import { OUTAGE_AT, PLANNED_AT } from './scenario.js';

/** Carol's purchase, decided and received at these times. The countdown ends four minutes after `T0`. */
const decidedAt = (atMs: number, receivedAtEpochMs: number) =>
  inTurn(metadata('TokenPurchased', { at: atMs }, 1), data('TokenPurchased', { receivedAtEpochMs }, 1));

const ENDED_AT = T0 + 300 * SECOND;
const IS_PLANNED_AT = OUTAGE_AT + 232 * SECOND;
const FAR_AHEAD = IS_PLANNED_AT + 366 * DAY;
const IN_TWO_DAYS = PLANNED_AT + 2 * DAY;

const insert = (event: LedgerEvent) => before('GameReset', event);
const transferredAgain = (afterMs: number) => twice('WinningsTransferred', { atEnd: true, afterMs });

const resetAt = (atMs: number) => {
  const reset = { roundId: 1, carriedCents: 52, reason: 'mine', purchaseCount: 1 };
  return inTurn(replaced('RoundEnded', { type: 'GameReset', data: reset }), metadata('GameReset', { at: atMs }));
};

/** The system starts the second round 14,880 seconds after `T0`. */
const downtimeUntil = (nextRoundAtMs: number) =>
  inTurn(metadata('GameStarted', { actor: SYSTEM }, 1), data('RoundEnded', { nextRoundAtMs }));

const planned = (change: Partial<LedgerEvents['GameScheduled']>, nth = 0) => data('GameScheduled', change, nth);
const nextDayUnplanned = without('GameScheduled', 1);
const terms = (change: Partial<RoundTerms>, nth = 0) =>
  data('GameStarted', { terms: { ...TERMS_OF_NEW_ROUNDS, ...change } }, nth);

const byBobAs = (role: Actor['role'], type: LedgerEventType) => metadata(type, { actor: { id: BOB, role } });

export const FORGED_ROUNDS: readonly Forgery[] = [
  // One effect for each command id, and its hash.
  // Another actor's command may have the same id.
  ['is a second effect', twice('BalanceAdjusted'), metadata('WithdrawalRequested', { commandId: 'c16' })],
  // 24 hours later, and a millisecond more.
  ['is a second effect', ...edge(transferredAgain, 53_000, 53_001)],
  // Only a batch of payouts has three effects.
  [
    'is a second effect of the command',
    inTurn(insert(staffStatus(BOB, true)), insert(powersSet(BOB, ['money'])), insert(staffStatus(BOB, false))),
    inTurn(twice('PayoutOrdered'), twice('PayoutOrdered')),
  ],
  ['has another hash of the command', metadata('TimeExtended', { commandHash: 'f'.repeat(64) })],
  ['has metadata that no event may have', metadata('TimeExtended', { commandId: '' })],
  ['has metadata that no event may have', metadata('TimeExtended', { actor: { id: '', role: 'gamer' } })],
  ['has metadata that no event may have', metadata('TimeExtended', { actor: { id: 5 as never, role: 'gamer' } })],
  ['has another time or role', metadata('TimeExtended', (one) => (one.at += 1))],
  ['has another time or role', byBobAs('operator', 'TimeExtended')],
  // Quantity.
  ['is of 0 tokens', ...edge(set('TokenPurchased', 'quantity'), 0, 1)],
  ['tokens, and 1 to 10,000 can be bought', ...edge(set('TokenPurchased', 'quantity'), 10_001, 10_000)],
  // Exactly one extension for each purchase.
  ['follows a purchase that has no extension', without('TimeExtended')],
  ['is of another command than a purchase', twice('TimeExtended', { commandId: 'new' })],
  [`1, not at ${T0 + 240 * SECOND}`, data('TimeExtended', { endsAtEpochMs: T0 + 240 * SECOND + 1 })],
  ['extends for carol', data('TimeExtended', { buyerId: CAROL })],
  ['adds 90 s of 60 s', data('TimeExtended', { addedSeconds: 90 })],
  ['extends for p1', without('TokenPurchased')],
  // The price and the shares of a purchase.
  ['gives the operator $0.05 for 2 tokens', data('TokenPurchased', { houseShareCents: 5 })],
  ['gives the jackpot $0.27 for 2 tokens', data('TokenPurchased', (one) => (one.jackpotShareCents += 1))],
  ['states $0.27 in jackpot', data('TokenPurchased', (one) => (one.jackpotCents += 1))],
  ['sum to $0.01, not to zero', data('TokenPurchased', (one) => (one.unclaimedCents += 1))],
  ['pays somebody twice', data('TokenPurchased', (one) => (one.allocations = one.allocations.concat(one.allocations)))],
  ['level 1, direct, and pays $0.05', data('TokenPurchased', (one) => (one.allocations[0]!.cents -= 1))],
  ['carol at level 1, direct', data('TokenPurchased', (one) => (one.allocations[0]!.gamerId = CAROL))],
  ['admin may not buy', data('TokenPurchased', { buyerId: 'admin' })],
  ['costs $0.60 for 2 tokens at 31 cents', terms({ tokenPriceCents: 31, jackpotShareCents: 14 })],
  ['has terms that split $0.31 of $0.30', terms({ jackpotShareCents: 14 })],
  ['narrows the matrix from 3 to 2', terms({ matrixWidth: 2 }, 1)],
  ['has terms for 8 levels', terms({ levelShareCents: Array(8).fill(2) })],
  // The times of a purchase, and the end of its round.
  ['is bought when nothing could be bought', decidedAt(T0 + 241 * SECOND, T0 + 240 * SECOND)],
  ['is bought when nothing', inTurn(without('LiveStarted'), data('GameStarted', { pregameEndsAtMs: ENDED_AT }))],
  ['is of round 9, and 1 is open', data('TokenPurchased', { roundId: 9 })],
  ['arrived after its decision', decidedAt(T0 + 63 * SECOND, T0 + 64 * SECOND)],
  ['ms after its arrival', decidedAt(T0 + 68_001, T0 + 62 * SECOND), decidedAt(T0 + 68_000, T0 + 62 * SECOND)],
  ['ends before its countdown', without('LiveStarted')],
  ['ends before its countdown', ...edge(set('RoundEnded', 'at'), ENDED_AT - 1, ENDED_AT)],
  ['on their way could be decided', ...edge(set('RoundEnded', 'at'), ENDED_AT + 299, ENDED_AT + 300)],
  ['names bob', data('RoundEnded', { winner: { gamerId: BOB, purchaseId: 'p1' } })],
  [`its countdown at ${ENDED_AT}`, data('RoundEnded', (one) => (one.endedAtMs += 1))],
  ['counts 4 purchases of 3', data('RoundEnded', (one) => (one.purchaseCount += 1))],
  ['names nobody', data('RoundEnded', { winner: null })],
  ['ends with $0.51 of $0.52', data('RoundEnded', (one) => (one.jackpotCents -= 1))],
  ['while no round is open\nTokenPurchased is bought before the first round', without('GameStarted')],
  // No reset between zero and the end.
  ['resets a round at zero, when its last buyer had won', ...edge(resetAt, ENDED_AT, ENDED_AT - 1)],
  ['voids 0 purchases of 1', data('GameReset', { purchaseCount: 0 })],
  ['purchases without a reason', data('GameReset', { reason: ' ' }), data('GameReset', { reason: '' }, 1)],
  ['resets round 9', data('GameReset', { roundId: 9 })],
  ['GameReset carries $0.01 of $0.13', data('GameReset', { carriedCents: 1 })],
  ['GameStarted carries $0.01 of $0.00', data('GameStarted', { carriedCents: 1 })],
  ['begins round 7 after round 0', data('GameStarted', { roundId: 7 })],
  ['resets a game that was idle', twice('GameReset', { commandId: 'new' })],
  // Outages.
  ['of an outage of 25 s', data('LiveResumed', (one) => (one.outageSeconds += 1))],
  ['began after zero', data('LiveResumed', (one) => ((one.lastAliveAtMs as number) += 5 * SECOND))],
  ['in which an event was appended', ...edge(set('LiveResumed', 'lastAliveAtMs'), OUTAGE_AT - 1, OUTAGE_AT)],
  ['was not an outage', metadata('LiveResumed', { at: OUTAGE_AT + 208 * SECOND })],
  ['has not run out', ...edge(set('LiveResumed', 'at'), OUTAGE_AT + 210 * SECOND - 1, OUTAGE_AT + 210 * SECOND)],
  ['has not run out', without('LiveStarted', 1)],
  ['leaves 30001 ms of 30000 ms', data('LiveResumed', (one) => (one.endsAtEpochMs += 1))],
  // Phase lengths and the timers in force.
  ['has a pregame of 61000 ms, and 60 s are in force', data('GameStarted', { pregameEndsAtMs: T0 + 61 * SECOND })],
  ['has a pregame of 0 ms', data('GameStarted', { pregameEndsAtMs: PLANNED_AT }, 2)],
  ['goes live a second time', twice('LiveStarted', { commandId: 'new' })],
  ['goes live before its time', metadata('LiveStarted', (one) => (one.at -= 1))],
  ['has a live of 121000 ms, and 120 s are in force', data('LiveStarted', (one) => (one.endsAtEpochMs += SECOND))],
  ['has a live of 299000 ms, and 300 s are in force', data('LiveStarted', (one) => (one.endsAtEpochMs -= SECOND), 1)],
  ['has a downtime of 14399000 ms', data('RoundEnded', (one) => (one.nextRoundAtMs -= SECOND))],
  ['is earlier than the event before it', metadata('TokenPurchased', { at: T0 })],
  ['has other timers than those in force', data('GameStarted', (one) => (one.timers.tokenExtensionSeconds = 31))],
  ['sets an extension over a day', ...edge(set('TimersChanged', 'tokenExtensionSeconds'), 86_401, 86_400)],
  ['sets a phase shorter than a second', ...edge(set('TimersChanged', 'pregameDurationSeconds'), 0, 1)],
  ['or longer than a year', ...edge(set('TimersChanged', 'liveDurationSeconds'), 31_536_001, 31_536_000)],
  ['starts by the system in idle, which is not over', metadata('GameStarted', { actor: SYSTEM })],
  ['starts by the system in downtime', ...edge(downtimeUntil, T0 + 14_880 * SECOND + 1, T0 + 14_880 * SECOND)],
  ['starts by the admin in downtime', data('GameStarted', (one) => (one.pregameEndsAtMs += 60 * SECOND), 1)],
  // Planned starts.
  ['by a plan that does not stand\nGameStarted begins while round 2 is open', without('GameReset')],
  ['by a plan that does not stand', metadata('GameStarted', { actor: { id: BOB, role: 'gamer' } }, 2)],
  ['starts before its planned time', metadata('GameStarted', (one) => (one.at -= 1), 2)],
  ['starts by a plan that does not stand', planned({ startsAtMs: PLANNED_AT - 1 })],
  ['does not stand', before('GameStarted', { type: 'ScheduleCancelled', data: { startsAtMs: PLANNED_AT } }, 2)],
  ['plans a start that is past', planned({ startsAtMs: IS_PLANNED_AT })],
  ['too far ahead', ...edge(set('GameScheduled', 'startsAtMs'), FAR_AHEAD + 1, FAR_AHEAD)],
  ['at another time than', ...edge(set('GameScheduled', 'localTime'), '2026-01-02T17:00', '2026-01-02T16:59')],
  ['plans a second start', twice('GameScheduled', { commandId: 'new' })],
  ['whose next day was not planned', nextDayUnplanned, inTurn(nextDayUnplanned, planned({ repeat: 'once' }))],
  ['plans a start that is not the next day of a daily one', planned({ localTime: '2026-01-02T17:00' }, 1)],
  ['is not the next day', ...edge(set('GameScheduled', 'startsAtMs', 1), IN_TWO_DAYS + 1, IN_TWO_DAYS)],
  ['is not the next day of a daily one', metadata('GameScheduled', { actor: SYSTEM })],
  ['cancels a start that was not planned', data('ScheduleCancelled', (one) => (one.startsAtMs += 1))],
  // Roles: forged-actors.ts has the actors of each type.
  ['who is not the admin\nWithdrawalRequested was', byBobAs('admin', 'WithdrawalRequested')],
  ['was caused by bob as system', byBobAs('system', 'RoundEnded')],
  ['and not by the gamer system', before('GameReset', enrolled('system', null, 'admin', 2), 0, SYSTEM)],
  // Schema.
  ['follows a round that was opened to go live at once', data('LiveStarted', { forced: false }, 1)],
  ['of version 9', metadata('TokenPurchased', { schema: 9 })],
  ['without a valid field amountCents', data('WinningsTransferred', { amountCents: 0.5 })],
  ['has -100 as amountCents', data('WinningsTransferred', { amountCents: -100 })],
  ['a type that this auditor does not know', replaced('TimersChanged', { type: 'PrizeGiven', data: {} } as never)],
  // Ledger time and the store's own clock.
  ['was recorded by the store 61 s after its ledger time', stored(61_000)],
  ['has a ledger time 61 s after the store recorded it', stored(-61_000)],
];
