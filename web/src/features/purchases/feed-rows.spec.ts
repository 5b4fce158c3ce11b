import type { RecentPurchase } from '../../../../contracts/http/game.js';
import { feedRows } from './feed-rows.js';

const of = (...rounds: number[]) => rounds.map((roundId, i) => ({ roundId, purchaseId: `p${i}` }) as RecentPurchase);
const shown = (rounds: number[], running: number | null) =>
  feedRows(of(...rounds), running).map((row) =>
    'purchase' in row ? row.purchase.roundId : `end of ${row.endedRoundId}`,
  );

describe('the feed of purchases', () => {
  it('has no end in the running round', () => expect(shown([7, 7], 7)).toEqual([7, 7]));

  it('shows where each earlier round ended', () =>
    expect(shown([7, 6, 6, 5], 7)).toEqual([7, 'end of 6', 6, 6, 'end of 5', 5]));

  it('begins with the end of a round that is over', () => expect(shown([6, 6], null)).toEqual(['end of 6', 6, 6]));
});
