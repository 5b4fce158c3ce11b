import type { LedgerEvents } from '../../contracts/events/ledger-events.js';
import { SYSTEM } from '../../contracts/events/metadata.js';
import { TERMS_OF_NEW_ROUNDS } from '../../contracts/limits.js';
import { BOB, CAROL, SECOND, T0 } from '../../domain/testing/events.js';
import { before, data, type Events, type Forgery, metadata, replaced, stored, twice, without } from './forgeries.js';
import { OUTAGE_AT } from './scenario.js';

/** Carol's purchase, decided and received at these times. The countdown ends four minutes after `T0`. */
const decidedAt = (at: number, receivedAtEpochMs: number) => (events: Events) => {
  const decided = metadata('TokenPurchased', (one) => (one.at = at), 1)(events);
  return data('TokenPurchased', (one) => (one.receivedAtEpochMs = receivedAtEpochMs), 1)(decided);
};

const planned = (change: (plan: LedgerEvents['GameScheduled']) => void, nth = 0) => data('GameScheduled', change, nth);

export const FORGED_ROUNDS: readonly Forgery[] = [
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
  [
    'more seconds than were bought',
    data('TimeExtended', (one) => {
      one.addedSeconds += 30;
      one.endsAtEpochMs += 30 * SECOND;
    }),
    'adds 90 s of 60 s',
  ],
  ['an extension without a purchase', without('TokenPurchased'), 'extends for p1'],
  // The price and the shares of a purchase.
  [
    'a cent of the uplines’ share as profit',
    data('TokenPurchased', (one) => {
      one.houseShareCents += 1;
      one.unclaimedCents -= 1;
    }),
    'gives the operator $0.05 for 2 tokens',
  ],
  ['a cent from nowhere', data('TokenPurchased', (one) => (one.unclaimedCents += 1)), 'sum to'],
  [
    'an upline who was not entitled',
    data('TokenPurchased', (one) => {
      one.allocations.push({ gamerId: CAROL, level: 2, direct: false, cents: 4 });
      one.unclaimedCents -= 4;
    }),
    'owes nothing',
  ],
  [
    'an upline who was not paid',
    data('TokenPurchased', (one) => {
      one.unclaimedCents += 6;
      one.allocations = [];
    }),
    'owes $0.06 to alice',
  ],
  [
    'a purchase by other terms than those of its round',
    data('GameStarted', (one) => (one.terms = { ...TERMS_OF_NEW_ROUNDS, tokenPriceCents: 31, jackpotShareCents: 14 })),
    'costs $0.60 for 2 tokens at 31 cents',
  ],
  [
    'terms that give away more than the price',
    data('GameStarted', (one) => (one.terms = { ...TERMS_OF_NEW_ROUNDS, jackpotShareCents: 14 })),
    'has terms that split $0.31 of $0.30',
  ],
  [
    'a matrix that becomes narrower',
    data('GameStarted', (one) => (one.terms = { ...TERMS_OF_NEW_ROUNDS, matrixWidth: 2 }), 1),
    'narrows the matrix from 3 to 2',
  ],
  // The times of a purchase, and the end of its round.
  [
    'a purchase that arrived at zero',
    decidedAt(T0 + 241 * SECOND, T0 + 240 * SECOND),
    'is bought when nothing could be bought',
  ],
  [
    'a purchase that was decided before it arrived',
    decidedAt(T0 + 63 * SECOND, T0 + 64 * SECOND),
    'arrived after its decision',
  ],
  [
    'a purchase that was decided long after its arrival',
    decidedAt(T0 + 68_001, T0 + 62 * SECOND),
    'was decided 6001 ms after its arrival',
  ],
  [
    'an end before the countdown',
    metadata('RoundEnded', (one) => (one.at = T0 + 300 * SECOND - 1)),
    'ends before its countdown',
  ],
  [
    'an end within the time for decisions',
    metadata('RoundEnded', (one) => (one.at = T0 + 300 * SECOND + 299)),
    'ends before purchases that were on their way could be decided',
  ],
  ['another winner', data('RoundEnded', (one) => (one.winner = { gamerId: BOB, purchaseId: 'p1' })), 'names bob'],
  ['no winner', data('RoundEnded', (one) => (one.winner = null)), 'names nobody'],
  ['a cent less for the winner', data('RoundEnded', (one) => (one.jackpotCents -= 1)), 'ends with $0.51 of $0.52'],
  ['a round that never started', without('GameStarted'), 'while no round is open'],
  // No reset between zero and the end.
  [
    'a reset at zero',
    replaced('RoundEnded', {
      type: 'GameReset',
      data: { roundId: 1, carriedCents: 52, reason: 'mine', purchaseCount: 1 },
    }),
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
  [
    'an event in an outage',
    data('LiveResumed', (one) => (one.lastAliveAtEpochMs = OUTAGE_AT - 1)),
    'in which an event was appended',
  ],
  [
    'a stall that was no outage',
    metadata('LiveResumed', (one) => (one.at = OUTAGE_AT + 208 * SECOND)),
    'was no outage',
  ],
  ['more time after an outage', data('LiveResumed', (one) => (one.endsAtEpochMs += 1)), 'leaves 30001 ms of 30000 ms'],
  [
    'an outage that hides its beginning',
    data('LiveResumed', (one) => Object.assign(one, { lastAliveAtEpochMs: undefined })),
    'without a valid field lastAliveAtEpochMs',
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
    metadata('GameStarted', (one) => (one.actor = SYSTEM)),
    'starts by the system in idle, which is not over',
  ],
  // Planned starts.
  [
    'a start before its planned time',
    metadata('GameStarted', (one) => (one.at -= 1), 2),
    'starts before its planned time',
  ],
  [
    'a start by a plan for another time',
    planned((one) => (one.startsAtEpochMs -= 1)),
    'starts by a plan that does not stand',
  ],
  ['a start by no plan', without('GameScheduled'), 'starts by a plan that does not stand'],
  [
    'a start by a cancelled plan',
    before('GameStarted', { type: 'ScheduleCancelled', data: { startsAtEpochMs: T0 + 18_000 * SECOND } }, 2),
    'starts by a plan that does not stand',
  ],
  ['a plan in the past', planned((one) => (one.startsAtEpochMs = T0)), 'plans a start that is past'],
  [
    'a plan for another time than it says',
    planned((one) => (one.localTime = '2026-01-03T18:00')),
    'at another time than',
  ],
  ['a second plan', twice('GameScheduled', { commandId: 'new' }), 'plans a second start'],
  ['a daily plan that stops', without('GameScheduled', 1), 'follows a daily start whose next day was not planned'],
  [
    'a daily plan that moves',
    planned((one) => (one.localTime = '2026-01-02T17:00'), 1),
    'plans a start that is not the next day of a daily one',
  ],
  ['a plan by nobody', metadata('GameScheduled', (one) => (one.actor = SYSTEM)), 'is not the next day of a daily one'],
  [
    'a cancellation of another plan',
    data('ScheduleCancelled', (one) => (one.startsAtEpochMs += 1)),
    'cancels a start that was not planned',
  ],
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
  ['an unknown field', data('TokenPurchased', (one) => Object.assign(one, { bonus: 1 })), 'the unknown field bonus'],
  [
    'a round that goes live at once, with a countdown that nobody forced',
    (events) => data('LiveStarted', (one) => (one.forced = false), 1)(events),
    'follows a round that was opened to go live at once',
  ],
  ['an unknown version', metadata('TokenPurchased', (one) => (one.schema = 9)), 'of version 9'],
  ['half a cent', data('WinningsTransferred', (one) => (one.amountCents = 0.5)), 'without a valid field amountCents'],
  ['a negative transfer', data('WinningsTransferred', (one) => (one.amountCents = -100)), 'has -100 as amountCents'],
  [
    'an unknown event',
    replaced('TimersChanged', { type: 'PrizeGiven' as never, data: {} as never }),
    'is of a type that this auditor does not know',
  ],
  // Ledger time and the store's own clock.
  ['an event that was dated back', stored(61_000), 'was recorded by the store 61 s after its ledger time'],
  ['an event from the future', stored(-61_000), 'has a ledger time 61 s after the store recorded it'],
];
