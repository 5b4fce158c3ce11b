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
  ['is a second effect of the command', twice('BalanceAdjusted')],
  ['is a second effect of the command', twice('WinningsTransferred', { atEnd: true })],
  ['has another hash of the command', metadata('TimeExtended', (one) => (one.commandHash = 'f'.repeat(64)))],
  ['has another time or role', metadata('TimeExtended', (one) => (one.at += 1))],
  // Quantity.
  ['is of 0 tokens', data('TokenPurchased', (one) => (one.quantity = 0))],
  ['is of 10001 tokens', data('TokenPurchased', (one) => (one.quantity = 10_001))],
  // Exactly one extension for each purchase.
  ['follows a purchase that has no extension', without('TimeExtended')],
  ['is a second effect of the command', twice('TimeExtended')],
  ['is of another command than a purchase', twice('TimeExtended', { commandId: 'new' })],
  ['extends for carol', data('TimeExtended', (one) => (one.buyerId = CAROL))],
  [
    'adds 90 s of 60 s',
    data('TimeExtended', (one) => {
      one.addedSeconds += 30;
      one.endsAtEpochMs += 30 * SECOND;
    }),
  ],
  ['extends for p1', without('TokenPurchased')],
  // The price and the shares of a purchase.
  [
    'gives the operator $0.05 for 2 tokens',
    data('TokenPurchased', (one) => {
      one.houseShareCents += 1;
      one.unclaimedCents -= 1;
    }),
  ],
  ['sum to', data('TokenPurchased', (one) => (one.unclaimedCents += 1))],
  [
    'owes nothing',
    data('TokenPurchased', (one) => {
      one.allocations.push({ gamerId: CAROL, level: 2, direct: false, cents: 4 });
      one.unclaimedCents -= 4;
    }),
  ],
  [
    'owes $0.06 to alice',
    data('TokenPurchased', (one) => {
      one.unclaimedCents += 6;
      one.allocations = [];
    }),
  ],
  [
    'costs $0.60 for 2 tokens at 31 cents',
    data('GameStarted', (one) => (one.terms = { ...TERMS_OF_NEW_ROUNDS, tokenPriceCents: 31, jackpotShareCents: 14 })),
  ],
  [
    'has terms that split $0.31 of $0.30',
    data('GameStarted', (one) => (one.terms = { ...TERMS_OF_NEW_ROUNDS, jackpotShareCents: 14 })),
  ],
  [
    'narrows the matrix from 3 to 2',
    data('GameStarted', (one) => (one.terms = { ...TERMS_OF_NEW_ROUNDS, matrixWidth: 2 }), 1),
  ],
  // The times of a purchase, and the end of its round.
  ['is bought when nothing could be bought', decidedAt(T0 + 241 * SECOND, T0 + 240 * SECOND)],
  ['arrived after its decision', decidedAt(T0 + 63 * SECOND, T0 + 64 * SECOND)],
  ['was decided 6001 ms after its arrival', decidedAt(T0 + 68_001, T0 + 62 * SECOND)],
  ['ends before its countdown', metadata('RoundEnded', (one) => (one.at = T0 + 300 * SECOND - 1))],
  [
    'ends before purchases that were on their way could be decided',
    metadata('RoundEnded', (one) => (one.at = T0 + 300 * SECOND + 299)),
  ],
  ['names bob', data('RoundEnded', (one) => (one.winner = { gamerId: BOB, purchaseId: 'p1' }))],
  ['names nobody', data('RoundEnded', (one) => (one.winner = null))],
  ['ends with $0.51 of $0.52', data('RoundEnded', (one) => (one.jackpotCents -= 1))],
  ['while no round is open', without('GameStarted')],
  // No reset between zero and the end.
  [
    'resets a round at zero, when its last buyer had won',
    replaced('RoundEnded', {
      type: 'GameReset',
      data: { roundId: 1, carriedCents: 52, reason: 'mine', purchaseCount: 1 },
    }),
  ],
  ['voids 0 purchases of 1', data('GameReset', (one) => (one.purchaseCount = 0))],
  ['voids 1 purchases without a reason', data('GameReset', (one) => (one.reason = ' '))],
  ['resets a game that was idle', twice('GameReset', { commandId: 'new' })],
  // Outages.
  ['of an outage of 25 s', data('LiveResumed', (one) => (one.outageSeconds += 1))],
  ['began after zero', data('LiveResumed', (one) => ((one.lastAliveAtEpochMs as number) += 10 * SECOND))],
  ['in which an event was appended', data('LiveResumed', (one) => (one.lastAliveAtEpochMs = OUTAGE_AT - 1))],
  ['was no outage', metadata('LiveResumed', (one) => (one.at = OUTAGE_AT + 208 * SECOND))],
  ['leaves 30001 ms of 30000 ms', data('LiveResumed', (one) => (one.endsAtEpochMs += 1))],
  [
    'without a valid field lastAliveAtEpochMs',
    data('LiveResumed', (one) => Object.assign(one, { lastAliveAtEpochMs: undefined })),
  ],
  // Phase lengths and the timers in force.
  [
    'has a pregame of 61000 ms, and 60 s are in force',
    data('GameStarted', (one) => (one.pregameEndsAtEpochMs += SECOND)),
  ],
  ['has a live of 121000 ms, and 120 s are in force', data('LiveStarted', (one) => (one.endsAtEpochMs += SECOND))],
  ['has a live of 299000 ms, and 300 s are in force', data('LiveStarted', (one) => (one.endsAtEpochMs -= SECOND), 1)],
  ['has a downtime of 14399000 ms', data('RoundEnded', (one) => (one.nextRoundAtEpochMs -= SECOND))],
  ['has other timers than those in force', data('GameStarted', (one) => (one.timers.tokenExtensionSeconds = 31))],
  ['sets an extension over a day', data('TimersChanged', (one) => (one.tokenExtensionSeconds = 86_401))],
  ['starts by the system in idle, which is not over', metadata('GameStarted', (one) => (one.actor = SYSTEM))],
  // Planned starts.
  ['starts before its planned time', metadata('GameStarted', (one) => (one.at -= 1), 2)],
  ['starts by a plan that does not stand', planned((one) => (one.startsAtEpochMs -= 1))],
  ['starts by a plan that does not stand', without('GameScheduled')],
  [
    'starts by a plan that does not stand',
    before('GameStarted', { type: 'ScheduleCancelled', data: { startsAtEpochMs: T0 + 18_000 * SECOND } }, 2),
  ],
  ['plans a start that is past', planned((one) => (one.startsAtEpochMs = T0))],
  ['at another time than', planned((one) => (one.localTime = '2026-01-03T18:00'))],
  ['plans a second start', twice('GameScheduled', { commandId: 'new' })],
  ['follows a daily start whose next day was not planned', without('GameScheduled', 1)],
  ['plans a start that is not the next day of a daily one', planned((one) => (one.localTime = '2026-01-02T17:00'), 1)],
  ['is not the next day of a daily one', metadata('GameScheduled', (one) => (one.actor = SYSTEM))],
  ['cancels a start that was not planned', data('ScheduleCancelled', (one) => (one.startsAtEpochMs += 1))],
  // Actor and role of every event.
  [
    'was caused by carol as gamer, and not by the gamer bob',
    metadata('TokenPurchased', (one) => (one.actor = { id: CAROL, role: 'gamer' })),
  ],
  [
    'was caused by bob as gamer, and not by anyone with the power money',
    metadata('BalanceAdjusted', (one) => (one.actor = { id: BOB, role: 'gamer' })),
  ],
  [
    'was caused by bob, who is not the admin',
    metadata('BalanceAdjusted', (one) => (one.actor = { id: BOB, role: 'admin' })),
  ],
  [
    'was caused by admin as admin, and not by the system',
    metadata('RoundEnded', (one) => (one.actor = { id: 'admin', role: 'admin' })),
  ],
  ['and not by the gamer bob', metadata('WithdrawalRequested', (one) => (one.actor = { id: 'admin', role: 'admin' }))],
  ['was caused by bob as system', metadata('RoundEnded', (one) => (one.actor = { id: BOB, role: 'system' }))],
  // Schema.
  ['the unknown field bonus', data('TokenPurchased', (one) => Object.assign(one, { bonus: 1 }))],
  [
    'follows a round that was opened to go live at once',
    (events) => data('LiveStarted', (one) => (one.forced = false), 1)(events),
  ],
  ['of version 9', metadata('TokenPurchased', (one) => (one.schema = 9))],
  ['without a valid field amountCents', data('WinningsTransferred', (one) => (one.amountCents = 0.5))],
  ['has -100 as amountCents', data('WinningsTransferred', (one) => (one.amountCents = -100))],
  [
    'is of a type that this auditor does not know',
    replaced('TimersChanged', { type: 'PrizeGiven' as never, data: {} as never }),
  ],
  // Ledger time and the store's own clock.
  ['was recorded by the store 61 s after its ledger time', stored(61_000)],
  ['has a ledger time 61 s after the store recorded it', stored(-61_000)],
];
