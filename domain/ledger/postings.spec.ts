import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import { BOB } from '../testing/constants.js';
import { funded } from '../testing/gamers.js';
import { tokenPurchased } from '../testing/rounds.js';
import { postings } from './postings.js';

/* The amounts that each event moves are compared in the specs of its feature, by the balances after it. */
it('have no lines of zero', () => {
  expect(postings(funded(BOB, 100, -30))).toEqual([
    { account: 'gamer:bob:purchase', cents: 100 },
    { account: 'gamer:bob:winnings', cents: -30 },
    { account: 'house:adjustments', cents: -70 },
  ]);
  expect(postings(funded(BOB, 30, -30))).toHaveLength(2);
});

it('throw when an event does not add up', () => {
  const bought = { purchaseId: 'p1', buyerId: BOB, quantity: 2, jackpotCents: 26, purchaseBalanceCents: 0 };
  const { type, data } = tokenPurchased(bought);
  const leaking: LedgerEvent = { type, data: { ...data, unclaimedCents: data.unclaimedCents - 1 } };
  expect(() => postings(leaking)).toThrow('TokenPurchased: postings sum to -1, not zero');
});

it('throw when cents are not whole', () => {
  expect(() => postings(funded(BOB, 0.5))).toThrow('BalanceAdjusted: 0.5 into gamer:bob:purchase is not whole cents');
  expect(() => postings(funded(BOB, Number.NaN))).toThrow('is not whole cents');
});
