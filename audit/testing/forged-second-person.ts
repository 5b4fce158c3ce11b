import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import { ALICE, BOB, enrolledGamers, powersSet, SECOND, staffStatus, T0 } from '../../domain/testing/events.js';
import { before, data, type Events, type Forgery, metadata, replaced, without } from './forgeries.js';
import type { Happened } from './histories.js';

/** The adjustments of the scenario: two gifts of the admin, one of two persons, two of frank alone, one of two persons. */
const [ADMIN_ALONE, BY_TWO, FRANK_ALONE, FRANK_AT_LIMIT, BEYOND_DAY] = [0, 2, 3, 4, 5];

const completed = { withdrawalId: 'w2', gamerId: BOB, amountCents: 1_000, adminNotes: null, txid: null };

/** Frank alone pays $10.00 in a day of at most $9.99, by an event of version 1, when adjustments are of version 3 already. */
export function paidByAnOlderVersion(events: Events): Events {
  return [
    without('PayoutRequested'),
    without('WithdrawalCompleted'),
    data('SecondPersonLimitSet', (one) => (one.aboveCentsPerDay = 999), 1),
    replaced('WithdrawalReturned', { type: 'WithdrawalCompleted', data: completed }),
  ].reduce((forged, forge) => forge(forged), events);
}

/** The admin alone gives Bob $500.00 by version 1 of the event, while Alice has the power money: five times, so $2,500.00 in a day. */
export function givenByOlderVersions(): Happened[] {
  const gift = { gamerId: BOB, purchaseCents: 50_000, winningsCents: 0, reason: 'a gift' };
  const gifts = [1, 2, 3, 4, 5].map((nth): LedgerEvent => {
    return { type: 'BalanceAdjusted', data: { ...gift, purchaseBalanceCents: nth * 50_000 } };
  });
  const events = [...enrolledGamers(), staffStatus(ALICE, true), powersSet(ALICE, ['money']), ...gifts];
  return events.map((event) => ({ event, at: T0 }));
}

/** After them a cent by the newest version, which says that the admin did it alone. */
export function aCentMoreByTheNewest(): Happened[] {
  const cent = { gamerId: BOB, purchaseCents: 1, winningsCents: 0, reason: 'a cent' };
  const balances = { purchaseBalanceCents: 250_001, winningsBalanceCents: 0 };
  const event: LedgerEvent = { type: 'BalanceAdjusted', data: { ...cent, ...balances, requestedBy: null } };
  return [...givenByOlderVersions(), { event, at: T0 }];
}

/** Forgeries of what takes two persons: large acts, and what one person moves alone in a day. */
export const FORGED_SECOND_PERSON: readonly Forgery[] = [
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
    'a large adjustment whose requester had lost the power',
    (events) =>
      [
        metadata('AdjustmentRequested', (one) => (one.actor = { id: 'frank', role: 'operator' })),
        metadata('BalanceAdjusted', (one) => (one.actor = { id: 'admin', role: 'admin' }), 2),
        before('BalanceAdjusted', staffStatus(ALICE, true), 2),
        before('BalanceAdjusted', powersSet(ALICE, ['money']), 2),
        before('BalanceAdjusted', powersSet('frank', ['game']), 2),
      ].reduce((forged, forge) => forge(forged), events),
    'moves $3000.00, which no second person requested within a day',
  ],
  [
    'a large payout that one person made alone',
    (events) =>
      replaced('WithdrawalReturned', {
        type: 'WithdrawalCompleted',
        data: completed,
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
  // The limit of a day.
  [
    'a cent beyond the day’s limit that one person moved alone',
    (events) =>
      [
        without('AdjustmentRequested', 1),
        data('BalanceAdjusted', (one) => (one.requestedBy = null), BEYOND_DAY),
        metadata('BalanceAdjusted', (one) => (one.actor = { id: 'frank', role: 'operator' }), BEYOND_DAY),
      ].reduce((forged, forge) => forge(forged), events),
    'makes $4.01 that frank moved alone in the day, and $4.00 are the most',
  ],
  [
    'an act beyond the day’s limit that its requester confirms',
    metadata('BalanceAdjusted', (one) => (one.actor = { id: 'frank', role: 'operator' }), BEYOND_DAY),
    'makes $4.01 that frank moved alone in the day, and $4.00 are the most',
  ],
  [
    'an act under the name of another person',
    metadata('BalanceAdjusted', (one) => (one.actor = { id: 'admin', role: 'admin' }), FRANK_ALONE),
    'asks for a second person without need',
  ],
  [
    'a limit of the day below what one person moved alone',
    data('SecondPersonLimitSet', (one) => (one.aboveCentsPerDay = 399), 2),
    'makes $4.00 that frank moved alone in the day, and $3.99 are the most',
  ],
  [
    'a payout beyond the day’s limit, by an older version of its event than the others',
    paidByAnOlderVersion,
    'makes $10.00 that frank moved alone in the day, and $9.99 are the most',
  ],
  [
    'a second person who was none',
    data('BalanceAdjusted', (one) => (one.requestedBy = 'frank'), ADMIN_ALONE),
    'says that frank requested it, and nobody else did',
  ],
  [
    'a second person for an act that one did alone',
    data('BalanceAdjusted', (one) => (one.requestedBy = 'admin'), FRANK_AT_LIMIT),
    'says that admin requested it, and nobody else did',
  ],
  [
    'another requester than the one who was',
    data('BalanceAdjusted', (one) => (one.requestedBy = ALICE), BY_TWO),
    'says that alice requested it, and admin did',
  ],
  [
    'a requester who is left out',
    data('BalanceAdjusted', (one) => (one.requestedBy = null), BEYOND_DAY),
    'says that nobody else requested it, and frank did',
  ],
  [
    'a payout with a second person who was none',
    data('WithdrawalCompleted', (one) => (one.requestedBy = 'frank')),
    'WithdrawalCompleted says that frank requested it, and nobody else did',
  ],
];
